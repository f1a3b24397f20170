// Rules for well-known sites that give one document several URLs. The list is short: it covers the
// sites to which technology news links most often.

/** The article behind a URL of an AMP cache (Google's viewer, ampproject.org). */
export function unwrapAmpCache(url: URL): URL {
  const [, wrappedAddress] =
    (/^www\.google\.[a-z.]+$/.test(url.hostname) && /^\/amp\/(?:s\/)?(.+)$/.exec(url.pathname)) ||
    (/\.cdn\.ampproject\.org$/.test(url.hostname) &&
      /^\/[a-z]\/(?:s\/)?(.+)$/.exec(url.pathname)) ||
    [];
  const innerUrl = wrappedAddress?.includes('.')
    ? URL.parse(`https://${wrappedAddress}${url.search}`)
    : null;
  return innerUrl === null ? url : unwrapAmpCache(innerUrl);
}

/** Reduces `url` to the part that all URLs of one document on a known site share. */
export function identityOfKnownSite(url: URL): URL {
  const host = url.hostname.replace(/^(?:www|m|mobile|old|new|export)\./, '');
  switch (host) {
    case 'twitter.com':
    case 'x.com':
      return moveToHost(url, 'x.com', url.pathname, []);
    case 'reddit.com':
      return moveToHost(url, 'reddit.com', url.pathname, null);
    case 'arxiv.org': {
      // Abstract, PDF, HTML and all versions belong to one paper.
      const paperId = /^\/(?:abs|pdf|html)\/(.+?)(?:v\d+)?(?:\.pdf)?\/?$/.exec(url.pathname)?.[1];
      return paperId ? moveToHost(url, 'arxiv.org', `/abs/${paperId}`, []) : url;
    }
    case 'youtu.be':
      return toVideoUrl(url, /^\/([\w-]{11})\/?$/.exec(url.pathname)?.[1]);
    case 'youtube.com': {
      const idInPath = /^\/(?:shorts|live|embed)\/([\w-]{11})\/?$/.exec(url.pathname)?.[1];
      const isWatch = /^\/watch\/?$/.test(url.pathname);
      return toVideoUrl(url, isWatch ? (url.searchParams.get('v') ?? undefined) : idInPath);
    }
    case 'mp.weixin.qq.com':
      // The long form identifies the article by four parameters, the short one by its path.
      return moveToHost(url, 'mp.weixin.qq.com', url.pathname, ['__biz', 'mid', 'idx', 'sn']);
    default:
      return url;
  }
}

function toVideoUrl(url: URL, id: string | undefined): URL {
  return id ? new URL(`https://youtube.com/watch?v=${encodeURIComponent(id)}`) : url;
}

/**
 * Moves `url` to another host and path, with only these `parameters`; null: with all parameters.
 */
function moveToHost(
  url: URL,
  host: string,
  path: string,
  parameters: readonly string[] | null,
): URL {
  const movedUrl = new URL(`https://${host}${path}`);
  for (const [name, value] of url.searchParams) {
    if (parameters === null || parameters.includes(name)) movedUrl.searchParams.append(name, value);
  }
  return movedUrl;
}
