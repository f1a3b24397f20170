// Handles one request: checks the method, refuses requests during shutdown, calls the handler, and
// converts failures into problems. Started work completes even when the client disconnects.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import { blockedClient, type ClientResolver } from '../../kernel/client-address/client-address.ts';
import { Fault } from '../../kernel/errors/fault.ts';
import { findFramingFault } from '../../kernel/http/check-framing.ts';
import { endResponse } from '../../kernel/http/end-response.ts';
import { matchesIfNoneMatch } from '../../kernel/http/etag.ts';
import { readBytes, readJsonBody } from '../../kernel/http/read-json-body.ts';
import type { Tallies } from '../../kernel/observability/metrics.ts';
import type { KnownLimits } from '../calls/admit.ts';
import { compressPublic } from './compress-public.ts';
import type { GatewayContext } from './context.ts';
import { corsHeaders, limitHeaders, preflightHeaders } from './headers.ts';
import { type ApiRequest, type GatewayResponse, oneHeader } from './http-response.ts';
import { problemOf } from './problem.ts';

/** Capability contract, "Limits": bodies ≤ 256 KiB. */
const BODY = {
  maxBytes: 256 * 1024,
  tooLarge: 'A body may have at most 256 KiB.',
  isSmall: true,
};

export type ApiServerContext = {
  readonly context: GatewayContext;
  readonly clients: ClientResolver;
  readonly requests: Tallies;
  /** True during shutdown: no new request is accepted. */
  isStopping: boolean;
  /** True: each response closes its connection. */
  isClosingConnections: boolean;
};

export type RequestContext = {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  /** The route's pattern for metrics; `other` for unknown addresses. */
  readonly route: string;
  readonly params: Readonly<Record<string, string>>;
  readonly methods: Readonly<
    Partial<Record<string, (request: ApiRequest) => Promise<GatewayResponse>>>
  >;
  /** The router's reason to refuse the address; absent: a route matches. */
  readonly refusal?: Fault;
  /** True: the route also responds during shutdown. */
  readonly isOperatorRoute?: boolean;
};

/** Sends exactly one response to the request, and counts the response by route and status. */
export async function handleRequest(
  server: ApiServerContext,
  context: RequestContext,
): Promise<void> {
  const { req, res } = context;
  const requestId = `req_${server.context.world.ids.next()}`;
  const knownLimits: KnownLimits = {};
  let result: GatewayResponse;
  try {
    const response = applyIfNoneMatch(
      req,
      await responseOf(server, context, { requestId, knownLimits }),
    );
    result = compressPublic(response, oneHeader(req, 'accept-encoding'));
  } catch (error) {
    const failedRequest = { requestId, method: req.method ?? 'GET', url: req.url ?? '/' };
    result = problemOf(server.context.world, error, failedRequest);
  }
  server.requests.of(context.route, String(result.status)).value += 1;
  send(server, context, result, { requestId, knownLimits });
  // A client that disconnects needs no response, so a failed write needs no handling.
  res.once('error', () => {});
}

type RequestStart = { readonly requestId: string; readonly knownLimits: KnownLimits };

async function responseOf(
  server: ApiServerContext,
  context: RequestContext,
  start: RequestStart,
): Promise<GatewayResponse> {
  const { req, methods, params, isOperatorRoute = false } = context;
  const { method = 'GET', headers } = req;
  const client = server.clients.resolve(req);
  if (client.isBlocked) throw blockedClient();
  const framingError = findFramingFault(req);
  if (framingError !== null) throw framingError;
  if (context.refusal !== undefined) throw context.refusal;
  const allow = formatAllow(methods);
  if (method === 'OPTIONS') {
    const requestedHeaders = headers['access-control-request-headers'];
    return { status: 204, headers: preflightHeaders(allow, requestedHeaders), body: '' };
  }
  const handler = methods[method === 'HEAD' ? 'GET' : method];
  if (handler === undefined) {
    const message = `This address takes ${allow}.`;
    throw new Fault('method_not_allowed', message, { headers: { allow } });
  }
  if (server.isStopping && !isOperatorRoute) throw stoppingFault();
  // PostgreSQL text cannot contain U+0000, so no such object exists.
  if (Object.values(params).some((value) => value.includes('\0'))) {
    throw unknownAddressFault();
  }
  const [path = '', ...query] = (req.url ?? '/').split('?');
  return handler({
    ...start,
    method,
    path,
    params,
    headers,
    client,
    query: query.join('?'),
    // A client that sent "Expect: 100-continue" sends its body only after the response 100.
    readJson: () =>
      readJsonBody(req, BODY, () => {
        if (headers.expect !== undefined) context.res.writeContinue();
      }),
    readBytes: (limit = BODY) => {
      if (headers.expect !== undefined) context.res.writeContinue();
      return readBytes(req, limit);
    },
  });
}

function formatAllow(methods: RequestContext['methods']): string {
  const allowedMethods = Object.keys(methods).flatMap((name) =>
    name === 'GET' ? ['GET', 'HEAD'] : name,
  );
  return [...allowedMethods, 'OPTIONS'].join(', ');
}

const stoppingFault = () =>
  new Fault(
    'temporarily_unavailable',
    'This process is stopping. Retry: another process will respond.',
    { retryAfterSeconds: 1 },
  );

/** 304 when the ETag matches (RFC 9110, 13.1.2). */
function applyIfNoneMatch(req: IncomingMessage, response: GatewayResponse): GatewayResponse {
  const { etag } = response.headers;
  if (etag === undefined || !matchesIfNoneMatch(req.headers['if-none-match'], etag))
    return response;
  const { 'content-type': _type, ...headers } = response.headers;
  return { status: 304, headers, body: '' };
}

function send(
  server: ApiServerContext,
  { req, res }: RequestContext,
  response: GatewayResponse,
  start: RequestStart,
): void {
  const { world } = server.context;
  const { status, body } = response;
  const isBodiless = status === 204 || status === 304;
  const isBuffered = typeof body === 'string' || Buffer.isBuffer(body);
  res.writeHead(status, {
    ...corsHeaders,
    ...limitHeaders(start.knownLimits, world.clock.now()),
    'x-content-type-options': 'nosniff',
    'x-request-id': start.requestId,
    ...response.headers,
    ...(!isBodiless && isBuffered && { 'content-length': Buffer.byteLength(body) }),
    // Unread bytes of a body must not be parsed as the next request.
    ...((server.isClosingConnections || !req.complete) && { connection: 'close' }),
  });
  if (isBodiless || req.method === 'HEAD') endResponse(world.clock, req, res);
  else if (isBuffered) endResponse(world.clock, req, res, body);
  // A client that disconnects ends the read. A store that fails midway ends the connection, so the
  // client detects the incomplete body.
  else pipeline(Readable.from(body), res, () => {});
}

export const unknownAddressFault = () =>
  new Fault(
    'not_found',
    'There is no such address. /openapi.json describes every address of the API.',
  );
