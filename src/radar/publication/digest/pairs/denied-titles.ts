// What one report's title says and the other only ever denies: 诺如病毒引起 and 未检出诺如病毒, or
// "dragged anchor severed cable" and "no traces of an anchor".
import type { DigestReport } from '../digest.ts';
import type { Mention } from './mention.ts';
import { readSentences, type Sentence, stretchOf } from './read-sentences.ts';
import { isChinese, wordsOf } from './words.ts';

const negation = new RegExp(
  "(?:\\b(?:no|not|never|nor)\\b|n't)(?! (?:only|just|least|yet|longe" +
    'r|comment|say|said|disclose|name|respond|immediately|give|giving|mo' +
    "re|answer|reply|wish|replace|about|rule out))(?<scope>(?: [a-z'-]+){1,5})",
  'gu',
);
const hanNegation = new RegExp(
  '(?:没有|从未|并非|未能|未|没|无|不(?!仅|但|断|久|同|少|过|足|到|超|排除))' +
    '(?<scope>\\p{sc=Han}{2,9})',
  'gu',
);
const doubtful = /\b(?:if|whether|could|might|may|would|should)\b|[?？]|是否|可能|如果/u;
const disclaimed =
  /\b(?:den(?:y|ies|ied|ial)|dismiss|reject|refut|false|untrue)|否认|辟谣|不实|不存在/u;
/** Words that say little when they are denied. */
const weak = new Set(
  `company people time day year week month thing way part place first last next official report plan
  公司 表示 透露 回应 公布 记者 发布 今年 去年 目前 昨日 任何 已经 进行 成为 可以
  出现 影响 相关 问题 情况`.split(/\s+/u),
);

type Said = {
  readonly all: ReadonlyMap<string, Mention>;
  readonly denied: ReadonlyMap<string, Mention>;
};

function saidBy(report: DigestReport): Said {
  const all = new Map<string, Mention>();
  const denied = new Map<string, Mention>();
  for (const sentence of readSentences(report)) {
    const scopes = doubtful.test(sentence.text) ? [] : scopesIn(sentence);
    for (const { word, start, end } of wordsOf(sentence.text)) {
      const scope = scopes.find((one) => start >= one.start && end <= one.end);
      const home = scope === undefined ? all : denied;
      if (!home.has(word)) {
        home.set(word, stretchOf(report, sentence, { start, end, kind: 'is-denied' }));
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

/** Whom a story is about stands in many sentences that deny something. */
const isName = ({ cased, start }: Mention) => start > 0 && /^\p{Lu}/u.test(cased.slice(start));

/** As the one says it and as the other denies it, in a title at least once; one pair at most. */
export function deniedTitles(
  report: DigestReport,
  other: DigestReport,
): readonly (readonly [Mention, Mention])[] {
  if (report.language !== other.language) return [];
  const [own, theirs] = [saidBy(report), saidBy(other)];
  for (const [word, denial] of theirs.denied) {
    const said = own.all.get(word);
    const isOnly = said !== undefined && !theirs.all.has(word) && !own.denied.has(word);
    if (said === undefined || disclaimed.test(said.sentence) || isName(said)) continue;
    if (!isOnly || weak.has(word) || word.length < (isChinese(word) ? 2 : 4)) continue;
    if (said.at === 0 || denial.at === 0) return [[said, denial]];
  }
  return [];
}
