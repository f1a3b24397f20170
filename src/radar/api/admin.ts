// `/admin` as this server sees it: addresses that it hands on whole, bodies unread.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';

export type AdminAnswers = {
  /** Answers whatever is asked below `/admin`, failures included. */
  answer(req: IncomingMessage, res: ServerResponse): Promise<void>;
};

export function registerAdmin(app: FastifyInstance, { answer }: AdminAnswers): void {
  app.register(async (scope) => {
    // The desk reads its forms itself, once it knows who sends them.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_req, _body, done) => done(null));
    for (const url of ['/admin', '/admin/*']) {
      scope.all(url, async ({ raw }, reply) => {
        reply.hijack();
        await answer(raw, reply.raw);
      });
    }
  });
}
