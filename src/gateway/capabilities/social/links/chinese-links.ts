// Parses links of the seven Chinese platforms: web pages, mobile pages, and links that their apps
// share.

import { bilibiliId } from './bilibili-id.ts';
import { firstMatch, type LinkRules, postRef, queryValue } from './link.ts';
import { weiboId } from './weibo-id.ts';

const digits = /^\d{6,25}$/;

const douyin: LinkRules = {
  platform: 'douyin',
  hosts: ['douyin.com', 'iesdouyin.com', 'amemv.com'],
  shortHosts: ['v.douyin.com', 'v.iesdouyin.com'],
  read: (url) => {
    const id =
      firstMatch(url.pathname, [
        /^\/(?:share\/|m\/)?(?:video|note|slides|article)\/(\d{6,25})/,
        /^\/light\/(\d{6,25})/,
      ]) ?? queryValue(url, ['modal_id', 'aweme_id', 'vid', 'item_id'], digits);
    return postRef('douyin', id, (id) => `https://www.douyin.com/video/${id}`);
  },
};

const noteId = '([0-9a-f]{24})';

const xiaohongshu: LinkRules = {
  platform: 'xiaohongshu',
  hosts: ['xiaohongshu.com', 'rednote.com'],
  shortHosts: ['xhslink.com', 'xhslink.cn', 'xhs.cn'],
  read: (url) => {
    const id =
      firstMatch(url.pathname, [
        new RegExp(`^/(?:explore|discovery/item|search_result|items|note)/${noteId}`),
        new RegExp(`^/user/profile/[0-9a-f]{24}/${noteId}`),
        new RegExp(`^/board/[0-9a-f]{24}/${noteId}`),
      ]) ??
      queryValue(url, ['note_id', 'noteId'], /^[0-9a-f]{24}$/) ??
      firstMatch(url.searchParams.get('deeplink') ?? '', [
        new RegExp(`^xhsdiscover://item/${noteId}`),
      ]);
    if (id === null) return null;
    // Since 2024 a note is public only with the token in its link.
    const token = url.searchParams.get('xsec_token');
    const query = token === null ? '' : `?xsec_token=${encodeURIComponent(token)}`;
    const address = `https://www.xiaohongshu.com/explore/${id}${query}`;
    return { platform: 'xiaohongshu', type: 'post', id, url: address };
  },
};

const photoId = '([0-9a-zA-Z_-]{6,32})';

const kuaishou: LinkRules = {
  platform: 'kuaishou',
  hosts: ['kuaishou.com', 'chenzhongtech.com', 'gifshow.com', 'kuaishouapp.com', 'yxixy.com'],
  shortHosts: [
    'v.kuaishou.com',
    'v.m.chenzhongtech.com',
    'v.kuaishouapp.com',
    'v.s.kuaishouapp.com',
  ],
  isShortPath: (url) => /^\/s\/\w+/.test(url.pathname) || /^\/f\/[\w-]+$/.test(url.pathname),
  read: (url) => {
    const id =
      firstMatch(url.pathname, [
        new RegExp(`^/photo/[\\w-]+/${photoId}`),
        new RegExp(`^/(?:fw/)?(?:short-video|photo|long-video|video)/${photoId}`),
        new RegExp(`^/u/[\\w-]+/${photoId}$`),
      ]) ?? queryValue(url, ['photoId', 'shareObjectId'], /^[0-9a-zA-Z_-]{6,32}$/);
    return postRef('kuaishou', id, (id) => `https://www.kuaishou.com/short-video/${id}`);
  },
};

const bilibili: LinkRules = {
  platform: 'bilibili',
  hosts: ['bilibili.com', 'bilibili.cn'],
  shortHosts: ['b23.tv', 'bili2233.cn', 'bili22.cn', 'bili23.cn', 'bili33.cn'],
  read: (url) => {
    const idInPath =
      firstMatch(url.pathname, [
        /^\/(?:s\/|mobile\/)?video\/(bv[0-9a-z]{10}|av\d+)/i,
        /^\/(?:list|medialist\/play)\/[^/]+\/(bv[0-9a-z]{10}|av\d+)/i,
        /^\/festival\/[^/]+\/video\/(bv[0-9a-z]{10}|av\d+)/i,
        /^\/((?:BV|bv)[0-9A-Za-z]{10}|av\d+)/,
      ]) ??
      queryValue(url, ['bvid', 'aid'], /^(?:BV[0-9A-Za-z]{10}|\d+)$/i) ??
      (url.pathname.startsWith('/list/') ? queryValue(url, ['oid'], /^\d+$/) : null);
    const id = idInPath === null ? null : bilibiliId(idInPath);
    return postRef('bilibili', id, (id) => `https://www.bilibili.com/video/${id}`);
  },
};

/** `blog_mid` is set on pages of videos, `layerid` on a page with a post in an overlay. */
const weiboFields = ['weibo_id', 'mid', 'id', 'mblogid', 'blog_mid', 'layerid'];

