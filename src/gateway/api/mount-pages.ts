// Pages with forms on the gateway's port: addresses that are handed on whole, bodies unread. They
// are no part of the API: no key opens them, and no other site may read them.
import type { FastifyInstance } from 'fastify';
import { ASSET_CACHE_CONTROL } from '../../kernel/html/assets.ts';
import type { Tallies } from '../../kernel/observability/metrics.ts';
import type { FormHandler } from '../../kernel/web/form-handler.ts';

type Mount = {
  /** Base path of the pages. `/` redirects to the console's path. */
  readonly path: string;
  readonly pages: FormHandler;
  /** What the server waits for before it closes. */
  readonly running: Set<Promise<void>>;
  readonly requests: Tallies;
};

export function mountPages(app: FastifyInstance, { path, pages, running, requests }: Mount): void {
  for (const { path: url, contentType, bytes } of pages.assets) {
    if (app.hasRoute({ method: 'GET', url })) continue;
    app.route({
      method: ['GET', 'HEAD'],
      url,
      handler: async (_req, reply) =>
        reply
          .header('cache-control', ASSET_CACHE_CONTROL)
          .header('x-content-type-options', 'nosniff')
          .type(contentType)
          .send(bytes),
    });
  }
  for (const url of [path, `${path}/*`]) {
    app.all(url, async ({ raw }, reply) => {
      reply.hijack();
      const answered = pages.handle(raw, reply.raw).finally(() => {
        requests.of(path, String(reply.raw.statusCode)).value += 1;
        running.delete(answered);
      });
      running.add(answered);
      await answered;
    });
  }
  if (path === '/console') {
    app.route({
      method: ['GET', 'HEAD'],
      url: '/',
      handler: async (_req, reply) => reply.redirect(path, 302),
    });
  }
}
