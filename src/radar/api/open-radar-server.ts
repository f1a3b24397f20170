// The radar's HTTP server. A cached response is sent before any routing. Other requests pass the
// request filter and the router. Every failure becomes a problem (`problem.ts`).
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import fastify, { type FastifyInstance } from 'fastify';
import { Fault } from '../../kernel/errors/fault.ts';
import { findFramingFault } from '../../kernel/http/check-framing.ts';
import { endResponse } from '../../kernel/http/end-response.ts';
import { matchesIfNoneMatch } from '../../kernel/http/etag.ts';
import { limitConnections } from '../../kernel/http/limit-connections.ts';
import { timeSection } from '../../kernel/observability/timed-section.ts';
import { type AdminHandler, registerAdmin } from './admin.ts';
import { registerMcp } from './agents/register-mcp.ts';
import type { ApiContext, Pages } from './context.ts';
import { withReadableFeed } from './feeds/feed-page.ts';
import { feedRoutes } from './feeds/feed-routes.ts';
import { INGEST_PATH, type IngestDeps, registerIngest } from './ingest.ts';
import { type RadarOperatorDeps, registerOperator } from './operator.ts';
import { withPreferredLanguage } from './preferred-language.ts';
import { type PublicProblem, problemOf, unknownPathFault } from './problem.ts';
import type { RequestMeter } from './radar-metrics.ts';
import { refuseBytes, refuseTunnel } from './request-filter/refuse-unparsed.ts';
import {
  checkMethod,
  isOperatorPath,
  isOutsidePublicApi,
  type RequestFilter,
} from './request-filter/request-filter.ts';
import { makeResponse } from './responses/cached-response.ts';
import { type FastPath, openFastPath } from './responses/fast-path.ts';
import type { ParsedRequest } from './responses/fast-path-connection.ts';
import { prepareHotResponses } from './responses/prepare-hot.ts';
import { openRecompressor } from './responses/recompress.ts';
import { openResponseCache } from './responses/response-cache.ts';
import { corsHeaders, sendMoved, sendResponse } from './responses/send-response.ts';
import { serializeResponse, type WireResponse } from './responses/serialized-response.ts';
import { type PublicRoute, routes } from './routes.ts';

export type ServerOptions = {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  readonly requestFilter: RequestFilter;
  readonly meter: RequestMeter;
  readonly operator: RadarOperatorDeps;
  /** Absent: this server accepts no pushed items. */
  readonly ingest?: IngestDeps;
  /** Absent when this server has no admin area. */
  readonly admin?: AdminHandler;
};

export type RadarServer = {
  readonly host: string;
  readonly port: number;
  /** Accepts no new connections and waits for responses in progress. */
  close(): Promise<void>;
};

const CACHE_BYTES = 128 * 1024 * 1024;
const PATH_PARAMETER_MAX = 4_000;

export async function openRadarServer(
  context: ApiContext,
  options: ServerOptions,
): Promise<RadarServer> {
  const services = openResponseServices(context);
  let fastPath: FastPath | null = null;
  const app = fastify({
    serverFactory: (handler) => {
      const server = createRadarServer(
        context,
        openRequestListener(context, options, services, handler),
      );
      fastPath = openFastPath(server, {
        respond: openCachedResponder(options, services),
        isCached: services.cache.has,
      });
      limitConnections(server, options.requestFilter.clients);
      return server;
    },
    clientErrorHandler: (error, socket) => refuseBytes(context.world, error, socket),
    // A path that cannot be decoded reaches neither a route nor the error handler below.
    frameworkErrors: (error, req, reply) => {
      reply.hijack();
      sendProblem(context, req.raw, reply.raw, toFault(error));
    },
    routerOptions: { maxParamLength: PATH_PARAMETER_MAX, querystringParser: () => ({}) },
    exposeHeadRoutes: false,
    forceCloseConnections: 'idle',
  });
  registerPublic(app, context, services);
  registerMcp(app, context, options.requestFilter);
  registerOperator(app, context, options.operator);
  if (options.ingest)
    registerIngest(app, context.world, options.requestFilter.clients, options.ingest);
  if (options.admin) registerAdmin(app, options.admin);
  app.setNotFoundHandler((req, reply) => {
    reply.hijack();
    sendProblem(context, req.raw, reply.raw, unknownPathFault());
  });
  app.setErrorHandler((error, req, reply) => {
    reply.hijack();
    sendProblem(context, req.raw, reply.raw, toFault(error));
  });
  await app.listen({ host: options.host, port: options.port });
  const { address, port } = app.server.address() as AddressInfo;
  return {
    host: address,
    port,
    close: async () => {
      fastPath?.close();
      await app.close();
      await services.close();
    },
  };
}

