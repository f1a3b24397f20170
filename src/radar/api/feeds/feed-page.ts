// The page of a feed for a person who opens its address in a browser. Browsers no longer apply XSL
// to feeds, so the server renders the page.
import { html } from '../../../kernel/html/html.ts';
import { pageSecurity, renderPage } from '../../../kernel/html/page.ts';
import { renderDateTime } from '../../../kernel/web/format-time.ts';
import type { ApiContext } from '../context.ts';
import { type CachedResponse, makeResponse } from '../responses/cached-response.ts';
import { feedMessages } from './feed-messages.ts';
import type { SyndicatedFeed } from './syndicated-feed.ts';

/**
 * Rewrites the address of a feed to its page when a browser navigates to the feed. `destination`
 * is the header `Sec-Fetch-Dest`: feed readers and scripts never send the value `document`.
 */
export function withReadableFeed(url: string, destination: string | undefined): string {
  if (destination !== 'document') return url;
  return url.replace(/^(\/feed(?:\/[^?]*)?)\.xml(?=\?|$)/u, '$1.html');
}

export function renderFeedPage(
  { site, world, pages }: ApiContext,
  feed: SyndicatedFeed,
): CachedResponse {
  const messages = feedMessages(site);
  const assetPaths = (name: RegExp) =>
    (pages?.assets ?? []).flatMap(({ path }) => (name.test(path) ? [path] : []));
  const body = renderPage({
    language: site.language,
    title: feed.title,
    siteName: site.name,
    description: feed.description,
    canonical: null,
    image: null,
    icon: assetPaths(/icon\./u)[0] ?? '/favicon.ico',
    stylesheets: assetPaths(/page\.\w+\.css$/u),
    scripts: [],
    preloads: [],
    alternates: [
      { type: 'application/rss+xml', title: feed.title, href: feed.rss },
      { type: 'application/feed+json', title: feed.title, href: feed.json },
    ],
    body: html`<header class="masthead reader"><a class="name" href="/">${site.name}</a></header>
<main id="main"><div class="page-head"><h1>${feed.title}</h1>
<p>${feed.description}</p>
<p>${messages.advice}</p></div>
<div class="example"><pre><code>${feed.rss}</code></pre></div>
<p class="meta"><span><a class="link" href="${feed.homePage}">${messages.homePage}</a></span>\
<span><a class="link" href="${feed.json}">JSON Feed</a></span></p>
<ol class="spaced">${feed.entries.map(
      ({ title, link, author, language, publishedAt }) => html`<li class="entry wide"><div>
<h2 lang="${language}"><a href="${link}">${title}</a></h2>
<p class="meta">${author !== null && html`<span>${author}</span>`}\
<span>${renderDateTime({ site, world }, publishedAt)}</span></p>
</div></li>
`,
    )}</ol></main>`,
  });
  return makeResponse({
    contentType: 'text/html; charset=utf-8',
    // A shared cache would return the page to feed readers, which request the same address.
    cacheControl: 'private, no-cache',
    headers: pageSecurity,
    body,
  });
}
