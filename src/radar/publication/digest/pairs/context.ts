// What stands around a mention, by distance: words, matters of which the words speak
// (`editorial/digest/aspects.json`), and marks that tell two figures of one matter apart
// (`editorial/digest/marks.json`: a quarter, a total, each, planned).
import { z } from 'zod';
import aspectsJson from '../../../../../editorial/digest/aspects.json' with { type: 'json' };
import marksJson from '../../../../../editorial/digest/marks.json' with { type: 'json' };
import type { Mention } from './mention.ts';
import { isChinese, stemOf, wordsOf } from './words.ts';

const list = z.array(z.string().min(1));
export const aspectsFile = z.strictObject({
  /** By matter, the words that speak of it. */
  aspects: z.record(z.string(), z.strictObject({ en: list, zh: list })),
});
export const marksFile = z.strictObject({
  /** By dimension and mark, regular expressions over lower-case text. */
  dimensions: z.record(z.string(), z.record(z.string(), list.min(1))),
});

const { aspects } = aspectsFile.parse(aspectsJson);
const english = new Map<string, string[]>();
const chinese: (readonly [word: string, aspect: string])[] = [];
for (const [aspect, { en, zh }] of Object.entries(aspects)) {
  for (const word of en.map(stemOf)) {
    const known = english.get(word) ?? [];
    if (!known.includes(aspect)) english.set(word, [...known, aspect]);
  }
  for (const word of zh) chinese.push([word, aspect]);
}

/** Dimensions in the order of their features, each with its marks. */
export const dimensions = Object.entries(marksFile.parse(marksJson).dimensions).map(
  ([name, marks]) => ({
    name,
    /** Most texts hold none of its marks. */
    any: new RegExp(Object.values(marks).flat().join('|'), 'u'),
    marks: Object.entries(marks).map(([mark, patterns]) => {
      return { mark: `${name}:${mark}`, pattern: new RegExp(patterns.join('|'), 'u') };
    }),
  }),
);

export type Weighted = ReadonlyMap<string, number>;

export type Context = {
  readonly isHan: boolean;
  readonly words: Weighted;
  readonly aspects: Weighted;
  /** Marks of its clause, and of its sentence with the title. */
  readonly near: ReadonlySet<string>;
  readonly wide: ReadonlySet<string>;
};

const cache = new WeakMap<Mention, Context>();

export function contextOf(mention: Mention): Context {
  const known = cache.get(mention);
  if (known !== undefined) return known;
  const { sentence, clause, start, end, report } = mention;
  const isHan = isChinese(sentence);
  const from = isHan ? clauseBefore(sentence, clause[0]) : clause[0];
  const beside = `${sentence.slice(from, start)} ${sentence.slice(end, clause[1])}`;
  const context: Context = {
    isHan,
    words: wordsAround(mention, isHan ? 8 : 30),
    aspects: aspectsAround(mention, isHan),
    near: withFormer(mention, new Set([...marksIn(beside), ...topicsIn(sentence)])),
    wide: withFormer(mention, marksIn(`${sentence} ${report.title.toLowerCase()}`)),
  };
  cache.set(mention, context);
  return context;
}

/** Chinese sets off by a comma what a figure is of: 去年前三个季度，全省……. */
function clauseBefore(sentence: string, start: number): number {
  const head = sentence.slice(0, Math.max(0, start - 1));
  return Math.max(...[...'，,；。;'].map((stop) => head.lastIndexOf(stop) + 1));
}

/** Whose race, which round, whether of yesterday: it holds for a whole sentence. */
const topics = /^(?:gender|average|round|today|channel|asked|proof):/u;
const topicsIn = (sentence: string) => [...marksIn(sentence)].filter((mark) => topics.test(mark));

/** "From 10 to 12" marks the ten as "the previous ten" would. */
export const formerMark = 'past:past';

const withFormer = ({ isFormer }: Mention, marks: ReadonlySet<string>): ReadonlySet<string> =>
  isFormer ? new Set([...marks, formerMark]) : marks;

/** A sentence is asked for once for each of its mentions. */
const marked = new Map<string, ReadonlySet<string>>();
const mostMarked = 2_000;

function marksIn(text: string): ReadonlySet<string> {
  const known = marked.get(text);
  if (known !== undefined) return known;
  const marks = new Set(
    dimensions
      .filter(({ any }) => any.test(text))
      .flatMap((one) => one.marks.filter(({ pattern }) => pattern.test(text)))
      .map(({ mark }) => mark),
  );
  if (marked.size >= mostMarked) marked.clear();
  marked.set(text, marks);
  return marks;
}

