// For whoever runs the process: is it alive, can it serve, what does it measure. Never cached, and
// outside the public API.

import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { cacheControl } from './answers/cache-control.ts';
import type { ApiContext } from './context.ts';

export type OperatorAnswers = {
  /** Null while this process can serve; else why not. */
  notReady(): string | null;
  /** Prometheus text, or null when this caller may not read it. */
  metrics(req: IncomingMessage): Promise<string | null>;
};

export function registerOperator(
  app: FastifyInstance,
  { publication }: ApiContext,
  answers: OperatorAnswers,
): void {
  app.get('/healthz', async (_req, reply) => {
    reply.header('cache-control', cacheControl.never);
    return { status: 'ok' };
  });
  app.get('/readyz', async (_req, reply) => {
    const reason = answers.notReady();
    reply.code(reason === null ? 200 : 503).header('cache-control', cacheControl.never);
    const edition = publication.edition().version;
    return reason === null ? { status: 'ready', edition } : { status: 'not ready', reason };
  });
  app.get('/metrics', async (req, reply) => {
    const text = await answers.metrics(req.raw);
    if (text === null) return reply.callNotFound();
    return reply
      .header('cache-control', cacheControl.never)
      .type('text/plain; version=0.0.4; charset=utf-8')
      .send(text);
  });
}
