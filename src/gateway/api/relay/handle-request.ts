// Handles one relay request: finds the route, checks for shutdown, and converts a failure into an
// error response. The handler is notified when the client disconnects.
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  blockedClient,
  type ClientResolver,
} from '../../../kernel/client-address/client-address.ts';
import { CancelToken } from '../../../kernel/concurrency/cancel-token.ts';
import { Fault } from '../../../kernel/errors/fault.ts';
import { findFramingFault } from '../../../kernel/http/check-framing.ts';
import { endResponse } from '../../../kernel/http/end-response.ts';
import { matchesIfNoneMatch } from '../../../kernel/http/etag.ts';
import { readJsonText } from '../../../kernel/http/read-json-body.ts';
import type { Tallies } from '../../../kernel/observability/metrics.ts';
import type { KnownLimits } from '../../calls/admit.ts';
import { allDialects } from '../../relay/dialects/all-dialects.ts';
import type { ApiDialect } from '../../relay/dialects/dialect.ts';
import { messagesDialect } from '../../relay/dialects/messages.ts';
import { limitHeaders, preflightHeaders, relayCorsHeaders } from '../headers.ts';
import { NO_STORE, oneHeader, publicResponse } from '../http-response.ts';
import { describeRelay } from '../openapi/describe-relay.ts';
import { type GatewayOperatorRoutes, handleOperator, operatorPaths } from '../operator.ts';
import { openClientStream } from './client-stream.ts';
import { handleCountTokens } from './handle-count-tokens.ts';
import { handleModelCall } from './handle-model-call.ts';
import { handleModel, handleModels } from './handle-models.ts';
import type { RelayContext, RelayRequest, RelayResponse } from './relay-context.ts';
import { relayErrorOf } from './relay-error.ts';

export type RelayHandler = {
  readonly context: RelayContext;
  readonly clients: ClientResolver;
  readonly requests: Tallies;
  readonly operator: GatewayOperatorRoutes;
  /** True during shutdown: no new request is accepted. */
  isStopping: boolean;
  /** Canceled when running streams must end. */
  readonly stopping: CancelToken<'stopping'>;
};

type Handler = (context: RelayContext, received: RelayRequest) => Promise<RelayResponse>;

type Route = {
  readonly name: string;
  readonly methods: Readonly<Partial<Record<'GET' | 'POST', Handler>>>;
  /** Error form of the endpoint; absent: chat. */
  readonly dialect?: ApiDialect;
  /** The route is also available during shutdown. */
  readonly isOperatorRoute?: boolean;
};

const dialectRoutes: ReadonlyMap<string, Route> = new Map(
  allDialects.map((dialect) => {
    const name = `/relay/v1${dialect.path}`;
    const methods = {
      POST: (context: RelayContext, received: RelayRequest) =>
        handleModelCall(context, dialect, received),
    };
    return [name, { name, methods, dialect }];
  }),
);

const countTokens: Route = {
  name: '/relay/v1/messages/count_tokens',
  methods: { POST: handleCountTokens },
  dialect: messagesDialect,
};

/** Some clients append `/v1` to an origin, so `/v1` has the same addresses as `/relay/v1`. */
const canonicalPath = (path: string) => (path.startsWith('/v1/') ? `/relay${path}` : path);

function findRoute(
  path: string,
  req: IncomingMessage,
  operator: GatewayOperatorRoutes,
): Route | null {
  const dialectRoute = dialectRoutes.get(path);
  if (dialectRoute !== undefined) return dialectRoute;
  if (path === countTokens.name) return countTokens;
  if (path === '/relay/v1/models') return { name: path, methods: { GET: handleModels } };
  if (path === '/openapi.json') return { name: path, methods: { GET: handleOpenApi } };
  const [, encodedId] = /^\/relay\/v1\/models\/(.+)$/.exec(path) ?? [];
  if (encodedId !== undefined) {
    const id = decodeText(encodedId);
    const methods = {
      GET: (context: RelayContext, received: RelayRequest) => handleModel(context, received, id),
    };
    return { name: '/relay/v1/models/:model', methods };
  }
  const operatorPath = operatorPaths.find((knownPath) => knownPath === path);
  if (operatorPath === undefined) return null;
  const handle = async (): Promise<RelayResponse> => {
    const { status, headers, body } = await handleOperator(operatorPath, req, operator);
    return { kind: 'complete', status, headers, body: String(body) };
  };
  return { name: path, methods: { GET: handle }, isOperatorRoute: true };
}