type ResponseServices = ReturnType<typeof openResponseServices>;

function openResponseServices(context: ApiContext) {
  const cache = openResponseCache(CACHE_BYTES);
  const recompressor = openRecompressor((response) => cache.isInUse(response));
  const stopTimer = new AbortController();
  prepareHotResponses(context, cache, stopTimer.signal);
  const currentMoment = () => ({
    model: context.publication.readModel(),
    now: context.world.clock.now(),
  });
  const close = () => {
    stopTimer.abort();
    return recompressor.close();
  };
  return { cache, recompressor, currentMoment, close };
}

function createRadarServer({ world }: ApiContext, listener: RequestListener): Server {
  const server = createServer(
    // `findFramingFault` refuses a request without Host, with this program's own message.
    { keepAliveTimeout: 65_000, requestTimeout: 30_000, requireHostHeader: false },
    listener,
  );
  server.maxRequestsPerSocket = 0;
  server.on('connect', (_req, socket) => refuseTunnel(world, socket));
  // With "Expect: 100-continue", a client must not send a body that will be refused.
  server.on('checkContinue', (req: IncomingMessage, res: ServerResponse) => {
    const path = pathOf(req);
    if (isOutsidePublicApi(path) && path !== INGEST_PATH) res.writeContinue();
    listener(req, res);
  });
  server.on('checkExpectation', listener);
  return server;
}

function pathOf({ url = '/' }: IncomingMessage): string {
  const end = url.indexOf('?');
  return end === -1 ? url : url.slice(0, end);
}

/**
 * Returns the function that finds the response of the fast path. Its result is null when the
 * general path must handle the request.
 */
function openCachedResponder(
  { requestFilter, meter }: ServerOptions,
  { cache, recompressor, currentMoment }: ResponseServices,
) {
  const handleParsed = ({ url, headers, coding }: ParsedRequest, socket: Socket) => {
    const moment = currentMoment();
    const cachedResponse = cache.get(url, moment);
    if (cachedResponse === null || requestFilter.check({ socket, headers }) !== null) return null;
    const hasCurrentCopy = matchesIfNoneMatch(headers['if-none-match'], cachedResponse.etag);
    const wireResponse = serializeResponse(
      cachedResponse,
      hasCurrentCopy ? '304' : coding,
      moment.now,
    );
    if (wireResponse.coding !== null) recompressor.improve(cachedResponse, wireResponse.coding);
    meter.countCached(url, hasCurrentCopy ? 304 : 200);
    return wireResponse;
  };
  return (request: ParsedRequest, socket: Socket): WireResponse | null => {
    try {
      return handleParsed(request, socket);
    } catch {
      // The general path handles the request again. It reports the error to the client and the log.
      return null;
    }
  };
}

/** Returns the listener of the general path: request filter, cached responses, router. */
function openRequestListener(
  context: ApiContext,
  { requestFilter, meter }: ServerOptions,
  { cache, recompressor, currentMoment }: ResponseServices,
  router: RequestListener,
): RequestListener {
  const handleRequest: RequestListener = (req, res) => {
    const target = withPreferredLanguage(req.url ?? '/', req.headers.cookie);
    const url = withReadableFeed(target, String(req.headers['sec-fetch-dest'] ?? ''));
    req.url = url;
    const path = pathOf(req);
    const isPublic = !isOutsidePublicApi(path);
    const refusal =
      findFramingFault(req) ??
      (isPublic ? requestFilter.check(req) : requestFilter.checkNetwork(req)) ??
      checkMethodAt(path, isPublic, req);
    const cachedResponse = isPublic && refusal === null ? cache.get(url, currentMoment()) : null;
    if (cachedResponse !== null) {
      const coding = sendResponse(req, res, cachedResponse);
      // A second request for the same read model justifies the smallest encoding.
      if (coding !== null) recompressor.improve(cachedResponse, coding);
      return meter.countCached(url, coding === null ? 304 : 200);
    }
    meter.countWhenSent(url, res);
    if (refusal === 'options') return sendAllowedMethods(res);
    if (refusal !== null) return sendProblem(context, req, res, refusal);
    // The target `*` (RFC 9112, 3.2.4) supports only OPTIONS. The router would serve `/`.
    if (path === '*') return sendProblem(context, req, res, unknownPathFault());
    return router(req, res);
  };
  return (req, res) => {
    try {
      handleRequest(req, res);
    } catch (error) {
      sendProblem(context, req, res, error);
    }
  };
}

