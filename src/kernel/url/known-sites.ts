// Rules for well-known sites that give one document several URLs. The list is short and covers
// sites that technology news links to most.

/** The article behind a URL of an AMP cache (Google's viewer, ampproject.org). */
export function unwrapAmpCache(url: URL): URL {
  const [, wrapped] =
    (/^www\.google\.[a-z.]+$/.test(url.hostname) && /^\/amp\/(?:s\/)?(.+)$/.exec(url.pathname)) ||
    (/\.cdn\.ampproject\.org$/.test(url.hostname) &&
      /^\/[a-z]\/(?:s\/)?(.+)$/.exec(url.pathname)) ||
    [];
  const innerUrl = wrapped?.includes('.') ? URL.parse(`https://${wrapped}${url.search}`) : null;
  return innerUrl === null ? url : unwrapAmpCache(innerUrl);
}

/** Reduces `url` to the part that all URLs of one document on a known site share. */
export function identityOfKnownSite(url: URL): URL {
  const host = url.hostname.replace(/^(?:www|m|mobile|old|new|export)\./, '');
  switch (host) {
    case 'twitter.com':
    case 'x.com':
      return onHost(url, 'x.com', url.pathname, []);
    case 'reddit.com':
      return onHost(url, 'reddit.com', url.pathname, null);
    case 'arxiv.org': {
      // Abstract, PDF, HTML and all versions are one paper.
      const paper = /^\/(?:abs|pdf|html)\/(.+?)(?:v\d+)?(?:\.pdf)?\/?$/.exec(url.pathname)?.[1];
      return paper ? onHost(url, 'arxiv.org', `/abs/${paper}`, []) : url;
    }
    case 'youtu.be':
      return video(url, /^\/([\w-]{11})\/?$/.exec(url.pathname)?.[1]);
    case 'youtube.com': {
      const inPath = /^\/(?:shorts|live|embed)\/([\w-]{11})\/?$/.exec(url.pathname)?.[1];
      const isWatch = /^\/watch\/?$/.test(url.pathname);
      return video(url, isWatch ? (url.searchParams.get('v') ?? undefined) : inPath);
    }
    case 'mp.weixin.qq.com':
      // The long form identifies the article by four parameters, the short one by its path.
      return onHost(url, 'mp.weixin.qq.com', url.pathname, ['__biz', 'mid', 'idx', 'sn']);
    default:
      return url;
  }
}

function video(url: URL, id: string | undefined): URL {
  return id ? new URL(`https://youtube.com/watch?v=${encodeURIComponent(id)}`) : url;
}

/** Keeps only these `parameters`; null keeps all. */
function onHost(url: URL, host: string, path: string, parameters: readonly string[] | null): URL {
  const moved = new URL(`https://${host}${path}`);
  for (const [name, value] of url.searchParams) {
    if (parameters === null || parameters.includes(name)) moved.searchParams.append(name, value);
  }
  return moved;
}