const document = JSON.stringify(describeRelay());
const documentResponse = publicResponse(document);

async function handleOpenApi(_context: RelayContext, { headers }: RelayRequest) {
  const { etag = '' } = documentResponse.headers;
  const isCurrent = matchesIfNoneMatch(oneHeader({ headers }, 'if-none-match'), etag);
  const response = isCurrent ? { status: 304, body: '' } : { status: 200, body: document };
  return { kind: 'complete', headers: documentResponse.headers, ...response } as const;
}

export async function handleRelayRequest(
  handler: RelayHandler,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  const { context } = handler;
  const { world } = context;
  const requestId = `req_${world.ids.next()}`;
  const knownLimits: KnownLimits = {};
  const { url = '/' } = req;
  const queryMark = url.indexOf('?');
  const path = canonicalPath(queryMark < 0 ? url : url.slice(0, queryMark));
  const route = findRoute(path, req, handler.operator);
  const clientDisconnect = new CancelToken<'disconnected'>();
  res.on('error', ignoreError);
  const closed = Promise.withResolvers<void>();
  res.on('close', () => {
    if (!res.writableFinished) clientDisconnect.cancel('disconnected');
    closed.resolve();
  });
  const head = (extraHeaders: Readonly<Record<string, string>>): string[] => {
    const lines = [...COMMON_HEADERS, 'x-request-id', requestId];
    appendMissingFields(lines, limitHeaders(knownLimits, world.clock.now()));
    if (handler.isStopping || !req.complete) lines.push('connection', 'close');
    return appendMissingFields(lines, extraHeaders);
  };
  const received: RelayRequest = {
    requestId,
    path,
    query: queryMark < 0 ? '' : url.slice(queryMark + 1),
    headers: req.headers,
    knownLimits,
    client: handler.clients.resolve(req),
    signals: {
      disconnected: clientDisconnect,
      stopping: handler.stopping,
      isStopping: () => handler.isStopping,
    },
    readText: (maxBytes) =>
      readJsonText(req, bodyLimit(maxBytes), () => {
        if (req.headers.expect !== undefined) res.writeContinue();
      }),
    beginStream: (extraHeaders) => {
      res.writeHead(200, head({ ...STREAM_HEADERS, ...extraHeaders }));
      return openClientStream(res);
    },
  };
  let response: RelayResponse;
  try {
    response = await dispatch(handler, req, { route, received });
  } catch (error) {
    const failedRequest = { requestId, method: req.method ?? 'GET', url: req.url ?? '/' };
    response = relayErrorOf(world, error, failedRequest, route?.dialect);
  }
  // 499, as proxies record it: the client disconnected before the head was sent.
  const sentStatus = res.headersSent ? 200 : 499;
  const status = response.kind === 'complete' ? response.status : sentStatus;
  if (response.kind === 'complete' && res.headersSent) res.destroy();
  else if (response.kind === 'complete') {
    const { headers, body } = response;
    const lines = head(headers);
    // Relay contract, 6. For an unread body, `head` has already added this field.
    if (response.status === 413 && req.complete) lines.push('connection', 'close');
    const isEmpty = response.status === 204 || response.status === 304;
    if (!isEmpty) lines.push('content-length', String(Buffer.byteLength(body)));
    res.writeHead(response.status, lines);
    const isBodiless = req.method === 'HEAD' || isEmpty;
    // Unread bytes of a body must not be parsed as the next request, so the connection closes.
    if (!req.complete) endResponse(world.clock, req, res, isBodiless ? undefined : body);
    else if (isBodiless) res.end();
    else endWithBody(res, body);
    response.afterResponse?.();
  }
  handler.requests.of(route?.name ?? 'other', String(status)).value += 1;
  await closed.promise;
}

