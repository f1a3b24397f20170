// One prepared statement that answers one text, in the fewest messages. The driver's own query also
// asks what the columns are called and keeps lists for rows, each time: as much as the rest of it.
import type pg from 'pg';

type Value = string | number | boolean | Buffer | null;

/** What of the driver's connection a query that submits itself is given. */
type DriverConnection = {
  readonly stream: { cork(): void; uncork(): void };
  readonly parsedStatements: Readonly<Record<string, string | undefined>>;
  parse(statement: { readonly name: string; readonly text: string }): void;
  bind(bound: { readonly statement: string; readonly values: readonly Value[] }): void;
  execute(): void;
  sync(): void;
};

/** The first column of the first row; '' where there is none. Bytes go as the server keeps them. */
export function queryText(
  client: pg.Client,
  statement: { readonly name: string; readonly text: string },
  values: readonly Value[],
): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const bound = values.map((value) => (isWritten(value) ? value : String(value)));
    const query = {
      ...statement,
      // The client puts its time limit around it.
      callback: (error: Error | null) => (error === null ? resolve(answer) : reject(error)),
      submit: (wire: DriverConnection) => {
        wire.stream.cork();
        try {
          if (wire.parsedStatements[statement.name] === undefined) wire.parse(statement);
          wire.bind({ statement: statement.name, values: bound });
          wire.execute();
          wire.sync();
        } finally {
          wire.stream.uncork();
        }
      },
      handleDataRow: ({ fields }: { readonly fields: readonly (string | null)[] }) => {
        answer = fields[0] ?? '';
      },
      handleCommandComplete: () => {},
      handleReadyForQuery: () => query.callback(null),
      handleError: (error: Error) => query.callback(error),
    };
    client.query(query as unknown as pg.Submittable);
  });
}

const isWritten = (value: Value): value is string | Buffer | null =>
  value === null || typeof value === 'string' || Buffer.isBuffer(value);
