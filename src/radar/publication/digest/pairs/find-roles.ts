// Two reports that give one part to two names: who led a round, who was appointed, where a plant is
// built, who buys, whose chip is inside, who won. The parts stand in `editorial/digest/parts.json`;
// only such as one name can have.
import { z } from 'zod';
import file from '../../../../../editorial/digest/parts.json' with { type: 'json' };
import type { DigestReport } from '../digest.ts';
import { isCommonWord, sameMatter } from '../find-names.ts';
import { likeness } from './context.ts';
import type { Mention } from './mention.ts';
import { readSentences, type Sentence, stretchOf } from './read-sentences.ts';
import { isChinese } from './words.ts';

const list = z.array(z.string().min(1)).min(1);
export const partsFile = z.strictObject({
  parts: z.record(
    z.string().regex(/^[a-z-]+$/u),
    z.strictObject({
      label: z.strictObject({ en: z.string().min(1), zh: z.string().min(1) }),
      /** The group `verb` of an expression names the part: `directed` is another than `written`. */
      isNamedByVerb: z.boolean().optional(),
      /** Regular expressions; `{name}` stands for any name. */
      en: list,
      zh: list,
      /** Words by which a sentence speaks of the part without a phrase that names its holder. */
      loose: z.strictObject({ en: list, zh: list }).optional(),
    }),
  ),
});

const { parts } = partsFile.parse(file);
const word = "\\p{Lu}[\\p{L}\\p{N}&'.-]*";
const anyName = {
  en: `(?-i:(?<name>${word}(?: (?:of (?:the )?|& )?${word}){0,3}))`,
  zh: '(?<name>[\\p{sc=Han}A-Za-z0-9·]{2,8}?)',
} as const;

const openPart = (patterns: readonly string[], language: 'en' | 'zh') =>
  new RegExp(patterns.join('|').replaceAll('{name}', anyName[language]), 'giu');

const roles = Object.entries(parts).map(([role, part]) => ({
  role,
  isNamedByVerb: part.isNamedByVerb === true && role !== 'partner',
  en: openPart(part.en, 'en'),
  zh: openPart(part.zh, 'zh'),
}));

const looseParts = new Map(
  Object.entries(parts).flatMap(([role, { loose }]) =>
    loose === undefined
      ? []
      : [
          [
            role,
            { en: new RegExp(loose.en.join('|'), 'u'), zh: new RegExp(loose.zh.join('|'), 'u') },
          ],
        ],
  ),
);

/** By which words a sentence speaks of a part; null where it takes a phrase. */
export const looseWords = (role: string) => looseParts.get(role.split(' ')[0] ?? '') ?? null;

/** What an attribute of a part is called; null for others. */
export function roleLabel(attribute: string, language: 'en' | 'zh'): string | null {
  const [, role = ''] = /^who-([a-z-]+)/u.exec(attribute) ?? [];
  return parts[role]?.label[language] ?? null;
}

export type Filler = {
  /** `winner`, or with what was done `doer directed`. */
  readonly role: string;
  /** Lower case. */
  readonly name: string;
  readonly mention: Mention;
};

/** What is only recalled is of something else. */
const background = new RegExp(
  '不久前|此前|早前|去年|' +
    '\\b(?:not long ago|recent weeks|earlier this|last (?:month|week|year)|previously)\\b|' +
    '\\belsewhere\\b',
  'u',
);

export function readRoles(report: DigestReport): readonly Filler[] {
  return readSentences(report).flatMap((sentence) =>
    sentence.isOld || sentence.isRecalled || background.test(sentence.text)
      ? []
      : fillersIn(report, sentence),
  );
}

const notNames = new Set(
  `it he she they we the this that which who its ceo series monday tuesday wednesday thursday friday
  saturday sunday europe asia africa america china germany france japan india britain us uk 公司
  该公司 两家 双方 其 旗下 多家 一家 本轮 机构 老股东 资本`.split(/\s+/u),
);

