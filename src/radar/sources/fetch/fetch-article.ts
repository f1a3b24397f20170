// Fetches the article behind a feed's teaser. It obeys robots.txt, skips items outside every public
// window, and backs off from a failing host.

import type { Robots } from '../../../kernel/net/robots.ts';
import { DAY_MS } from '../../../kernel/time/durations.ts';
import type { World } from '../../../kernel/world.ts';
import type { StoredItem } from '../../../store/radar/sources/items.ts';
import type { StoredSource } from '../../../store/radar/sources/sources.ts';
import type { ArticlePool } from '../article/extract-pool.ts';
import { needsArticle } from '../article/needs-article.ts';
import { networkReachOf } from './request-source.ts';

const ARTICLE_TIMEOUT_MS = 15_000;
const ARTICLE_MAX_BYTES = 4 * 1024 * 1024;
const HOST_BACKOFF_MS = 10 * 60_000;
/** Older items are outside every public window; their teaser is enough. */
const MAX_ITEM_AGE_MS = 7 * DAY_MS;

/** 400,000 characters exceed any article. PostgreSQL refuses NUL. */
const toStorableText = (text: string) => text.slice(0, 400_000).toWellFormed().replaceAll('\0', '');

/** Returns the article's plain text; null when there is no text, or the page was not fetched. */
export type ArticleFetcher = (item: StoredItem, source: StoredSource) => Promise<string | null>;

export function openArticleFetcher(
  world: World,
  robots: Robots,
  pool: ArticlePool,
): ArticleFetcher {
  const backoffUntil = new Map<string, number>();
  return async (item, source) => {
    const now = world.clock.now();
    if (now - (item.published_at ?? item.discovered_at) > MAX_ITEM_AGE_MS) return null;
    if (!URL.canParse(item.url) || !needsArticle(item, source.kind)) return null;
    const { host } = new URL(item.url);
    if ((backoffUntil.get(host) ?? 0) > now) return null;
    backoffUntil.delete(host);
    const networkReach = networkReachOf(source);
    const permission = await robots.isAllowed(item.url, networkReach);
    if (!permission.isAllowed) return null;
    const outcome = await world.net.request({
      url: item.url,
      headers: { accept: 'text/html, application/xhtml+xml;q=0.9, */*;q=0.1' },
      timeoutMs: ARTICLE_TIMEOUT_MS,
      maxBytes: ARTICLE_MAX_BYTES,
      ...(permission.crawlDelayMs !== null && { gapMs: permission.crawlDelayMs }),
      ...networkReach,
    });
    if (outcome.kind === 'failed' || outcome.status === 429 || outcome.status >= 500) {
      backoffUntil.set(host, now + HOST_BACKOFF_MS);
      return null;
    }
    if (outcome.status !== 200) return null;
    const contentType = outcome.headers['content-type'] ?? null;
    const extractResult = await pool.extract({
      bytes: outcome.body,
      contentType,
      url: outcome.url,
    });
    return extractResult.kind === 'extracted' ? toStorableText(extractResult.article.text) : null;
  };
}
