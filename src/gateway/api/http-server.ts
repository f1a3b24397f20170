// Creates the HTTP servers of the capability API and of the relay: options, timeouts, and error
// responses to bytes that are no HTTP request.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { ClientResolver } from '../../kernel/client-address/client-address.ts';
import { Fault } from '../../kernel/errors/fault.ts';
import {
  type RawErrorResponse,
  refuseUnparsed,
  type UnparsedRequest,
} from '../../kernel/http/refuse-unparsed.ts';
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
    {
      keepAliveTimeout: 65_000,
      requestTimeout: requestMs,
      headersTimeout: requestMs,
      // The interval of timeout checks; 30 s when absent. A slow client can exceed its time by
      // this interval.
      connectionsCheckingInterval: Math.min(5_000, requestMs),
      // `findFramingFault` refuses a request without Host, with this program's error body.
      requireHostHeader: false,
    },
    listener,
  );
  // By default, Node responds 100 to "Expect: 100-continue", even when the body will be refused,
  // and 417 to any other expectation.
  server.on('checkContinue', listener);
  server.on('checkExpectation', listener);
  return server;
}

/** Refuses bytes that are no HTTP request. `toResponse` creates the protocol's error body. */
export function refuseUnparsedCall(
  { ids }: Pick<World, 'ids'>,
  unparsed: UnparsedRequest,
  toResponse: (
    fault: Fault,
    request: { requestId: string; method: string; url: string },
  ) => RawErrorResponse,
): void {
  refuseUnparsed(unparsed, () => {
    const requestId = `req_${ids.next()}`;
    const fault = new Fault('invalid_request', 'This is not an HTTP request that can be read.');
    const { status, headers, body } = toResponse(fault, { requestId, method: 'GET', url: '/' });
    return { status, headers: { ...corsHeaders, ...headers, 'x-request-id': requestId }, body };
  });
}
