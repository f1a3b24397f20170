// Opens the gateway's HTTP server. The router matches the path, and `exchange.ts` handles the
// request.

import { type IncomingMessage, METHODS, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import fastify, { type FastifyInstance } from 'fastify';
import { Fault } from '../../kernel/errors/fault.ts';
import { limitConnections } from '../../kernel/http/limit-connections.ts';
import { unreadBodyCodes } from '../../kernel/http/refuse-unparsed.ts';
import { stopListening } from '../../kernel/http/stop-listening.ts';
import type { FormHandler } from '../../kernel/web/form-handler.ts';
import type { GatewayContext } from './context.ts';
import {
  type ApiServerContext,
  handleRequest,
  type RequestContext,
  unknownAddressFault,
} from './exchange.ts';
import type { ApiRequest } from './http-response.ts';
import { createHttpServer, type HttpServerOptions, refuseUnparsedCall } from './http-server.ts';
import { handleMcpMessage } from './mcp/handle-mcp.ts';
import { MCP_PATH } from './mcp/mcp-path.ts';
import { handlePage, isPageRequest, mountPages, type PageMount } from './mount-pages.ts';
import { type GatewayOperatorRoutes, handleOperator, operatorPaths } from './operator.ts';
import { problemOf } from './problem.ts';
import { routesOf } from './routes.ts';

export type GatewayServerOptions = HttpServerOptions & {
  /** Pages with forms, by path prefix: `/console`. */
  readonly pages?: Readonly<Record<string, FormHandler>>;
};

export type GatewayServer = {
  readonly port: number;
  /** Refuses new connections. Each response closes its connection from now on. */
  stopListening(): Promise<void>;
  /**
   * Accepts no new requests and waits for running ones, including those of disconnected clients.
   */
  close(): Promise<void>;
};

const PATH_PARAMETER_MAX_CHARS = 4_000;
const REQUEST_MS = 30_000;

export async function openGatewayServer(
  context: GatewayContext,
  options: GatewayServerOptions,
): Promise<GatewayServer> {
  const server: ApiServerContext = {
    context,
    clients: options.clients,
    requests: options.metrics.counter(
      'gateway_http_requests_total',
      'Responses of the gateway by address and status.',
      ['route', 'status'],
    ),
    isStopping: false,
    isClosingConnections: false,
  };
  const running = new Set<Promise<void>>();
  const run = (requestContext: RequestContext) => {
    const pendingRequest = handleRequest(server, requestContext).finally(() =>
      running.delete(pendingRequest),
    );
    running.add(pendingRequest);
  };
  const app = fastify({
    serverFactory: (handler) => {
      const http = createHttpServer(REQUEST_MS, handler);
      limitConnections(http, options.clients);
      return http;
    },
    clientErrorHandler: (error, socket) =>
      refuseUnparsedCall(
        context.world,
        { error, socket, ignoredCodes: unreadBodyCodes },
        (fault, request) => problemOf(context.world, fault, request),
      ),
    // A path that cannot be decoded matches no route.
    frameworkErrors: (_error, { raw: req }, reply) => {
      reply.hijack();
      const message = 'The address of this request cannot be read.';
      run({
        ...unmatchedRoute,
        req,
        res: reply.raw,
        refusal: new Fault('invalid_request', message),
      });
    },
    routerOptions: { maxParamLength: PATH_PARAMETER_MAX_CHARS, querystringParser: () => ({}) },
    exposeHeadRoutes: false,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
  });
  const mounts = Object.entries(options.pages ?? {}).map(
    ([path, pages]): PageMount => ({
      path,
      pages,
      running,
      clients: options.clients,
      requests: server.requests,
    }),
  );
  const notFoundPages = mounts.find(({ path }) => path === '/console') ?? null;
  registerRoutes(app, context, { operator: options.operator, notFoundPages, run });
  for (const mount of mounts) mountPages(app, mount);
  await app.listen({ host: options.host, port: options.port });
  const { port } = app.server.address() as AddressInfo;
  return {
    port,
    stopListening: () => {
      server.isClosingConnections = true;
      return stopListening(app.server);
    },
    close: async () => {
      server.isStopping = true;
      server.isClosingConnections = true;
      const closed = app.close();
      while (running.size > 0) await Promise.allSettled(running);
      await closed;
    },
  };
}

const unmatchedRoute = { route: 'other', params: {}, methods: {} } as const;

type RouteHandlers = {
  readonly operator: GatewayOperatorRoutes;
  /** The pages that show "not found" to browsers; null: there are none. */
  readonly notFoundPages: PageMount | null;
  readonly run: (requestContext: RequestContext) => void;
};

function registerRoutes(
  app: FastifyInstance,
  context: GatewayContext,
  { operator, notFoundPages, run }: RouteHandlers,
): void {
  // Handlers read bodies after authentication; the router never does.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_req, _body, done) => done(null));
  // An unsupported method on an existing path gives 405.
  for (const method of METHODS) {
    if (!app.supportedMethods.includes(method)) app.addHttpMethod(method);
  }
  for (const { path, methods } of routesOf(context)) {
    const boundMethods = Object.fromEntries(
      Object.entries(methods).map(([name, handler]) => [
        name,
        (request: Parameters<typeof handler>[1]) => handler(context, request),
      ]),
    );
    app.all(path, async (req, reply) => {
      reply.hijack();
      const params = req.params as Record<string, string>;
      run({ req: req.raw, res: reply.raw, route: path, params, methods: boundMethods });
    });
  }
  app.all(MCP_PATH, async ({ raw: req }, reply) => {
    reply.hijack();
    const res = reply.raw;
    const POST = (request: ApiRequest) => handleMcpMessage(context, request, { req, res });
    run({ req, res, route: MCP_PATH, params: {}, methods: { POST } });
  });
  for (const path of operatorPaths) {
    app.all(path, async ({ raw: req }, reply) => {
      reply.hijack();
      const methods = { GET: () => handleOperator(path, req, operator) };
      run({ req, res: reply.raw, route: path, params: {}, methods, isOperatorRoute: true });
    });
  }
  const refuse = (req: IncomingMessage, res: ServerResponse, refusal: Fault) =>
    run({ ...unmatchedRoute, req, res, refusal });
  app.setNotFoundHandler(async ({ raw }, reply) => {
    reply.hijack();
    if (notFoundPages !== null && isPageRequest(raw))
      return handlePage(notFoundPages, raw, reply.raw);
    refuse(raw, reply.raw, unknownAddressFault());
  });
  app.setErrorHandler((_error, { raw }, reply) => {
    reply.hijack();
    // The router fails only at a Content-Type that it cannot parse.
    const message = 'Send application/json in UTF-8, without a content coding.';
    refuse(raw, reply.raw, new Fault('unsupported_media_type', message));
  });
}