const MIB = 1024 * 1024;

const bodyLimit = (maxBytes: number) => ({
  maxBytes,
  tooLarge: `A body may have at most ${maxBytes / MIB} MiB.`,
  isCompressible: true,
});

const ignoreError = () => {};

/** A list of names and values, because Node would convert an object to a list on each write. */
const COMMON_HEADERS = appendMissingFields(['x-content-type-options', 'nosniff'], relayCorsHeaders);

const STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': NO_STORE,
  // Proxies must not buffer a stream.
  'x-accel-buffering': 'no',
};

/** Appends only header fields that are not present yet. */
function appendMissingFields(lines: string[], fields: Readonly<Record<string, string>>): string[] {
  for (const name in fields) if (!lines.includes(name)) lines.push(name, fields[name] ?? '');
  return lines;
}

const ONE_WRITE_BYTES = 64 * 1024;

/**
 * Node writes text together with the head. Bytes would need a second write, which was a tenth
 * slower. Latin-1 text has the same bytes as the buffer.
 */
function endWithBody(res: ServerResponse, body: string | Buffer): void {
  if (typeof body === 'string' || body.length > ONE_WRITE_BYTES) res.end(body);
  else res.end(body.toString('latin1'), 'latin1');
}

type RoutedRequest = { readonly route: Route | null; readonly received: RelayRequest };

async function dispatch(
  handler: RelayHandler,
  req: IncomingMessage,
  { route, received }: RoutedRequest,
): Promise<RelayResponse> {
  const { method = 'GET', headers } = req;
  if (received.client.isBlocked) throw blockedClient();
  const framingError = findFramingFault(req);
  if (framingError !== null) throw framingError;
  refuseLongOptions(headers);
  if (route === null) throw new Fault('not_found', 'There is no such address.');
  if (method === 'OPTIONS') {
    const allow = formatAllow(route);
    const requestedHeaders = headers['access-control-request-headers'];
    return {
      kind: 'complete',
      status: 204,
      headers: preflightHeaders(allow, requestedHeaders, relayCorsHeaders),
      body: '',
    };
  }
  const handle = route.methods[(method === 'HEAD' ? 'GET' : method) as 'GET'];
  if (handle === undefined) {
    const allow = formatAllow(route);
    throw new Fault('method_not_allowed', `This address takes ${allow}.`, { headers: { allow } });
  }
  if (handler.isStopping && !route.isOperatorRoute) throw stoppingFault();
  return handle(handler.context, received);
}

const OPTION_MAX_BYTES = 1024;

/** Relay contract, 6: limits of the relay's own header fields. */
function refuseLongOptions(headers: IncomingMessage['headers']): void {
  for (const name in headers) {
    if (!name.startsWith('x-relay-') || String(headers[name]).length <= OPTION_MAX_BYTES) continue;
    const header = name.slice(0, 100);
    const message = `The header "${header}" may have at most ${OPTION_MAX_BYTES} bytes.`;
    throw new Fault('invalid_request', message);
  }
}

const formatAllow = ({ methods }: Route) =>
  [
    ...Object.keys(methods).flatMap((name) => (name === 'GET' ? ['GET', 'HEAD'] : name)),
    'OPTIONS',
  ].join(', ');

const stoppingFault = () =>
  new Fault(
    'temporarily_unavailable',
    'This process is stopping. Retry: another process will respond.',
    {
      retryAfterSeconds: 1,
    },
  );

function decodeText(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
