// Decides whether the page of an item is fetched. It is fetched when the source provides only a
// teaser.
import { plainText } from '../../../kernel/text/text.ts';

/** Plain text with fewer characters counts as a teaser. */
const FULL_TEXT_CHARACTERS = 600;
/**
 * The same limit for Chinese, Japanese and Korean, where one character carries about as much as two
 * or three letters.
 */
const FULL_TEXT_CHARACTERS_CJK = 250;

/** Posts on these sites are complete, or need a login. Their pages add no text. */
const socialHosts = new Set(
  (
    'x.com twitter.com bsky.app threads.net facebook.com instagram.com linkedin.com reddit.com ' +
    'weibo.com weibo.cn t.me youtube.com youtu.be bilibili.com news.ycombinator.com lobste.rs'
  ).split(' '),
);
const filePath = /\.(pdf|zip|gz|mp3|mp4|m4a|mov|png|jpe?g|gif|webp|svg|epub|docx?|pptx?)$/i;

export type ArticleCandidate = {
  readonly url: string | null;
  /** May contain HTML. */
  readonly summary: string | null;
  /** May contain HTML. */
  readonly content: string | null;
};

/**
 * The radar fetches no page for an item of a push source, because the owner of the source provides
 * the text that readers see.
 */
export function needsArticle(entry: ArticleCandidate, sourceKind: string): boolean {
  if (sourceKind === 'push' || entry.url === null) return false;
  const url = URL.parse(entry.url);
  if (url === null || !/^https?:$/.test(url.protocol)) return false;
  if (isSocial(url.hostname) || filePath.test(url.pathname)) return false;
  return (
    !hasFullText(plainText(entry.content ?? '')) && !hasFullText(plainText(entry.summary ?? ''))
  );
}

/** True for a social site's host and its subdomains. */
function isSocial(hostname: string): boolean {
  const labels = hostname.split('.');
  return labels.some((_, index) => socialHosts.has(labels.slice(index).join('.')));
}

function hasFullText(text: string): boolean {
  const cjkCharacters =
    text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu)
      ?.length ?? 0;
  return text.length >= FULL_TEXT_CHARACTERS || cjkCharacters >= FULL_TEXT_CHARACTERS_CJK;
}
