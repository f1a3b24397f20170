// Pages with forms on the gateway's port: addresses that are handed on whole, bodies unread. They
// are no part of the API: no key opens them, and no other site may read them.
import type { FastifyInstance } from 'fastify';
import { assetResponse } from '../../kernel/html/asset-response.ts';
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
  for (const asset of pages.assets) {
    const { path: url } = asset;
    if (app.hasRoute({ method: 'GET', url })) continue;
    app.route({
      method: ['GET', 'HEAD'],
      url,
      handler: async (req, reply) => {
        const { headers, bytes } = assetResponse(asset, req.headers['accept-encoding']);
        return reply.headers(headers).send(bytes);
      },
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
