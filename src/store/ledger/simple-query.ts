// One prepared statement with one text result, in the fewest protocol messages. The driver's own
// query also requests column descriptions and builds row lists, which doubles the cost.
import type pg from 'pg';

type Value = string | number | boolean | Buffer | null;

/** The part of the driver's connection that a self-submitting query receives. */
type DriverConnection = {
  readonly stream: { cork(): void; uncork(): void };
  readonly parsedStatements: Readonly<Record<string, string | undefined>>;
  parse(statement: { readonly name: string; readonly text: string }): void;
  bind(parameters: { readonly statement: string; readonly values: readonly Value[] }): void;
  execute(): void;
  sync(): void;
};

/** Returns the first column of the only row; '' without a value. Buffers are sent as binary. */
export function queryText(
  client: pg.Client,
  statement: { readonly name: string; readonly text: string },
  values: readonly Value[],
): Promise<string> {
  return new Promise((resolve, reject) => {
    let result = '';
    const parameters = values.map((value) => (isWireValue(value) ? value : String(value)));
    const query = {
      ...statement,
      // The client wraps this callback for its timeout.
      callback: (error: Error | null) => (error === null ? resolve(result) : reject(error)),
      submit: (connection: DriverConnection) => {
        connection.stream.cork();
        try {
          if (connection.parsedStatements[statement.name] === undefined)
            connection.parse(statement);
          connection.bind({ statement: statement.name, values: parameters });
          connection.execute();
          connection.sync();
        } finally {
          connection.stream.uncork();
        }
      },
      handleDataRow: ({ fields }: { readonly fields: readonly (string | null)[] }) => {
        result = fields[0] ?? '';
      },
      handleCommandComplete: () => {},
      handleReadyForQuery: () => query.callback(null),
      handleError: (error: Error) => query.callback(error),
    };
    client.query(query as unknown as pg.Submittable);
  });
}

const isWireValue = (value: Value): value is string | Buffer | null =>
  value === null || typeof value === 'string' || Buffer.isBuffer(value);
