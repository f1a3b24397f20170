// Mounts `/admin` on this server. The admin area receives requests with unread bodies.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { assetResponse } from '../../kernel/html/asset-response.ts';
import type { Asset } from '../../kernel/html/assets.ts';

export type AdminHandler = {
  /** Assets of the admin pages, at immutable paths. The readers' pages share some of them. */
  readonly assets: readonly Asset[];
  /** Handles every request below `/admin`, failures included. */
  handle(req: IncomingMessage, res: ServerResponse): Promise<void>;
};

export function registerAdmin(app: FastifyInstance, { handle, assets }: AdminHandler): void {
  for (const asset of assets) {
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
  app.register(async (scope) => {
    // The admin area parses forms itself, after authentication.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_req, _body, done) => done(null));
    for (const url of ['/admin', '/admin/*']) {
      scope.all(url, async ({ raw }, reply) => {
        reply.hijack();
        await handle(raw, reply.raw);
      });
    }
  });
}