/** Marks of the one's clause that stand nowhere in the other's sentence, both ways. */
export function marksBetween(a: Context, b: Context, of: RegExp = /./u): number {
  const missing = (near: ReadonlySet<string>, wide: ReadonlySet<string>) =>
    [...near].filter((mark) => of.test(mark) && !wide.has(mark)).length;
  return missing(a.near, b.wide) + missing(b.near, a.wide);
}

/** Those that keep apart what is told without figures. */
export const marksApart = (a: Context, b: Context): number => marksBetween(a, b, apart);

/** Of time and part; the others say little without a figure. */
const apart = /^(?:part|variant|phase|period|left):/u;

type Place = { readonly start: number; readonly end: number };

/** 1 beside the mention, less with every character and behind a comma. */
function nearness(mention: Mention, place: Place, scale: number, step: number): number {
  const before = mention.start - place.end;
  const gap = before >= 0 ? before : Math.max(0, place.start - mention.end);
  const isOutside = place.start < mention.clause[0] || place.end > mention.clause[1];
  return Math.exp(-(gap + (isOutside ? step * scale : 0)) / scale);
}

function wordsAround(mention: Mention, scale: number): Weighted {
  const found = new Map<string, number>();
  for (const { word, start, end } of wordsOf(mention.sentence)) {
    if (start < mention.end && end > mention.start) continue;
    const weight = nearness(mention, { start, end }, scale, 0.7);
    if (weight > (found.get(word) ?? 0)) found.set(word, weight);
  }
  return found;
}

function aspectsAround(mention: Mention, isHan: boolean): Weighted {
  const found = new Map<string, number>();
  const scale = isHan ? 24 / 3.5 : 24;
  const add = (aspect: string, start: number, end: number) => {
    const weight = nearness(mention, { start, end }, scale, 0.8);
    if (weight > (found.get(aspect) ?? 0)) found.set(aspect, weight);
  };
  for (const match of mention.sentence.matchAll(/[a-z]+/gu)) {
    for (const aspect of english.get(stemOf(match[0])) ?? []) {
      add(aspect, match.index, match.index + match[0].length);
    }
  }
  if (!isHan) return found;
  for (const [word, aspect] of chinese) {
    let at = mention.sentence.indexOf(word);
    while (at >= 0) {
      add(aspect, at, at + word.length);
      at = mention.sentence.indexOf(word, at + 1);
    }
  }
  return found;
}

/** How much of what stands around two mentions is the same: the share by weight, and how many. */
export function likeness(
  a: Mention,
  b: Mention,
): { readonly share: number; readonly count: number } {
  const [own, theirs] = [contextOf(a).words, contextOf(b).words];
  let shared = 0;
  let count = 0;
  for (const [word, weight] of own) {
    const other = theirs.get(word);
    if (other === undefined) continue;
    shared += Math.sqrt(weight * other);
    count += 1;
  }
  const sum = (words: Weighted) => [...words.values()].reduce((total, one) => total + one, 0);
  return { share: shared / (Math.sqrt(sum(own) * sum(theirs)) || 1), count };
}

export function cosine(a: Weighted, b: Weighted): number {
  let dot = 0;
  let own = 0;
  let theirs = 0;
  for (const [key, value] of a) {
    own += value * value;
    dot += value * (b.get(key) ?? 0);
  }
  for (const value of b.values()) theirs += value * value;
  return dot / (Math.sqrt(own * theirs) || 1);
}

const capital = '\\p{Lu}[\\p{sc=Latin}\\p{N}.-]*';
const quoted = new RegExp(
  '[“「『《"]([^”」』》"]{2,16})[”」』》"]|' +
    `(?<![\\p{L}\\p{N}])(${capital}(?: ${capital}){0,6})`,
  'gu',
);
const titles = /^(?:CEO|CFO|CTO|AI|US|UK|EU|I)$/u;

/** Names and quoted words before the end of the mention's clause, from `from`; lower case. */
export function namesNear(mention: Mention, from: number): readonly string[] {
  const text = mention.cased.slice(from, mention.clause[1]);
  return [...text.matchAll(quoted)].flatMap((match) => {
    const [, inQuotes, name = ''] = match;
    // A capital that begins a clause may be any word's.
    const isFirst = match.index === 0 && /^\p{Lu}\p{Ll}+$/u.test(name);
    if (inQuotes === undefined && (isFirst || titles.test(name))) return [];
    return [(inQuotes ?? name).toLowerCase()];
  });
}
