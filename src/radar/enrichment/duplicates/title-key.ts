// Title keys for duplicate detection: letters and digits only, case folded, without the publisher's
// suffix. A key of a generic title does not group items.

const publisherSuffix = /\s+[-–—|·»]\s+(?<name>[^-–—|·»]{2,40})$|[_｜|](?<tight>[^_｜|\s]{2,16})$/u;

/** Recurring series: each issue under the same title is different news. */
const recurringSeries = new RegExp(
  [
    String.raw`\b(?:daily|weekly|monthly|quarterly|newsletters?|round-?ups?|recaps?|digests?)\b`,
    String.raw`\b(?:briefings?|open thread|who is hiring|this week in|week in review)\b`,
    String.raw`\b(?:changelog|release notes|podcast|episode|office hours)\b`,
    String.raw`\bhoroscopes?\b|\b(?:prices?|markets?|wall street|weather) today\b`,
    '[早晚日周月]报|周刊|月刊|速递|简报|一周|盘点|精选|播客|更新日志|每日|每周|本周|运势',
    '[今昨明]日(?:金价|油价|汇率|行情|天气)',
  ].join('|'),
  'iu',
);

/**
 * NFKC, case folded, without punctuation and the publisher's suffix, words separated by one space.
 */
export function normaliseTitle(title: string): string {
  const text = withoutSuffix(title.normalize('NFKC').trim());
  return (text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).join(' ');
}

/**
 * True when equal titles mean equal news: at least four words or eight ideographs, and no recurring
 * series.
 */
export function canGroupByTitle(title: string): boolean {
  if (recurringSeries.test(title)) return false;
  const key = normaliseTitle(title);
  const ideographs = key.match(/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/gu)?.length ?? 0;
  const words = key.replace(/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]+/gu, ' ').trim();
  return ideographs / 2 + (words === '' ? 0 : words.split(' ').length) >= 4;
}

/**
 * Keeps a suffix with a figure, which may belong to the news ("- Part 2"), and a suffix without
 * which the title would be too short.
 */
function withoutSuffix(title: string): string {
  const match = publisherSuffix.exec(title);
  const name = match?.groups?.name ?? match?.groups?.tight;
  if (match === null || name === undefined || /\p{N}/u.test(name)) return title;
  const words = name.trim().split(/\s+/u);
  const isName = words.every((word) => /^(?:\p{Lu}|\p{Lo}|of|the|and|&|.+\.\p{L})/u.test(word));
  if (words.length > 4 || !isName) return title;
  const titleWithoutSuffix = title.slice(0, match.index);
  return titleWithoutSuffix.length >= name.length && titleWithoutSuffix.length >= 8
    ? titleWithoutSuffix
    : title;
}
