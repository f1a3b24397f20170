// Names in a clause, as far as spelling shows them: capitalised words in English, Latin names in
// Chinese, known companies in both. Speakers, places, partners and days are not among them.

import aliases from '../../../../../editorial/stories/aliases.json' with { type: 'json' };
import { cuePattern } from '../../../language/cues.ts';
import type { ClaimSubject } from '../digest.ts';

/** Both names of a company as one: 英伟达 and Nvidia. */
const known = new Map<string, string>(
  Object.values(aliases as Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>)
    .flatMap((table) => Object.entries(table))
    .flatMap(([id, names]) => names.map((name) => [name.toLowerCase(), id] as const)),
);

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

/** Words with a capital at the beginning of a sentence that are not names. */
export function isCommonWord(word: string): boolean {
  return noNames.has(word.toLowerCase());
}

const speaker = cuePattern('speaker', 'gu');
const placed =
  /\b(?:in|at|near|from|across|via|led by|with|for|to|on|under)\s+(?:(?:the|an?)\s+)?$/u;
/** 全国算法备案中心（National Algorithm Registry）: the brackets translate the preceding name. */
const gloss = /(?<=\p{sc=Han})\s?[(（][\p{sc=Latin}\p{N} .,'&-]+[)）]/gu;
const word =
  /(?<![\p{L}\p{N}])(?:\p{Lu}[\p{sc=Latin}\p{N}'&.-]*|[a-z]+[A-Z][\p{sc=Latin}\p{N}]*)/gu;

const baseName = (name: string) => name.replace(/(?:'s|'|\.)$/u, '').toLowerCase();

/** `text` as written, NFKC. Speakers, places and partners are mentions. */
export function findNames(text: string): readonly ClaimSubject[] {
  const roles = new Map<string, ClaimSubject['role']>();
  const add = (name: string, role: ClaimSubject['role']) => {
    if (roles.get(name) !== 'subject') roles.set(name, role);
  };
  const mention = (match: string) => {
    for (const [matchedWord] of match.matchAll(word)) {
      const name = baseName(matchedWord);
      if (!noNames.has(name)) add(known.get(name) ?? name, 'mention');
    }
    return ' '.repeat(match.length);
  };
  const cleaned = text.replace(speaker, mention).replace(gloss, mention);
  for (const match of cleaned.matchAll(word)) {
    const name = baseName(match[0]);
    if (name.length < 2 || noNames.has(name)) continue;
    const head = cleaned.slice(Math.max(0, match.index - 16), match.index);
    const id = known.get(name) ?? name;
    add(id, placed.test(head) ? 'mention' : 'subject');
  }
  return [...roles].map(([name, role]) => ({ name, role }));
}

/** Whether two clauses can be about one thing: a shared name, or no subject in one of them. */
export function canBeSameSubject(a: readonly ClaimSubject[], b: readonly ClaimSubject[]): boolean {
  const variantsOf = (all: readonly ClaimSubject[]) =>
    all.flatMap(({ name }) => (variants.has(name) ? [name] : [])).sort();
  const subjects = a.filter(({ role }) => role === 'subject');
  const otherSubjects = b.filter(({ role }) => role === 'subject');
  if (a.length === 0 || b.length === 0) return true;
  if (variantsOf(a).join() !== variantsOf(b).join()) return false;
  if (subjects.length === 0 || otherSubjects.length === 0) return true;
  const isIn = (all: readonly ClaimSubject[]) => (subject: ClaimSubject) =>
    !variants.has(subject.name) && all.some(({ name }) => name === subject.name);
  return subjects.some(isIn(b)) || otherSubjects.some(isIn(a));
}
