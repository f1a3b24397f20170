// Simulates a publisher: a real HTTP server on loopback, which records its requests. A test sets
// its responses.
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { atEnd } from './at-end.ts';

export type SiteResponse = {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Accepts the request and never responds. */
  readonly isSilent?: boolean;
};

export type SiteRequest = { readonly path: string; readonly headers: IncomingHttpHeaders };

export type LoopbackSite = {
  readonly url: string;
  readonly host: string;
  readonly requests: SiteRequest[];
  respond(path: string, response: SiteResponse | ((request: SiteRequest) => SiteResponse)): void;
};

export async function openLoopbackSite(): Promise<LoopbackSite> {
  const responses = new Map<string, SiteResponse | ((request: SiteRequest) => SiteResponse)>();
  const requests: SiteRequest[] = [];
  const server = createServer((req, res) => {
    const request = { path: req.url ?? '/', headers: req.headers };
    requests.push(request);
    const configuredResponse = responses.get(request.path) ?? { status: 404 };
    const response =
      typeof configuredResponse === 'function' ? configuredResponse(request) : configuredResponse;
    if (response.isSilent) return;
    res.writeHead(response.status ?? 200, response.headers);
    res.end(response.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEnd(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  const host = `127.0.0.1:${port}`;
  return {
    url: `http://${host}`,
    host,
    requests,
    respond: (path, response) => responses.set(path, response),
  };
}

export type FeedEntry = {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly link: string;
  /** Epoch milliseconds. */
  readonly at: number;
};

const escapeXml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** An RSS 2.0 document of these entries. */
export function rssOf(title: string, entries: readonly FeedEntry[]): string {
  const items = entries.map(
    (entry) => `<item><guid isPermaLink="false">${escapeXml(entry.id)}</guid>
<title>${escapeXml(entry.title)}</title><link>${escapeXml(entry.link)}</link>
<pubDate>${new Date(entry.at).toUTCString()}</pubDate>
<description>${escapeXml(entry.text)}</description></item>`,
  );
  return `<?xml version="1.0" encoding="utf-8"?><rss version="2.0"><channel>
<title>${escapeXml(title)}</title><link>http://site.example/</link><language>en</language>
${items.join('\n')}</channel></rss>`;
}
