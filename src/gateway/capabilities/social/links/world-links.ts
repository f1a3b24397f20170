// Parses links of the four platforms outside China: web pages, mobile pages, and links that their
// apps share.
import { firstMatch, type LinkRules, postRef, queryValue } from './link.ts';

const tiktok: LinkRules = {
  platform: 'tiktok',
  hosts: ['tiktok.com', 'tiktokv.com', 'vxtiktok.com'],
  shortHosts: ['vm.tiktok.com', 'vt.tiktok.com'],
  isShortPath: (url) => /^\/t\/\w+/.test(url.pathname),
  read: (url) => {
    const path = /^\/(@[\w.-]*)\/(?:video|photo|story)\/(\d{15,22})/.exec(url.pathname);
    const id =
      path?.[2] ??
      firstMatch(url.pathname, [
        /^\/(?:share\/video|embed(?:\/v\d)?|player\/v1|video)\/(\d{15,22})/,
        /^\/v\/(\d{15,22})(?:\.html)?/,
        /^\/i18n\/share\/video\/(\d{15,22})/,
      ]) ??
      queryValue(url, ['item_id', 'share_item_id', 'shareId', 'aweme_id'], /^\d{15,22}$/);
    if (!id) return null;
    const name = path?.[1] && path[1].length > 1 ? path[1] : '@_';
    return {
      platform: 'tiktok',
      type: 'post',
      id,
      url: `https://www.tiktok.com/${name}/video/${id}`,
    };
  },
};

const videoId = /^[\w-]{11}$/;
/**
 * Words in addresses of embedded lists and live videos that have the length and the position of an
 * id.
 */
const wordsLikeIds: ReadonlySet<string> = new Set(['videoseries', 'live_stream']);

const youtube: LinkRules = {
  platform: 'youtube',
  hosts: [
    ...['youtube.com', 'youtu.be', 'youtube-nocookie.com', 'youtubekids.com'],
    ...['youtubeeducation.com', 'youtube.googleapis.com'],
  ],
  shortHosts: [],
  isShortPath: (url) => url.pathname === '/attribution_link' && !url.searchParams.has('u'),
  read: (url) => {
    const isShortHost = url.hostname === 'youtu.be';
    const id =
      (isShortHost ? firstMatch(url.pathname, [/^\/([\w-]{11})(?:\/|$)/]) : null) ??
      firstMatch(url.pathname, [
        /^\/(?:shorts|live|embed|v|vi|e|watch|video|source|clip-of)\/([\w-]{11})(?:\/|$)/,
      ]) ??
      (/^\/(?:watch|watch_popup|live_chat|playlist|ytscframe|ytscreeningroom|embed\/?)?$/.test(
        url.pathname,
      )
        ? queryValue(url, ['v', 'vi'], videoId)
        : null) ??
      firstMatch(url.hash, [/^#p\/(?:\w\/){1,4}([\w-]{11})$/]);
    if (id !== null && wordsLikeIds.has(id)) return null;
    return postRef('youtube', id, (id) => `https://www.youtube.com/watch?v=${id}`);
  },
};

const twitter: LinkRules = {
  platform: 'twitter',
  hosts: [
    'twitter.com',
    'x.com',
    // Mirrors that show the same posts under the same paths.
    'fxtwitter.com',
    'vxtwitter.com',
    'fixupx.com',
    'fixvx.com',
  ],
  shortHosts: ['t.co', 'pic.twitter.com', 'pic.x.com'],
  read: (url) => {
    const id =
      firstMatch(url.pathname, [
        /^\/@?\w{1,20}\/status(?:es)?\/(\d{5,20})/,
        /^\/i\/(?:web\/)?status\/(\d{5,20})/,
        /^\/statuses\/(\d{5,20})/,
        /^\/\w{1,20}\/article\/(\d{5,20})/,
        /^\/i\/videos(?:\/tweet)?\/(\d{5,20})/,
      ]) ??
      (url.pathname.startsWith('/intent/')
        ? queryValue(url, ['in_reply_to', 'tweet_id'], /^\d{5,20}$/)
        : null) ??
      (url.pathname.startsWith('/embed/') ? queryValue(url, ['id'], /^\d{5,20}$/) : null) ??
      queryValue(url, ['post_id'], /^\d{5,20}$/);
    return postRef('twitter', id, (id) => `https://x.com/i/status/${id}`);
  },
};

const instagram: LinkRules = {
  platform: 'instagram',
  hosts: ['instagram.com', 'ddinstagram.com', 'kkinstagram.com', 'vxinstagram.com'],
  shortHosts: ['instagr.am', 'ig.me'],
  isShortPath: (url) => /^\/share\/(?:\w+\/)?[\w-]+\/?$/.test(url.pathname),
  read: (url) => {
    const path = /^\/(?:(?!share\/)[\w.]{1,30}\/)?(p|reel|reels|tv)\/([\w-]{5,40})/.exec(
      url.pathname,
    );
    const id = path?.[2];
    if (!id || id === 'audio' || id === 'videos') return null;
    const kind = path?.[1] === 'p' ? 'p' : 'reel';
    return {
      platform: 'instagram',
      type: 'post',
      id,
      url: `https://www.instagram.com/${kind}/${id}/`,
    };
  },
};

export const worldLinks: readonly LinkRules[] = [tiktok, youtube, twitter, instagram];
