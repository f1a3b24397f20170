// Mounts pages with forms on the gateway's port and passes their requests on with unread bodies.
// The pages are not part of the API: API keys do not open them, and CORS does not apply.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ClientResolver } from '../../kernel/client-address/client-address.ts';
import { assetResponse } from '../../kernel/html/asset-response.ts';
import type { Tallies } from '../../kernel/observability/metrics.ts';
import type { FormHandler } from '../../kernel/web/form-handler.ts';

export type PageMount = {
  /** Base path of the pages. `/` redirects to the console's path. */
  readonly path: string;
  readonly pages: FormHandler;
  /** Requests that the server awaits before it closes. */
  readonly running: Set<Promise<void>>;
  readonly clients: ClientResolver;
  readonly requests: Tallies;
};

export function mountPages(app: FastifyInstance, mount: PageMount): void {
  const { path, pages, clients } = mount;
  /** A blocked client receives the 403 page of the pages, not a problem of the API. */
  const refuseBlocked = async ({ raw }: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (!clients.resolve(raw).isBlocked) return;
    reply.hijack();
    await handlePage(mount, raw, reply.raw);
  };
  for (const asset of pages.assets) {
    const { path: url } = asset;
    if (app.hasRoute({ method: 'GET', url })) continue;
    app.route({
      method: ['GET', 'HEAD'],
      url,
      onRequest: refuseBlocked,
      handler: async (req, reply) => {
        const { headers, bytes } = assetResponse(asset, req.headers['accept-encoding']);
        return reply.headers(headers).send(bytes);
      },
    });
  }
  for (const url of [path, `${path}/*`]) {
    app.all(url, async ({ raw }, reply) => {
      reply.hijack();
      await handlePage(mount, raw, reply.raw);
    });
  }
  if (path !== '/console') return;
  const redirects = { '/': path, '/prices': `${path}/prices`, '/status': `${path}/status` };
  for (const [url, target] of Object.entries(redirects)) {
    app.route({
      method: ['GET', 'HEAD'],
      url,
      onRequest: refuseBlocked,
      handler: async ({ raw }, reply) => reply.redirect(`${target}${queryOf(raw)}`, 302),
    });
  }
}

/** The query of a request with its question mark; empty when there is none. */
function queryOf({ url = '/' }: IncomingMessage): string {
  const index = url.indexOf('?');
  return index === -1 ? '' : url.slice(index);
}

/** Handles a page request and counts its response. `running` contains the request until its end. */
export async function handlePage(
  { path, pages, running, requests }: PageMount,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  const pendingPage = pages.handle(req, res).finally(() => {
    requests.of(path, String(res.statusCode)).value += 1;
    running.delete(pendingPage);
  });
  running.add(pendingPage);
  await pendingPage;
}

/** Whether a browser opens this address as a page. Paths under `/api/` are never pages. */
export function isPageRequest({ method, url = '/', headers }: IncomingMessage): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  return !url.startsWith('/api/') && (headers.accept ?? '').includes('text/html');
}