const weibo: LinkRules = {
  platform: 'weibo',
  hosts: ['weibo.com', 'weibo.cn'],
  shortHosts: ['t.cn', 'sinaurl.cn'],
  // The app of Weibo copies this form to the clipboard.
  isShortPath: (url) => url.hostname === 'mapp.api.weibo.cn' && /^\/fx\/\w+/.test(url.pathname),
  read: (url) => {
    const idInPath =
      firstMatch(url.pathname, [
        /^\/(?:status|detail|statuses|tv\/v)\/(\d{12,19}|[0-9a-zA-Z]{9})\/?$/,
        /^\/(?:u\/)?\d{1,12}\/(\d{12,19}|[0-9a-zA-Z]{9})\/?$/,
        /^\/\d{1,12}\/wbphotos\/large\/mid\/(\d{12,19})\//,
        /^\/(?:comment|repost)\/([0-9a-zA-Z]{9})\/?$/,
        /^\/ajax\/statuses\/(\d{12,19})$/,
      ]) ?? queryValue(url, weiboFields, /^(?:\d{16,19}|[0-9a-zA-Z]{9})$/);
    const id = idInPath === null ? null : weiboId(idInPath);
    return postRef('weibo', id, (id) => `https://m.weibo.cn/status/${id}`);
  },
};

/** Zhihu serves the same pages under these prefixes for search engines, apps and languages. */
const zhihuPrefix = '(?:(?:tardis(?:/\\w+){1,4}|appview(?:/v\\d)?|oia|en|aria|api/v4)/)?';

const zhihu: LinkRules = {
  platform: 'zhihu',
  hosts: ['zhihu.com'],
  shortHosts: [],
  isShortPath: (url) => url.hostname === 'link.zhihu.com',
  read: ({ hostname, pathname }) => {
    const ref = (type: 'answer' | 'article' | 'pin' | 'zvideo', id: string, path: string) =>
      ({ platform: 'zhihu', type, id, url: `https://${path}` }) as const;
    const match = new RegExp(`^/${zhihuPrefix}question/(\\d+)/answers?/(\\d+)`).exec(pathname);
    if (match?.[1] && match[2]) {
      return ref('answer', match[2], `www.zhihu.com/question/${match[1]}/answer/${match[2]}`);
    }
    const answerId = firstMatch(pathname, [new RegExp(`^/${zhihuPrefix}(?:answers?|ans)/(\\d+)`)]);
    if (answerId) return ref('answer', answerId, `www.zhihu.com/answer/${answerId}`);
    const isColumn = hostname === 'zhuanlan.zhihu.com';
    const article = firstMatch(pathname, [
      ...(isColumn ? [/^\/(?:p|p\/edit|api\/articles|[\w-]+)\/(\d+)/] : []),
      new RegExp(`^/${zhihuPrefix}(?:p|art|articles?)/(\\d+)`),
      /^\/column\/p\/(\d+)/,
    ]);
    if (article) return ref('article', article, `zhuanlan.zhihu.com/p/${article}`);
    const pin = firstMatch(pathname, [new RegExp(`^/${zhihuPrefix}pins?/(\\d+)`)]);
    if (pin) return ref('pin', pin, `www.zhihu.com/pin/${pin}`);
    const video = firstMatch(pathname, [new RegExp(`^/${zhihuPrefix}zvideos?/(\\d+)`)]);
    return video ? ref('zvideo', video, `www.zhihu.com/zvideo/${video}`) : null;
  },
};

const objectId = /^\d{16,22}$/;
/** The form of the number in web pages: eight bytes, big-endian, in base 64. */
const packedId = /^[\w-]{11}$/;
const shareId = '([A-Za-z0-9_=-]{6,200})';

const wechatChannels: LinkRules = {
  platform: 'wechat_channels',
  hosts: ['channels.weixin.qq.com', 'finder.video.qq.com'],
  // Its subdomains have articles and other content: mp.weixin.qq.com.
  exactHosts: ['weixin.qq.com'],
  shortHosts: [],
  read: (url) => {
    const isChannels = url.hostname === 'channels.weixin.qq.com';
    const id = isChannels
      ? (queryValue(
          url,
          ['oid', 'objectId', 'object_id', 'feedId', 'feedid', 'feed_id', 'id'],
          objectId,
        ) ??
        unpackId(queryValue(url, ['oid'], packedId)) ??
        firstMatch(url.pathname, [/^\/(?:finder\/)?(?:feed|video|post)\/(\d{16,22})/]))
      : null;
    const canonical = 'https://channels.weixin.qq.com/web/pages/feed';
    if (id) return { platform: 'wechat_channels', type: 'post', id, url: `${canonical}?oid=${id}` };
    const sharedId =
      (url.hostname === 'weixin.qq.com'
        ? firstMatch(url.pathname, [new RegExp(`^/sph/${shareId}`)])
        : null) ??
      (isChannels
        ? (queryValue(url, ['eid', 'exportId', 'export_id'], /^[\w=/+-]{6,300}$/) ??
          firstMatch(url.pathname, [
            new RegExp(`^/media/pages/[^/]+/${shareId}`),
            new RegExp(`^/(?:share/video|mobile-support/pages/feed|sph)/${shareId}`),
          ]) ??
          queryValue(url, ['id'], /^[\w=-]{6,200}$/))
        : null);
    if (sharedId === null) return null;
    const address = `${canonical}?eid=${encodeURIComponent(sharedId)}`;
    return { platform: 'wechat_channels', type: 'share', id: sharedId, url: address };
  },
};

function unpackId(packed: string | null): string | null {
  const id = packed && String(Buffer.from(packed, 'base64url').readBigUInt64BE());
  return id && objectId.test(id) ? id : null;
}

export const chineseLinks: readonly LinkRules[] = [
  douyin,
  xiaohongshu,
  kuaishou,
  bilibili,
  weibo,
  zhihu,
  wechatChannels,
];