function checkMethodAt(path: string, isPublic: boolean, req: IncomingMessage) {
  return isPublic || isOperatorPath(path) ? checkMethod(req) : null;
}

function registerPublic(
  app: FastifyInstance,
  context: ApiContext,
  services: ResponseServices,
): void {
  for (const route of [...routes, ...feedRoutes, ...pageRoutes(context)]) {
    app.route({
      method: ['GET', 'HEAD'],
      url: route.path,
      handler: async (req, reply) => {
        const request = {
          rawQuery: req.raw.url?.split('?').slice(1).join('?') ?? '',
          params: req.params as Record<string, string>,
        };
        const moment = services.currentMoment();
        const render = () => timeSection('response: render', () => route.handle(context, request));
        const response = await render();
        reply.hijack();
        if ('location' in response) return sendMoved(reply.raw, response, request.rawQuery);
        const isCacheable = route.from === 'read-model';
        const renderAgain = async () => {
          const newResponse = await render();
          return 'location' in newResponse ? null : newResponse;
        };
        const sentResponse = isCacheable
          ? services.cache.put(req.raw.url ?? '', moment, response, renderAgain)
          : response;
        // After `finish` the operating system has all bytes. The event `close` can come earlier, so
        // the bytes are not released then.
        if (sentResponse.release !== null) reply.raw.once('finish', sentResponse.release);
        sendResponse(req.raw, reply.raw, sentResponse);
      },
    });
  }
}

function pageRoutes({ pages }: ApiContext): readonly PublicRoute[] {
  if (pages === null) return [];
  const renderedPageRoutes = pages.routes.map(
    ({ path, handle: renderContent }): PublicRoute => ({
      path,
      from: 'read-model',
      handle: async (_context, request) => {
        const content = await renderContent(request);
        return 'location' in content ? content : makeResponse(content);
      },
    }),
  );
  const assetRoutes = pages.assets.map((asset): PublicRoute => {
    const response = makeResponse(asset);
    return { path: asset.path, from: 'read-model', handle: () => response };
  });
  return [...renderedPageRoutes, ...assetRoutes];
}

function sendAllowedMethods(res: ServerResponse): void {
  res.writeHead(204, {
    ...corsHeaders,
    'access-control-allow-methods': 'GET, HEAD, OPTIONS',
    'access-control-allow-headers':
      'Accept, If-None-Match, If-Modified-Since, User-Agent, Content-Type, Mcp-Protocol-Version',
    'access-control-max-age': '86400',
    allow: 'GET, HEAD, OPTIONS',
  });
  res.end();
}

/** Browsers receive a page, other clients the problem as JSON. */
function renderProblem(
  pages: Pages | null,
  req: IncomingMessage,
  problem: PublicProblem,
): PublicProblem {
  const isBrowser = /\btext\/html\b/.test(req.headers.accept ?? '');
  if (pages === null || !isBrowser || pathOf(req).startsWith('/api/')) return problem;
  const { code, detail } = JSON.parse(problem.body);
  const requestId = problem.headers['x-request-id'] ?? '';
  const { status, inChinese } = problem;
  const page = pages.problem({ status, code, detail, inChinese, requestId });
  const headers = { ...problem.headers, ...page.headers, 'content-type': page.contentType };
  return { ...problem, headers, body: String(page.body) };
}

function sendProblem(
  { world, pages }: ApiContext,
  req: IncomingMessage,
  res: ServerResponse,
  error: unknown,
): void {
  const method = req.method ?? 'GET';
  const requestFields = { url: req.url ?? '/', method };
  const problem = renderProblem(pages, req, problemOf(world, error, requestFields));
  // Unread bytes of a body must not be parsed as the next request.
  const hasBody = 'transfer-encoding' in req.headers || Number(req.headers['content-length']) > 0;
  res.writeHead(problem.status, {
    ...problem.headers,
    ...(hasBody && { connection: 'close' }),
    'content-length': Buffer.byteLength(problem.body),
  });
  const body = method === 'HEAD' ? undefined : problem.body;
  if (hasBody) endResponse(world.clock, req, res, body);
  else res.end(body);
}

/** Replaces the router's messages for paths that cannot be decoded. */
function toFault(error: unknown): unknown {
  const status = error instanceof Error && 'statusCode' in error ? error.statusCode : null;
  if (status === 400 || status === 414) {
    return new Fault('invalid_request', 'The address of this request cannot be decoded.');
  }
  return error;
}
