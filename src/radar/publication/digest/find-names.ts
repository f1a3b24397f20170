// Whom a sentence is about, as far as spelling shows it: capitalised words in English, Latin names
// in Chinese, known companies in both. Speakers, places and days are not the subject.

import aliases from '../../../../editorial/stories/aliases.json' with { type: 'json' };
import { cue } from '../../language/cues.ts';

/** Names in both languages as one: 英伟达 and Nvidia. */
const known = new Map<string, string>(
  Object.values(aliases as Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>)
    .flatMap((table) => Object.entries(table))
    .flatMap(([id, names]) => names.map((name) => [name.toLowerCase(), id] as const)),
);
/** Ids of places, in which a matter lies; it is not about them. */
const places = new Set(Object.keys(aliases.places));
const hanNames = [...known.keys()].filter((name) => /^\p{sc=Han}{2,}$/u.test(name));
const hanName = new RegExp(hanNames.sort((a, b) => b.length - a.length).join('|'), 'gu');

const noNames = new Set(
  `a about according after all also although among an and another any api app are around as at back
  based because before being both but by can ceo chief china chinese company companies correction
  could customers data developers did do does during each early earlier eight europe european even
  every executive existing few first five for former four from further further gpu had has have he
  her here his how however if in independent industry is it its january february march april may
  june july august september october november december japan last late later launch like long
  many meanwhile model more most much my neither new next nine no nobody not nothing now of
  officials officer on once one only or other our out over paper people per previously prices
  pricing
  president q1 q2 q3 q4 quarterly rather records reports researchers revenue sales second separately
  seven several shares she since six so some someone sources staff still such support ten than that
  the their them then there these they thing this those though three through to today together
  tomorrow tonight training two under union until up update us u.s uk users was we were what when
  where whether which while who why will with within would year years yesterday yet you your
  monday tuesday wednesday thursday friday saturday sunday ai usd british american german french
  north south east west united states kingdom spokesperson analyst analysts reuters bloomberg
  startup start-up government police court judge regulator regulators investors founder founders
  series seed round exclusive breaking video watch read just at least about roughly nearly almost
  half replies accuracy performance churn competitors credit power trials breaches makers
  resolved using lower measured retiring goodbye hands recent growth demand production prices
  shares profit losses net gross total average annual monthly weekly daily overall engineers
  workers employees staffers shareholders lawyers prosecutors plaintiffs authors publishers
  subscribers downloads shipments deliveries orders capacity construction access availability
  layoffs job jobs cuts talks details terms version model-wide early access service services
  outage incident failure errors requests traffic usage training inference tokens context input
  output benchmark benchmarks score scores tests testing results founded headquartered together
  separately additionally currently initially originally meanwhile instead besides unlike`.split(
    /\s+/u,
  ),
);
const variants = new Set('max pro mini lite ultra plus air nano turbo flash se xl'.split(' '));
/** A word that makes another model of a name: Rivet Max is not Rivet. */
export function isVariant(name: string): boolean {
  return variants.has(name.replace(/^~/u, ''));
}

/** Words that begin a sentence with a capital and name nobody. */
export function isCommonWord(word: string): boolean {
  return noNames.has(word.toLowerCase());
}

const speaker = cue('speaker', 'gu');
const placed =
  /\b(?:in|at|near|from|across|via|led by|with|for|to|on|under)\s+(?:(?:the|an?)\s+)?$/u;
const described =
  /^[\s-]*(?:-?based|startup|start-up|lab\b|company|firm|maker|group\b|giant|unicorn|developer\b)/u;
