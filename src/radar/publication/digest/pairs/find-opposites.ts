// Two reports that say the opposite of one thing: approved and rejected, free and paid, hurt and
// nobody hurt. The words stand in `editorial/digest/opposites.json`; "not", 未 and the like turn
// them round. Whether both speak of one thing shows in the words around.
import { z } from 'zod';
import file from '../../../../../editorial/digest/opposites.json' with { type: 'json' };
import type { DigestReport } from '../digest.ts';
import { sameMatter } from '../find-names.ts';
import { contextOf, likeness, marksApart } from './context.ts';
import type { Mention } from './mention.ts';
import { readSentences, type Sentence, stretchOf } from './read-sentences.ts';
import { isChinese, stemOf, wordsOf } from './words.ts';

const list = z.array(z.string().min(1)).min(1);
const words = z.strictObject({ en: list, zh: list });
export const oppositesFile = z.strictObject({
  axes: z.record(
    z.string().regex(/^[a-z-]+$/u),
    z.strictObject({
      label: z.strictObject({ en: z.string().min(1), zh: z.string().min(1) }),
      plus: words,
      minus: words,
      /** How much alike what stands around must be; 0.25 where it does not say. */
      least: z.number().optional(),
      /** A story has one answer: told in a title or lead, no word around need be alike. */
      isStrong: z.boolean().optional(),
      /** Its words are no complements: who has not won has not drawn. */
      noFlip: z.boolean().optional(),
    }),
  ),
});

const axes = Object.entries(oppositesFile.parse(file).axes).map(([name, axis]) => ({
  name,
  label: axis.label,
  least: axis.least ?? 0.25,
  isStrong: axis.isStrong ?? false,
  noFlip: axis.noFlip ?? false,
  plus: openWords(axis.plus),
  minus: openWords(axis.minus),
}));

function openWords({ en, zh }: z.infer<typeof words>): Readonly<Record<'en' | 'zh', RegExp>> {
  return { en: new RegExp(en.join('|'), 'gu'), zh: new RegExp(zh.join('|'), 'gu') };
}

/** Most sentences hold none of the words. */
const any = {
  en: new RegExp(
    axes.flatMap(({ plus, minus }) => [plus.en.source, minus.en.source]).join('|'),
    'u',
  ),
  zh: new RegExp(
    axes.flatMap(({ plus, minus }) => [plus.zh.source, minus.zh.source]).join('|'),
    'u',
  ),
};

const labels = new Map<string, { readonly en: string; readonly zh: string }>(
  axes.map(({ name, label }) => [`is-${name}`, label]),
);

/** What an attribute of a pole is called; null for others. */
export const oppositeLabel = (name: string, language: 'en' | 'zh'): string | null =>
  (others.get(name) ?? labels.get(name))?.[language] ?? null;

const others = new Map([
  ['is-denied', { en: 'whether it is so', zh: '是否如此' }],
  ['is-cause', { en: 'the cause', zh: '原因' }],
]);

export type Pole = {
  readonly axis: string;
  readonly isPlus: boolean;
  /** Said of an earlier time: it is not set against anything, but shows that both were so. */
  readonly isFormer: boolean;
  readonly mention: Mention;
};

