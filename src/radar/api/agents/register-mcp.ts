// POST /mcp: the radar's MCP tools. The network rules and rate limits of the public API apply, and
// its method rules do not.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { Fault, messageOf } from '../../../kernel/errors/fault.ts';
import { endResponse } from '../../../kernel/http/end-response.ts';
import { checkMcpOrigin, handleMcp, mcpRequestHeaders } from '../../../kernel/mcp/serve-mcp.ts';
import type { ApiContext } from '../context.ts';
import { problemOf } from '../problem.ts';
import type { RequestFilter } from '../request-filter/request-filter.ts';
import { cacheControl } from '../responses/cache-control.ts';
import { corsHeaders } from '../responses/send-response.ts';
import { createMcpServer } from './mcp-tools.ts';

const MCP_PATH = '/mcp';
/** The version of the public API, whose contract covers this address too. */
const API_VERSION = '4.0.0';

export function registerMcp(
  app: FastifyInstance,
  context: ApiContext,
  requestFilter: RequestFilter,
): void {
  app.register(async (scope) => {
    // The router does not read the body; the handler reads it after its checks.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_req, _body, done) => done(null));
    scope.all(MCP_PATH, async ({ raw }, reply) => {
      reply.hijack();
      try {
        await handleRequest(context, requestFilter, raw, reply.raw);
      } catch (error) {
        sendRefusal(context, raw, reply.raw, error);
      }
    });
  });
}

async function handleRequest(
  context: ApiContext,
  requestFilter: RequestFilter,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  const refusal = requestFilter.check(req);
  if (refusal !== null) throw refusal;
  if (req.method === 'OPTIONS') {
    const allowedMethods = {
      'access-control-allow-methods': 'POST, OPTIONS',
      'access-control-allow-headers': mcpRequestHeaders,
      'access-control-max-age': '86400',
    };
    res.writeHead(204, { ...corsHeaders, ...allowedMethods, allow: 'POST, OPTIONS' }).end();
    return;
  }
  if (req.method !== 'POST') {
    throw new Fault('method_not_allowed', 'Send one message with POST: there are no streams.');
  }
  checkMcpOrigin(req, { urls: () => [context.site.url] });
  const { status, headers, body } = await handleMcp(req, res, {
    makeServer: () => createMcpServer(context, API_VERSION),
    onError: (error) =>
      context.world.log.debug({ error: messageOf(error) }, 'an MCP message failed'),
    admit: (messages) => {
      // The request filter has already counted the first message.
      for (let counted = 1; counted < messages.length; counted += 1) {
        const messageRefusal = requestFilter.check(req);
        if (messageRefusal !== null) throw messageRefusal;
      }
    },
  });
  res.writeHead(status, {
    ...corsHeaders,
    ...headers,
    'cache-control': cacheControl.never,
    'content-length': Buffer.byteLength(body),
  });
  res.end(body);
}

function sendRefusal(
  { world }: ApiContext,
  req: IncomingMessage,
  res: ServerResponse,
  error: unknown,
): void {
  const problem = problemOf(world, error, { url: req.url ?? '/', method: req.method ?? 'POST' });
  res.writeHead(problem.status, {
    ...problem.headers,
    ...(problem.status === 405 && { allow: 'POST, OPTIONS' }),
    'content-length': Buffer.byteLength(problem.body),
  });
  endResponse(world.clock, req, res, problem.body);
}
