// Shared parts of the capability API's server and the relay's server: options, timeouts, and error
// responses to bytes that are no HTTP request.
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
import type { GatewayOperatorRoutes } from './operator.ts';

export type HttpServerOptions = {
  readonly host: string;
  /** 0 selects a free port. */
  readonly port: number;
  readonly clients: ClientResolver;
  readonly metrics: Metrics;
  readonly operator: GatewayOperatorRoutes;
};

/** `requestMs` limits the time for a request's headers and body. */
export function createHttpServer(
  requestMs: number,
  listener: (req: IncomingMessage, res: ServerResponse) => void,
): Server {
  const server = createServer(
    // This program refuses a request without Host itself, with its own error body.
    {
      keepAliveTimeout: 65_000,
      requestTimeout: requestMs,
      headersTimeout: requestMs,
      // The interval of timeout checks; 30 s when absent. A slow client can exceed its time by
      // this.
      connectionsCheckingInterval: Math.min(5_000, requestMs),
      requireHostHeader: false,
    },
    listener,
  );
  // "Expect: 100-continue" must not invite a body that will be refused.
  server.on('checkContinue', listener);
  server.on('checkExpectation', listener);
  return server;
}

type UnparsedRequest = {
  readonly error: NodeJS.ErrnoException;
  readonly socket: Duplex;
  /** Error codes that need no response, besides those of a disconnected client. */
  readonly ignoredCodes?: readonly string[];
};

type ErrorResponse = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
};

/** Error codes of a client that disconnected, or of a body that is not read. */
const left = ['ECONNRESET', 'EPIPE', 'HPE_CLOSED_CONNECTION', 'HPE_INVALID_EOF_STATE'];

/**
 * Responds to bytes that Node cannot parse as a request with one error, then closes the connection.
 */
export function refuseUnparsed(
  { ids }: Pick<World, 'ids'>,
  { error, socket, ignoredCodes: untold = [] }: UnparsedRequest,
  write: (
    fault: Fault,
    request: { requestId: string; method: string; url: string },
  ) => ErrorResponse,
): void {
  if (!socket.writable || [...left, ...untold].includes(error.code ?? '')) {
    socket.destroy();
    return;
  }
  const requestId = `req_${ids.next()}`;
  const fault = new Fault('invalid_request', 'This is not an HTTP request that can be read.');
  const { status, headers, body } = write(fault, { requestId, method: 'GET', url: '/' });
  const lines = Object.entries({
    ...corsHeaders,
    ...headers,
    'x-request-id': requestId,
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.on('error', () => socket.destroy());
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
}
