// Serves feeds on loopback. Each feed has a few articles of the demonstration, with full texts.
import { createServer } from 'node:http';
import { buildWorld } from '../../demo/world/build-world.ts';
import type { WorldEntry } from '../../demo/world/world-model.ts';
import { escapeXml } from '../../src/kernel/text/escape-xml.ts';

export type BenchFeeds = {
  readonly sources: readonly BenchSource[];
  /** The texts of all items. */
  readonly texts: readonly string[];
  close(): Promise<void>;
};

export type BenchSource = {
  readonly id: string;
  readonly url: string;
  readonly language: string;
  readonly items: number;
};

const ITEMS_PER_FEED = 5;
const SEED = 25;

/** Serves at most `count` items. Each feed has items of one publisher in one language. */
export async function serveFeeds(count: number, now: number): Promise<BenchFeeds> {
  const world = buildWorld({ seed: SEED, now, items: Math.round(count * 1.3) });
  const entries = world.entries.filter((entry) => entry.at <= now).slice(-count);
  const feeds = new Map<string, readonly WorldEntry[]>();
  const byPublisher = Map.groupBy(entries, ({ publisherId, lang }) => `${publisherId}-${lang}`);
  for (const [name, feedEntries] of byPublisher) {
    for (let start = 0; start < feedEntries.length; start += ITEMS_PER_FEED) {
      const id = `${name}-${start / ITEMS_PER_FEED}`.toLowerCase();
      feeds.set(id, feedEntries.slice(start, start + ITEMS_PER_FEED));
    }
  }
  const server = createServer((request, response) => {
    const feedEntries = feeds.get(request.url?.slice(1) ?? '');
    response.writeHead(feedEntries === undefined ? 404 : 200, {
      'content-type': 'application/rss+xml',
    });
    response.end(feedEntries === undefined ? '' : renderFeed(feedEntries));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  return {
    sources: Array.from(feeds, ([id, feedEntries]) => ({
      id,
      url: `http://127.0.0.1:${port}/${id}`,
      language: feedEntries[0]?.lang === 'zh-CN' ? 'zh' : 'en',
      items: feedEntries.length,
    })),
    texts: entries.map(({ paragraphs }) => paragraphs.join('\n\n')),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function renderFeed(entries: readonly WorldEntry[]): string {
  const items = entries.map(({ key, title, at, paragraphs }) => {
    const html = paragraphs.map((text) => `<p>${escapeXml(text)}</p>`).join('');
    return `<item><title>${escapeXml(title)}</title><link>https://news.example/${key}</link>
      <guid isPermaLink="false">${key}</guid><pubDate>${new Date(at).toUTCString()}</pubDate>
      <description>${escapeXml(html)}</description></item>`;
  });
  return `<rss version="2.0"><channel><title>Bench</title><link>https://news.example/</link>
    <description>Bench</description>${items.join('')}</channel></rss>`;
}
