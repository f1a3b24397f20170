// Which items are worth fetching their page for: those whose source gives only a teaser.
import { plainText } from '../../../kernel/text/text.ts';

/** Below this many characters of plain text, content is a teaser. */
const wholeTextCharacters = 600;
/** The same in Chinese, Japanese or Korean, where a character says as much as two or three. */
const wholeTextCharactersCjk = 250;

/** Posts there are the text themselves, or live behind a login: their pages add nothing. */
const socialHosts = new Set(
  (
    'x.com twitter.com bsky.app threads.net facebook.com instagram.com linkedin.com reddit.com ' +
    'weibo.com weibo.cn t.me youtube.com youtu.be bilibili.com news.ycombinator.com lobste.rs'
  ).split(' '),
);
const files = /\.(pdf|zip|gz|mp3|mp4|m4a|mov|png|jpe?g|gif|webp|svg|epub|docx?|pptx?)$/i;

export type Teased = {
  readonly url: string | null;
  /** HTML allowed. */
  readonly summary: string | null;
  /** HTML allowed. */
  readonly content: string | null;
};

/** What a push source sends is what its owner wants shown: nothing is fetched for it. */
export function needsArticle(entry: Teased, sourceKind: string): boolean {
  if (sourceKind === 'push' || entry.url === null) return false;
  const url = URL.parse(entry.url);
  if (url === null || !/^https?:$/.test(url.protocol)) return false;
  if (isSocial(url.hostname) || files.test(url.pathname)) return false;
  return !isWhole(plainText(entry.content ?? '')) && !isWhole(plainText(entry.summary ?? ''));
}

/** The host itself, or one below it. */
function isSocial(hostname: string): boolean {
  const labels = hostname.split('.');
  return labels.some((_, index) => socialHosts.has(labels.slice(index).join('.')));
}

function isWhole(text: string): boolean {
  const dense =
    text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu)
      ?.length ?? 0;
  return text.length >= wholeTextCharacters || dense >= wholeTextCharactersCjk;
}
