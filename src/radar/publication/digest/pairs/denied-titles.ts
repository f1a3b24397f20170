// What one report's title says and the other only ever denies: 诺如病毒引起 and 未检出诺如病毒, "dragged
// anchor severed cable" and "no traces of an anchor".
import type { DigestReport } from '../digest.ts';
import type { Mention } from './mention.ts';
import { readSentences, type Sentence, stretchOf } from './read-sentences.ts';
import { isChinese, wordsOf } from './words.ts';

const negation =
  /(?:\b(?:no|not|never|without|nor|none|neither)\b|n't)(?! (?:only|just|least|yet|longer|comment|say|said|disclose|name|respond|immediately|give|more))(?<scope>(?: [a-z'-]+){1,6})/gu;
const hanNegation = /(?:没有|从未|并非|未能|未|没|无|不(?!仅|但|断|久|同|少|过|足|到|超))(?<scope>\p{sc=Han}{2,9})/gu;
const doubtful = /\b(?:if|whether|could|might|may|would|should)\b|[?？]|是否|可能|如果/u;
/** Words that say little when they are denied. */
const weak = new Set(
  `company people time day year week month thing way part place first last next official report plan
  公司 表示 透露 回应 公布 记者 发布 今年 去年 目前 昨日 任何 已经 进行 成为 可以 出现 影响 相关 问题 情况`.split(
    /\s+/u,
  ),
);

type Said = { readonly all: ReadonlySet<string>; readonly denied: ReadonlyMap<string, Mention> };

function saidBy(report: DigestReport): Said {
  const all = new Set<string>();
  const denied = new Map<string, Mention>();
  for (const sentence of readSentences(report)) {
    const scopes = doubtful.test(sentence.text) ? [] : scopesIn(sentence);
    for (const { word, start, end } of wordsOf(sentence.text)) {
      const scope = scopes.find((one) => start >= one.start && end <= one.end);
      if (scope === undefined) all.add(word);
      else if (!denied.has(word)) {
        denied.set(word, stretchOf(report, sentence, { start, end, kind: 'is-denied' }));
      }
    }
  }
  return { all, denied };
}

function scopesIn({ text }: Sentence) {
  return [...text.matchAll(isChinese(text) ? hanNegation : negation)].map((match) => {
    const end = match.index + match[0].length;
    return { start: end - (match.groups?.scope ?? '').length, end };
  });
}

/** The title's word in both: as it says it, and as the other denies it; one pair at most. */
export function deniedTitles(
  report: DigestReport,
  other: DigestReport,
): readonly (readonly [Mention, Mention])[] {
  const [title] = readSentences(report);
  if (title === undefined || report.language !== other.language) return [];
  const [own, theirs] = [saidBy(report), saidBy(other)];
  if (theirs.denied.size === 0 || scopesIn(title).length > 0) return [];
  for (const { word, start, end } of wordsOf(title.text)) {
    const denial = theirs.denied.get(word);
    const isOnly = denial !== undefined && !theirs.all.has(word) && !own.denied.has(word);
    if (!isOnly || weak.has(word) || word.length < (isChinese(word) ? 2 : 4)) continue;
    return [[stretchOf(report, title, { start, end, kind: 'is-denied' }), denial]];
  }
  return [];
}