const word =
  /(?<![\p{L}\p{N}])(?:\p{Lu}[\p{sc=Latin}\p{N}'&.-]*|[a-z]+[A-Z][\p{sc=Latin}\p{N}]*)/gu;

const bare = (name: string) => name.replace(/(?:'s|'|\.)$/u, '').toLowerCase();

export type Names = {
  /** Sorted, lower case. */
  readonly strong: readonly string[];
  /** Places, backers, partners: they show sameness, never difference. */
  readonly weak: readonly string[];
};

/** 明烛Pro: a model's name in Han with a variant in Latin. */
const hanVariant = /(?<=\p{sc=Han}) ?(?:Pro|Max|Mini|Lite|Ultra|Plus|Air|Nano|Turbo|Flash|SE)\b/gu;

/** `text` as written, NFKC. */
export function findNames(text: string): Names {
  const strong = new Set<string>();
  const weak = new Set<string>();
  const plain = text.replace(speaker, (match) => {
    // Who speaks is not whom it is about, but shows that it may be.
    for (const [name] of match.matchAll(word)) {
      const plainName = bare(name);
      if (!noNames.has(plainName)) weak.add(known.get(plainName) ?? plainName);
    }
    return ' '.repeat(match.length);
  });
  for (const match of plain.matchAll(word)) {
    const name = bare(match[0]);
    if (name.length < 2 || noNames.has(name)) continue;
    const head = plain.slice(Math.max(0, match.index - 16), match.index);
    const tail = plain.slice(match.index + match[0].length);
    const id = known.get(name) ?? name;
    if (described.test(tail) && !known.has(name)) weak.add(id);
    else if (placed.test(head) || places.has(id)) weak.add(id);
    else strong.add(id);
  }
  for (const match of text.matchAll(hanName)) {
    const id = known.get(match[0]) ?? match[0];
    if (places.has(id)) weak.add(id);
    else strong.add(id);
  }
  for (const match of text.matchAll(hanVariant)) strong.add(match[0].toLowerCase());
  return { strong: [...strong].sort(), weak: [...weak].filter((one) => !strong.has(one)).sort() };
}

/** Names as a claim carries them. */
export function anchorOf(names: Names): string {
  return [...names.strong, ...names.weak.map((name) => `~${name}`)].slice(0, 12).join(' ');
}

const test = cue('test', 'gu');
const domains = ['math', 'code', 'reason', 'language', 'vision', 'knowledge'].map(
  (name) => [name, cue(`domain-${name}`, 'iu')] as const,
);

/**
 * The test a score is of, as part of an anchor: ` ^codetrial ^/code`; empty when none is named.
 * `near` is the clause of the figure as written, `at` and `end` the figure's place in it.
 */
export function testIn(near: string, at: number, end: number): string {
  let best: { readonly name: string; readonly gap: number } | null = null;
  for (const match of near.matchAll(test)) {
    const found = match.slice(1).find((group) => group !== undefined) ?? '';
    const name = found.replace(/[.-]$/u, '').toLowerCase().trim();
    if (name === '' || noNames.has(name)) continue;
    const gap = match.index >= end ? match.index - end : at - match.index - match[0].length + 3;
    if (best === null || gap < best.gap) best = { name, gap };
  }
  const domain = domains.find(([, pattern]) => pattern.test(near))?.[0];
  const named = best === null ? '' : ` ^${best.name.replace(/ /gu, '-')}`;
  return domain === undefined ? named : `${named} ^/${domain}`;
}

const tests = (anchor: string) => anchor.split(' ').filter((name) => /^\^(?!\/)/u.test(name));
const fields = (anchor: string) => anchor.split(' ').filter((name) => name.startsWith('^/'));

/** Whether two scores are of two tests; a test by its name before one by its field. */
export function isOtherTest(a: string, b: string): boolean {
  const [on, other] = [tests(a), tests(b)];
  if (on.length > 0 && other.length > 0) return on[0] !== other[0];
  const [field, otherField] = [fields(a), fields(b)];
  return field.length > 0 && otherField.length > 0 && field[0] !== otherField[0];
}

const namesOf = (anchor: string) =>
  anchor.split(' ').filter((name) => name !== '' && !name.startsWith('^'));

const possessive =
  /(\p{Lu}[\p{sc=Latin}\p{N}-]+)['’]s (?:new |own |latest )?(\p{Lu}[\p{sc=Latin}\p{N}-]+)/gu;

/** Whose is what, as a text says it ("Acme's Rivet"): by the thing, its owner. */
export function ownersIn(text: string): ReadonlyMap<string, string> {
  const pairs = [...text.matchAll(possessive)].map(([, owner = '', thing = '']) => {
    const maker = bare(owner);
    return [bare(thing), known.get(maker) ?? maker] as const;
  });
  return new Map(pairs.filter(([thing, owner]) => !noNames.has(thing) && thing !== owner));
}

/** Whether two anchors can be the same matter; what is not known to differ can. */
export function sameMatter(a: string, b: string): boolean {
  if (a === b) return true;
  const [own, theirs] = [namesOf(a).filter(isVariant), namesOf(b).filter(isVariant)];
  if (a === '' || b === '') return true;
  if (own.join() !== theirs.join()) return false;
  if (isOtherTest(a, b)) return false;
  const [first, second] = [namesOf(a), namesOf(b)];
  // Two models of one maker are two matters: it takes a subject to make them one.
  const shares = (one: readonly string[], two: readonly string[]) =>
    one.some((name) => !name.startsWith('~') && (two.includes(name) || two.includes(`~${name}`)));
  if (shares(first, second) || shares(second, first)) return true;
  const isNamed = (names: readonly string[]) => names.some((name) => !name.startsWith('~'));
  return !isNamed(first) || !isNamed(second);
}
