// Simulates public endpoints: bilibili's view, oEmbed of YouTube, TikTok and X, the YouTube Data
// API, and the redirects of the platforms' short links.
import { hashToNumber, makeDigits, makeLetters, postFor } from './posts.ts';
import { jsonReply, type Reply, type UpstreamRequest } from './server.ts';
import { view } from './tikhub-chinese.ts';

export const youtubeKey = 'demo-youtube-key';

const noSuchPath: Reply = { status: 404, headers: {}, body: 'Not Found' };

export function handleBilibili({ path, query }: UpstreamRequest): Reply {
  if (path !== '/x/web-interface/view') return noSuchPath;
  const bvid = query.get('bvid') ?? '';
  const post = postFor(bvid, 'zh');
  return jsonReply(
    post === null
      ? { code: -404, message: '啥都木有', ttl: 1 }
      : { code: 0, message: '0', ttl: 1, data: view(post, bvid) },
  );
}

export function handleOembed({ query }: UpstreamRequest): Reply {
  const url = query.get('url') ?? '';
  const id = /(?:v=|status\/|video\/)([\w-]+)/.exec(url)?.[1] ?? '';
  const post = postFor(id, 'en');
  if (post === null) return { status: 404, headers: {}, body: 'Not Found' };
  const author = { author_name: post.company.name, version: '1.0' };
  if (url.includes('x.com')) {
    const html =
      `<blockquote class="twitter-tweet"><p lang="en" dir="ltr">${post.text}</p>` +
      `&mdash; ${post.company.name} (@${post.handle})</blockquote>`;
    const author_url = `https://twitter.com/${post.handle}`;
    return jsonReply({ type: 'rich', url, html, author_url, ...author });
  }
  const isTikTok = url.includes('tiktok.com');
  return jsonReply({
    type: 'video',
    title: isTikTok ? `${post.text} #${post.tags[0]}` : post.title,
    author_url: isTikTok
      ? `https://www.tiktok.com/@${post.handle}`
      : `https://www.youtube.com/@${post.handle}`,
    html: '<iframe></iframe>',
    ...author,
  });
}

export function handleYoutubeData({ path, query, headers }: UpstreamRequest): Reply {
  if (headers['x-goog-api-key'] !== youtubeKey) {
    return jsonReply({ error: { code: 403, message: 'API key not valid.' } }, 403);
  }
  if (!/^\/youtube\/v3\/(?:videos|search)$/.test(path)) return noSuchPath;
  const id = query.get('id') ?? '';
  const videoId = path === '/youtube/v3/search' ? makeLetters(query.get('q') ?? '', 11) : id;
  const post = postFor(videoId, 'en');
  const snippet = post && {
    publishedAt: new Date(post.at * 1000).toISOString(),
    channelId: `UC${makeLetters(post.handle, 22)}`,
    channelTitle: post.company.name,
    title: post.title,
    description: post.text,
    tags: post.tags,
    defaultAudioLanguage: 'en',
  };
  if (path === '/youtube/v3/search') {
    const items = post === null ? [] : [{ id: { kind: 'youtube#video', videoId }, snippet }];
    return jsonReply({ kind: 'youtube#searchListResponse', items });
  }
  const statistics = post && {
    viewCount: String(post.views),
    likeCount: String(post.likes),
    commentCount: String(post.comments),
  };
  const contentDetails = post && {
    duration: `PT${Math.floor(post.seconds / 60)}M${post.seconds % 60}S`,
  };
  const item = { kind: 'youtube#video', id, snippet, statistics, contentDetails };
  return jsonReply({ kind: 'youtube#videoListResponse', items: post === null ? [] : [item] });
}

/** Redirects the short links of a host. The last segment of a path is the code of the link. */
export function handleShortLinks(host: string): (request: UpstreamRequest) => Reply {
  return ({ path, query }) => {
    const code = path.split('/').filter(Boolean).at(-1) ?? '';
    const target = query.get('to') ?? linkTargets[host]?.(code);
    if (target === undefined || /gone/i.test(code)) {
      return { status: 404, headers: {}, body: 'Not Found' };
    }
    return { status: 302, headers: { location: target }, body: '' };
  };
}

const linkTargets: Readonly<Record<string, (code: string) => string>> = {
  'v.douyin.com': (code) =>
    `https://www.iesdouyin.com/share/video/${makeDigits(code, 19)}/?region=CN`,
  'xhslink.com': (code) =>
    `https://www.xiaohongshu.com/discovery/item/${hexFor(code)}?xsec_token=AB`,
  'v.kuaishou.com': (code) =>
    `https://v.m.chenzhongtech.com/fw/photo/3x${makeLetters(code, 13).toLowerCase()}?cc=share`,
  'b23.tv': (code) => `https://www.bilibili.com/video/BV1${makeLetters(code, 9)}?p=1`,
  't.cn': (code) => `https://m.weibo.cn/status/${makeDigits(code, 16)}`,
  'vm.tiktok.com': (code) => `https://www.tiktok.com/@demo/video/${makeDigits(code, 19)}?_r=1`,
  't.co': (code) => `https://x.com/i/status/${makeDigits(code, 19)}`,
  'www.instagram.com': (code) => `https://www.instagram.com/reel/${makeLetters(code, 11)}/`,
};

export const shortHosts = Object.keys(linkTargets);

function hexFor(code: string): string {
  const parts = [code, `${code}+`, `${code}++`].map((text) => hashToNumber(text).toString(16));
  return `66${parts.join('')}`.padEnd(24, '0').slice(0, 24);
}