function fillersIn(report: DigestReport, sentence: Sentence): readonly Filler[] {
  const { cased } = sentence;
  // "Nanzhi (南枝医疗) Medical" is one name.
  const plain = cased.replace(/ ?[(（][^()（）]{1,24}[)）](?= )/gu, '');
  const language = isChinese(sentence.text) ? 'zh' : 'en';
  return roles.flatMap(({ role, isNamedByVerb, ...patterns }) =>
    [...plain.matchAll(patterns[language])].flatMap((match): readonly Filler[] => {
      const { name: found = '', verb = '' } = match.groups ?? {};
      const name = found.replace(/(?:'s|'|\.)$/u, '').toLowerCase();
      const isNone = name === '' || notNames.has(name) || isCommonWord(name);
      if (isNone || /^series [a-h]$/u.test(name)) return [];
      if (/不|未|否认|可能|或将/u.test(match[0])) return [];
      const stretch = { ...placeOf(cased, found, match.index), kind: `who-${role}` };
      const mention = stretchOf(report, sentence, stretch);
      return [{ role: isNamedByVerb ? `${role} ${verb.toLowerCase()}` : role, name, mention }];
    }),
  );
}

/** Where a name begins and ends that was found in a sentence without its brackets. */
function placeOf(cased: string, name: string, from: number) {
  const whole = cased.indexOf(name, from);
  const start = whole >= 0 ? whole : cased.indexOf(name.split(' ')[0] ?? '', from);
  return { start: Math.max(0, start), end: Math.max(0, start) + name.length };
}

export type Swap = { readonly a: Filler; readonly b: Filler; readonly likeness: number };

/** Parts that the reports give to different names, in sentences that are otherwise alike. */
export function swappedRoles(a: readonly Filler[], b: readonly Filler[]): readonly Swap[] {
  return [...new Set(a.map((filler) => filler.role))].flatMap((role): readonly Swap[] => {
    const own = a.filter((filler) => filler.role === role);
    const theirs = b.filter((filler) => filler.role === role);
    if (own.some((one) => theirs.some((other) => isOneName(one.name, other.name)))) return [];
    const pairs = own.flatMap((one) => theirs.flatMap((other) => swapOf(one, other)));
    const [best] = pairs.toSorted((x, y) => y.likeness - x.likeness);
    return best === undefined ? [] : [best];
  });
}

const leastLikeness = 0.22;
const leastShared = 2;
const han = /\p{sc=Han}/u;

function swapOf(one: Filler, other: Filler): readonly Swap[] {
  // Nobody knows that 洛肯·马多克斯 is Lorcan Maddox.
  if (han.test(one.name) !== han.test(other.name)) return [];
  const { share, count } = likeness(one.mention, other.mention);
  // One office has one holder, whatever the sentences tell of them.
  const isOffice = one.role.startsWith('holder') || one.role === 'seat';
  const isAlike = isOffice
    ? share >= 0.1 && count > 0
    : share >= leastLikeness && count >= leastShared;
  return isAlike && isOneMatter(one, other) ? [{ a: one, b: other, likeness: share }] : [];
}

/** "Merrow" is "Merrow Labs", 青桐 is 青桐资本. */
function isOneName(a: string, b: string): boolean {
  if (areInitials(a, b) || areInitials(b, a)) return true;
  return a.includes(b) || b.includes(a) || a.split(' ')[0] === b.split(' ')[0];
}

/** "H&W" is "Hollin & Wray Legal Systems". */
function areInitials(short: string, name: string): boolean {
  const letters = short.replace(/[^\p{L}]/gu, '');
  const first = name.split(' ').map((one) => /^\p{L}/u.exec(one)?.[0] ?? '');
  return letters.length > 1 && first.length > 1 && first.join('').startsWith(letters);
}

const seat = /\bheadquarter|\bbased\b|总部/u;

/** A place is compared only where both sentences are of one company, and of its seat or neither. */
export function isOneMatter(one: Filler, other: Filler): boolean {
  if (one.role !== 'place') return true;
  const [a, b] = [one.mention, other.mention];
  const isNamed = sameMatter(a.names || a.about, b.names || b.about);
  return isNamed && seat.test(a.sentence) === seat.test(b.sentence);
}
