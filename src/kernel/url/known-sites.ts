// Sites on which one thing has several addresses that no general rule can bring together. Few and
// lasting: those that news about technology links to most.

/** The article behind an address in an AMP cache (Google's viewer, ampproject.org). */
export function unwrapAmpCache(url: URL): URL {
  const [, wrapped] =
    (/^www\.google\.[a-z.]+$/.test(url.hostname) && /^\/amp\/(?:s\/)?(.+)$/.exec(url.pathname)) ||
    (/\.cdn\.ampproject\.org$/.test(url.hostname) &&
      /^\/[a-z]\/(?:s\/)?(.+)$/.exec(url.pathname)) ||
    [];
  const inner = wrapped?.includes('.') ? URL.parse(`https://${wrapped}${url.search}`) : null;
  return inner === null ? url : unwrapAmpCache(inner);
}

/** `url` with what several addresses of one thing on a known site have in common. */
export function identityOfKnownSite(url: URL): URL {
  const host = url.hostname.replace(/^(?:www|m|mobile|old|new|export)\./, '');
  switch (host) {
    case 'twitter.com':
    case 'x.com':
      return onHost(url, 'x.com', url.pathname, []);
    case 'reddit.com':
      return onHost(url, 'reddit.com', url.pathname, null);
    case 'arxiv.org': {
      // Abstract, PDF and HTML, and every version of them, are one paper.
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
      // The long form names the article by four parameters, the short one by its path.
      return onHost(url, 'mp.weixin.qq.com', url.pathname, ['__biz', 'mid', 'idx', 'sn']);
    default:
      return url;
  }
}

function video(url: URL, id: string | undefined): URL {
  return id ? new URL(`https://youtube.com/watch?v=${encodeURIComponent(id)}`) : url;
}

/** `parameters` are those that stay; null: all. */
function onHost(url: URL, host: string, path: string, parameters: readonly string[] | null): URL {
  const moved = new URL(`https://${host}${path}`);
  for (const [name, value] of url.searchParams) {
    if (parameters === null || parameters.includes(name)) moved.searchParams.append(name, value);
  }
  return moved;
}
