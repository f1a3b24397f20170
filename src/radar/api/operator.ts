// Endpoints for operators: liveness, readiness, metrics and security.txt. They are never cached
// and not part of the public API.
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, RouteHandlerMethod } from 'fastify';
import { SECURITY_TEXT_PATH, SECURITY_TEXT_TYPE } from '../../kernel/http/security-text.ts';
import { METRICS_TYPE } from '../../kernel/observability/metrics.ts';
import type { ApiContext } from './context.ts';
import { cacheControl } from './responses/cache-control.ts';

export type RadarOperatorDeps = {
  /** The reason why this process cannot serve; null: it can. */
  findNotReadyReason(): string | null;
  /** Prometheus text, or null when this caller may not read it. */
  metrics(req: IncomingMessage): Promise<string | null>;
  /** Absent or null: there is no security.txt. */
  securityText?(): string | null;
};

export function registerOperator(
  app: FastifyInstance,
  { publication }: ApiContext,
  deps: RadarOperatorDeps,
): void {
  const get = (url: string, handler: RouteHandlerMethod) =>
    app.route({ method: ['GET', 'HEAD'], url, handler });
  get('/healthz', async (_req, reply) => {
    reply.header('cache-control', cacheControl.never);
    return { status: 'ok' };
  });
  get('/readyz', async (_req, reply) => {
    const reason = deps.findNotReadyReason();
    reply.code(reason === null ? 200 : 503).header('cache-control', cacheControl.never);
    if (reason === null) return { status: 'ready', edition: publication.readModel().version };
    reply.header('retry-after', '1');
    return { status: 'not ready', reason };
  });
  get(SECURITY_TEXT_PATH, async (_req, reply) => {
    const text = deps.securityText?.() ?? null;
    if (text === null) return reply.callNotFound();
    return reply.header('cache-control', cacheControl.never).type(SECURITY_TEXT_TYPE).send(text);
  });
  get('/metrics', async (req, reply) => {
    const text = await deps.metrics(req.raw);
    // Unauthorized clients receive the usual response for an unknown path.
    if (text === null) return reply.callNotFound();
    return reply.header('cache-control', cacheControl.never).type(METRICS_TYPE).send(text);
  });
}