/** Nobody says that it is so. */
const unreal = new RegExp(
  '\\b(?:if|whether|could|might|may not|would|should|ask(?:s|ed|ing)? (?:to|for)|' +
    'calls? (?:on|for)|called for|demand\\w*|threat\\w*|seek\\w*|sought|expect\\w*|' +
    'plan(?:s|ned|ning)?|propos\\w*|consider\\w*|no longer|request\\w*|hop(?:e|es|ed|ing)|' +
    '(?:was|were|is|are) said|reportedly|allegedly|rumou?r\\w*|reports? (?:of|that))\\b|' +
    '[?？]|是否|如果|若|可能|或将|考虑|计划|拟|要求|请求|呼吁|预计|有望|据称|传闻|盛传',
  'u',
);
/** It was so, and no longer is. */
const former = /\b(?:had|having|earlier|previously|until now|used to)\b|此前|之前|曾/u;
const negation =
  /(?:\b(?:not|never|no|nobody|none|neither|without|cannot|nor|no one)\b|n't)[^,.;:]{0,28}$/u;
const hanNegation = /(?:不|未|没有?|无|并非|否认)[^，。；,;]{0,7}$/u;
/** By axis what a report says, in reading order. */
export function readPoles(report: DigestReport): readonly Pole[] {
  return readSentences(report).flatMap((sentence) =>
    sentence.isOld || sentence.isRecalled ? [] : polesIn(report, sentence),
  );
}

function polesIn(report: DigestReport, sentence: Sentence): readonly Pole[] {
  const { text } = sentence;
  const isHan = isChinese(text);
  const found: Pole[] = [];
  if (!any[isHan ? 'zh' : 'en'].test(text)) return [];
  for (const { name, plus, minus, noFlip } of axes) {
    const language = isHan ? 'zh' : 'en';
    const taken: (readonly [number, number])[] = [];
    for (const [isPlus, pattern] of [
      [false, minus[language]],
      [true, plus[language]],
    ] as const) {
      for (const match of text.matchAll(pattern)) {
        const [start, end] = [match.index, match.index + match[0].length];
        if (taken.some(([from, to]) => start < to && from < end)) continue;
        taken.push([start, end]);
        const clause = clauseStart(text, start);
        const head = text.slice(clause, start);
        const question = /^\s?[?？]/u.exec(text.slice(end))?.[0] ?? '';
        if (unreal.test(`${head}${match[0]}${question}`)) continue;
        const isNegated = (isHan ? hanNegation : negation).test(head);
        if (isNegated && noFlip) continue;
        const mention = stretchOf(report, sentence, { start, end, kind: `is-${name}` });
        found.push({
          axis: name,
          isPlus: isPlus !== isNegated,
          isFormer: former.test(head),
          mention,
        });
      }
    }
  }
  return found;
}

/** "Will not cut jobs", 不会裁员: what is denied, by its word. */
const denied = new RegExp(
  "(?:\\b(?:not|never|no)\\b|n't)" +
    '(?: (?:be|have|been|to|any|the|an?|yet|currently))* ([a-z]{3,})(?: ([a-z]{3,}))?',
  'gu',
);
const hanDenied = /(?:不会|不再|没有|并未|尚未|无需|不支持|不用|未)(\p{sc=Han}{2})/gu;
const disclaimed = new RegExp(
  '\\b(?:den(?:y|ies|ied|ying)|dismiss(?:es|ed)|refut\\w+|reject\\w* (?:\\w+ ){0,2}?' +
    '(?:reports?|claims?|rumou?rs?|allegations?|suggestions?))\\b|' +
    '否认|辟谣|不实|不属实|不存在',
  'u',
);
/** Stems that say nothing when they are denied. */
const weakWords = new Set(
  `only just mor les long least first than one onl know say said disclos nam comment respond
  immediately later much even so answer reply elaborat specify detail return giv provid identify
  rul exclud
  披露 公布 透露 回应 提及 发布 来得 正在 任何 排除`.split(/\s+/u),
);

export function readDenials(report: DigestReport): readonly Pole[] {
  return readSentences(report).flatMap((sentence) => {
    const { text } = sentence;
    const isHan = isChinese(text);
    return [...text.matchAll(isHan ? hanDenied : denied)].flatMap((match): readonly Pole[] => {
      const word = isHan ? (match[1] ?? '') : stemOf(match[1] ?? '');
      const head = text.slice(clauseStart(text, match.index), match.index);
      if (weakWords.has(word) || unreal.test(head)) return [];
      const [start, end] = [match.index, match.index + match[0].length];
      const mention = stretchOf(report, sentence, { start, end, kind: 'is-denied' });
      return [{ axis: word, isPlus: false, isFormer: former.test(head), mention }];
    });
  });
}

/** What one report denies and the other states, in sentences that are otherwise alike. */
export function statedDenials(
  denials: readonly Pole[],
  report: DigestReport,
): readonly Opposition[] {
  const own = readDenials(report);
  return denials.flatMap((a): readonly Opposition[] => {
    if (a.isFormer || own.some((pole) => pole.axis === a.axis)) return [];
    const pairs = readSentences(report).flatMap((sentence): readonly Opposition[] => {
      const { text, isRecalled } = sentence;
      if (isRecalled) return [];
      const isHan = isChinese(text);
      const place = isHan
        ? text.indexOf(a.axis)
        : (wordsOf(text).find(({ word }) => word === a.axis)?.start ?? -1);
      if (place < 0) return [];
      const head = text.slice(clauseStart(text, place), place);
      const isDoubtful = unreal.test(head) || former.test(head) || disclaimed.test(text);
      if (isDoubtful || (isHan ? hanNegation : negation).test(head)) return [];
      const stretch = { start: place, end: place + a.axis.length, kind: 'is-denied' };
      const mention = stretchOf(report, sentence, stretch);
      const { share, count } = likeness(a.mention, mention);
      const isOne = share >= 0.5 && count >= leastShared && isOneThing(a.mention, mention, share);
      const b = { axis: a.axis, isPlus: true, isFormer: false, mention };
      return isOne ? [{ a, b, likeness: share }] : [];
    });
    const [best] = pairs.toSorted((x, y) => y.likeness - x.likeness);
    return best === undefined ? [] : [best];
  });
}

function clauseStart(text: string, at: number): number {
  const head = text.slice(0, at);
  return Math.max(
    ...[',', ';', ':', '，', '；', '。', ' but ', ' and '].map((mark) => {
      const place = head.lastIndexOf(mark);
      return place < 0 ? 0 : place + mark.length;
    }),
  );
}

export type Opposition = { readonly a: Pole; readonly b: Pole; readonly likeness: number };

const leastShared = 2;

/** A report that says both of one axis tells of two things, or of a change. */
export function opposedPoles(a: readonly Pole[], b: readonly Pole[]): readonly Opposition[] {
  const [found, strong]: [Opposition[], Opposition[]] = [[], []];
  for (const { name: axis, least, isStrong } of axes) {
    const [own, theirs] = [a, b].map((poles) => poles.filter((pole) => pole.axis === axis));
    if (own === undefined || theirs === undefined) continue;
    if (own.length === 0 || theirs.length === 0) continue;
    const signs = [own, theirs].map((poles) => new Set(poles.map((pole) => pole.isPlus)));
    if (signs.some((sign) => sign.size > 1) || own[0]?.isPlus === theirs[0]?.isPlus) continue;
    const pairs = own.flatMap((one) =>
      theirs.flatMap((other): readonly Opposition[] => {
        if (isStrong) return strongly(one, other);
        const { share, count } = likeness(one.mention, other.mention);
        const isNow = !one.isFormer && !other.isFormer;
        const isOne = isNow && isOneThing(one.mention, other.mention, share);
        if (!isOne || count < leastShared || share < least) return [];
        return [{ a: one, b: other, likeness: share }];
      }),
    );
    const [best] = pairs.toSorted((x, y) => y.likeness - x.likeness);
    if (best !== undefined) (isStrong ? strong : found).push(best);
  }
  // One difference is told once.
  return found.length > 0 ? found : strong.slice(0, 1);
}

/** The title or the first sentence says what a report is about. */
const leadAt = 1;

function strongly(a: Pole, b: Pole): readonly Opposition[] {
  const isNow = !a.isFormer && !b.isFormer;
  const isLead = Math.min(a.mention.at, b.mention.at) <= leadAt;
  if (!isNow || !isLead) return [];
  const { share } = likeness(a.mention, b.mention);
  const isOne = isOneThing(a.mention, b.mention, share) && !isOfOther(a.mention, b.mention);
  return isOne ? [{ a, b, likeness: share }] : [];
}

/** "Rejects stadium", "approves housing": what follows is nowhere in the other report. */
function isOfOther(a: Mention, b: Mention): boolean {
  const after = ({ sentence, end }: Mention) => wordsOf(sentence.slice(end, end + 48));
  const isStrange = (one: Mention, other: Mention) => {
    const words = after(one);
    return words.length > 0 && !words.some(({ word }) => saidIn(other.report).has(word));
  };
  return isStrange(a, b) && isStrange(b, a);
}

function isOneThing(a: Mention, b: Mention, share: number): boolean {
  const isNamed = share >= 0.5 || sameMatter(a.names || a.about, b.names || b.about);
  const isApart = marksApart(contextOf(a), contextOf(b)) > 0;
  return isNamed && !isApart && !isSubstituted(a, b);
}

/** "A trial in lung cancer" and "a trial in skin cancer": one word stands in another's place. */
function isSubstituted(a: Mention, b: Mention): boolean {
  const [own, theirs] = [ownSlots(a, b.report), ownSlots(b, a.report)];
  return own.some((slot) => theirs.includes(slot));
}

/** The neighbours of each word that the other report does not have at all. */
function ownSlots(mention: Mention, other: DigestReport): readonly string[] {
  const text = mention.sentence;
  if (isChinese(text)) {
    const [, subject = '', next = ''] = /^(\p{sc=Han}{2})(\p{sc=Han}{2})/u.exec(text) ?? [];
    return subject === '' || saidIn(other).has(subject) ? [] : [`^${next}`];
  }
  const words = wordsOf(text).filter(({ end, start }) => {
    return end <= mention.start || start >= mention.end;
  });
  const near = contextOf(mention).words;
  return words.flatMap(({ word }, at) => {
    if ((near.get(word) ?? 0) < 0.35 || saidIn(other).has(word)) return [];
    const [before, after] = [words[at - 1]?.word, words[at + 1]?.word];
    return [
      ...(before === undefined ? [] : [`${before} _`]),
      ...(after === undefined ? [] : [`_ ${after}`]),
    ];
  });
}

const said = new WeakMap<DigestReport, ReadonlySet<string>>();

function saidIn(report: DigestReport): ReadonlySet<string> {
  const known = said.get(report);
  if (known !== undefined) return known;
  const words = new Set(
    readSentences(report).flatMap(({ text }) => wordsOf(text).map(({ word }) => word)),
  );
  said.set(report, words);
  return words;
}
