// What the two HTTP servers of this wing, the capability API's and the relay's, are opened with and
// have in common: refusals are in our words, also for what arrives and is no request at all.
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { Duplex } from 'node:stream';
import type { ClientResolver } from '../../kernel/client-address/client-address.ts';
import { Fault } from '../../kernel/errors/fault.ts';
import type { Metrics } from '../../kernel/observability/metrics.ts';
import type { World } from '../../kernel/world.ts';
import { corsHeaders } from './headers.ts';
import type { OperatorAnswers } from './operator.ts';

export type HttpDoorOptions = {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  readonly clients: ClientResolver;
  readonly metrics: Metrics;
  readonly operator: OperatorAnswers;
};

/** `requestMs`: for a request's headers and its body. */
export function createHttpDoor(
  requestMs: number,
  listener: (req: IncomingMessage, res: ServerResponse) => void,
): Server {
  const server = createServer(
    // A request without Host is refused in our words rather than Node's.
    {
      keepAliveTimeout: 65_000,
      requestTimeout: requestMs,
      headersTimeout: requestMs,
      // Half a minute when absent: what a slow client had beyond its time.
      connectionsCheckingInterval: Math.min(5_000, requestMs),
      requireHostHeader: false,
    },
    listener,
  );
  // "Expect: 100-continue" must not invite a body that is going to be refused.
  server.on('checkContinue', listener);
  server.on('checkExpectation', listener);
  return server;
}

type Refused = {
  readonly error: NodeJS.ErrnoException;
  readonly socket: Duplex;
  /** Codes of what nobody is told of, besides a client that has left. */
  readonly untold?: readonly string[];
};

type Written = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
};

/** Of a client that has left, or of a body that nobody reads. */
const left = ['ECONNRESET', 'EPIPE', 'HPE_CLOSED_CONNECTION', 'HPE_INVALID_EOF_STATE'];

/** What arrives and is no request that Node can parse: one error, then the connection ends. */
export function refuseUnparsed(
  { ids }: Pick<World, 'ids'>,
  { error, socket, untold = [] }: Refused,
  write: (fault: Fault, asked: { requestId: string; method: string; url: string }) => Written,
): void {
  if (!socket.writable || [...left, ...untold].includes(error.code ?? '')) {
    socket.destroy();
    return;
  }
  const requestId = `req_${ids.next()}`;
  const fault = new Fault('invalid_request', 'This is not an HTTP request that can be read.');
  const { status, headers, body } = write(fault, { requestId, method: 'GET', url: '/' });
  const lines = Object.entries({
    ...{ ...corsHeaders, ...headers, 'x-request-id': requestId },
    ...{ 'content-length': String(Buffer.byteLength(body)), connection: 'close' },
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.on('error', () => socket.destroy());
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
}
