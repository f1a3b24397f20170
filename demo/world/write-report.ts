// Writes one report of one event in one style: headline, paragraphs, and the figures that it
// states.

import { type Random, seededRandom } from '../../src/kernel/crypto/random.ts';
import { assert, present } from '../../src/kernel/errors/assert.ts';
import { annotateNames } from './annotate-names.ts';
import { finishChinese, finishEnglish } from './finish-sentence.ts';
import { between, type Deck, expand, expandTracked, type Slots, slotsOf } from './grammar.ts';
import { nouns } from './plant-contradictions.ts';
import type { Publisher, Voice } from './publishers.ts';
import { readSections, type Sections } from './read-content.ts';
import { type Dress, showValue } from './show-value.ts';
import { slotsFor } from './slots.ts';
import type { Facts, Lang, Value, WorldEvent } from './world-model.ts';

export type Text = {
  readonly title: string;
  readonly paragraphs: readonly string[];
  readonly figures: Readonly<Record<string, Value>>;
};

export type ReportWriter = {
  readonly random: Random;
  readonly deck: Deck;
  /** Templates that any report of this event has used. */
  readonly usedFor: (eventId: string) => Set<string>;
  /** Another event worth a background sentence, or null. */
  readonly background: (event: WorldEvent, kind: 'backref' | 'rival') => WorldEvent | null;
};

export type Assignment = {
  readonly event: WorldEvent;
  readonly publisher: Publisher;
  /** Figures as this publisher states them. */
  readonly facts: Facts;
  /** A planted figure, which must be stated. */
  readonly mustState: string | null;
  /** The earlier value, in the report that corrects a figure. */
  readonly revises: { readonly slot: string; readonly from: Value } | null;
  readonly isBrief: boolean;
};

const cache = new Map<string, Sections>();
const general = readSections('content/general.txt');

function sectionsOf(type: string): Sections {
  const found = cache.get(type) ?? readSections(`content/${type}.txt`);
  cache.set(type, found);
  return found;
}

function langOf(publisher: Publisher): Lang {
  return publisher.lang === 'en' ? 'en' : 'zh';
}

/** Whether the content has texts for this kind of event in the publisher's style. */
export function canReport(type: string, publisher: Publisher): boolean {
  return sectionsOf(type).has(`${langOf(publisher)} head ${publisher.voice}`);
}

type Pen = {
  readonly writer: ReportWriter;
  readonly lang: Lang;
  readonly voice: Voice;
  readonly event: WorldEvent;
  readonly slots: Slots;
  readonly facts: Facts;
  readonly figures: Record<string, Value>;
  readonly taken: Set<string>;
  /** Slots that the body already contains; a report states each fact once. */
  readonly statedSlots: Set<string>;
  /** Templates that this report has used. */
  readonly own: Set<string>;
  readonly finish: (text: string) => string;
};

export function writeReport(writer: ReportWriter, task: Assignment): Text {
  const { event, publisher } = task;
  const lang = langOf(publisher);
  const isCasual = publisher.voice === 'forum' || publisher.voice === 'media';
  const dress: Dress = ['press', 'party'].includes(publisher.voice) ? 'plain' : 'terse';
  const wording = { lang, dress, facts: task.facts, isCasual };
  const slots = slotsFor(event, wording, writer.random);
  const pen: Pen = {
    writer,
    lang,
    voice: publisher.voice,
    event,
    slots,
    facts: task.facts,
    figures: {},
    taken: writer.usedFor(event.id),
    statedSlots: new Set<string>(),
    own: new Set(),
    finish: (text) =>
      lang === 'en'
        ? finishEnglish(text, publisher.voice === 'forum')
        : finishChinese(text, publisher.isSpaced === true),
  };
  const terse = { ...slots, ...formatFacts(task.facts, lang, 'terse') };
  const title =
    publisher.covers === 'papers'
      ? present(slots.title, 'title of the paper')
      : headline({
          ...pen,
          statedSlots: new Set(),
          own: new Set(),
          slots: lang === 'en' ? terse : slots,
        });
  const body = publisher.covers === 'papers' ? abstractOf(pen) : lengthened(pen, bodyOf(pen, task));
  const isOutside = publisher.company === undefined && publisher.voice !== 'forum';
  const paragraphs = isOutside ? annotateNames(event, lang, body, writer.random) : body;
  assert(paragraphs.length > 0, `a report of ${event.id} has text`);
  return { title, paragraphs, figures: pen.figures };
}

function formatFacts(facts: Facts, lang: Lang, dress: Dress): Slots {
  const figures = Object.entries(facts).filter(([name, value]) => {
    return value.kind !== 'text' && name !== 'ago';
  });
  return Object.fromEntries(figures.map(([name, value]) => [name, showValue(value, lang, dress)]));
}

function headline(pen: Pen): string {
  const list = present(
    sectionsOf(pen.event.type).get(`${pen.lang} head ${pen.voice}`),
    `headlines of ${pen.event.type}`,
  );
  return present(sentence(pen, list, null), `a headline for ${pen.event.type}`).replace(/\.$/, '');
}

/** Slots that only name people, companies or products. They may repeat. */
const names = new Set(
  'co Co what city ceo day date kind p p.last p.role a.firm family product prev version'
    .concat(' plaintiff court regulator regulatorShort bench org group target other investor site')
    .concat(' finder person pe.last pe.he pe.He pe.him pe.his lab uni ago slug')
    .split(' '),
);

function isRepetition(pen: Pen, slots: readonly string[]): boolean {
  const speaker = ['p', 'p.said', 'p.title'];
  const isSpeaker = (slot: string) => speaker.includes(slot);
  if (slots.some(isSpeaker) && speaker.some((slot) => pen.statedSlots.has(slot))) return true;
  const content = slots.filter((slot) => !names.has(slot) && !isSpeaker(slot));
  return content.length > 0 && content.every((slot) => pen.statedSlots.has(slot));
}

/** A new sentence from a list; null when every template was used or lacks its slots. */
function sentence(pen: Pen, list: readonly string[], must: string | null): string | null {
  const tried = new Set<string>();
  const fits = (template: string) => {
    const slots = slotsOf(template);
    const isFilled = slots.every((slot) => (pen.slots[slot] ?? '') !== '');
    return (
      isFilled &&
      !tried.has(template) &&
      !pen.own.has(template) &&
      (must === null || slots.includes(must))
    );
  };
  for (let tries = 0; tries < 8; tries += 1) {
    const template =
      pen.writer.deck.draw(list, (one) => !pen.taken.has(one) && fits(one)) ??
      pen.writer.deck.draw(list, fits);
    if (template === null) return null;
    tried.add(template);
    const random = factual(pen).has(template)
      ? fixedBy(pen.event.id + template)
      : pen.writer.random;
    const { text, named } = expandTracked(template, introduced(pen, template), random);
    if (isRepetition(pen, named) || (must !== null && !named.includes(must))) continue;
    pen.taken.add(template);
    pen.own.add(template);
    note(pen, named);
    return pen.finish(text);
  }
  return null;
}

/** Sentences that state facts. Their alternatives exclude each other, so an event uses one. */
function factual(pen: Pen): ReadonlySet<string> {
  const sections = sectionsOf(pen.event.type);
  const cachedWords = factualBySections.get(sections);
  if (cachedWords !== undefined) return cachedWords;
  const names = ['en detail', 'en party', 'zh detail', 'zh party'];
  const found = new Set(names.flatMap((name) => sections.get(name) ?? []));
  factualBySections.set(sections, found);
  return found;
}

const factualBySections = new WeakMap<Sections, ReadonlySet<string>>();

/** A random number that is equal for equal texts (FNV-1a). */
function fixedBy(text: string): Random {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return seededRandom(hash >>> 0);
}

/** A speaker is introduced with full name and role; later the last name is used. */
function introduced(pen: Pen, template: string): Slots {
  const { slots, statedSlots } = pen;
  const isKnown = ['p', 'p.said', 'p.last'].some((slot) => statedSlots.has(slot));
  if (isKnown || pen.lang === 'zh' || !template.includes('{p.last}')) return slots;
  return { ...slots, 'p.last': `${slots.p}, ${slots['p.role']},` };
}

function note(pen: Pen, named: readonly string[]): void {
  for (const name of named) {
    pen.statedSlots.add(name);
    if (name === 'p.last') pen.statedSlots.add('p');
    const value = pen.facts[name];
    if (value !== undefined && value.kind !== 'text') pen.figures[name] = value;
  }
}

function many(pen: Pen, name: string, count: number): string[] {
  const list = sectionsOf(pen.event.type).get(`${pen.lang} ${name}`) ?? [];
  const found: string[] = [];
  for (let index = 0; index < Math.min(count, list.length); index += 1) {
    const text = sentence(pen, list, null);
    if (text !== null && !found.includes(text)) found.push(text);
  }
  return found;
}

function bodyOf(pen: Pen, task: Assignment): readonly string[] {
  const { random } = pen.writer;
  const lead = many(pen, `lead ${pen.voice}`, 1);
  if (task.isBrief && pen.voice !== 'forum')
    return paragraphsOf(pen, [[...lead, ...stated(pen, task), ...many(pen, 'detail', 1)]]);
  if (pen.voice === 'forum') {
    const posts = [...stated(pen, task), ...many(pen, 'forum', between(1, 3, random))];
    return [...lead, ...posts];
  }
  if (pen.voice === 'party') {
    const body = many(pen, 'party', between(3, 6, random));
    const quotes = random.next() < 0.5 ? many(pen, 'quote', 1) : [];
    const half = Math.ceil(body.length / 2);
    const halfStated = [...stated(pen, task), ...body.slice(half)];
    return paragraphsOf(pen, [
      [...lead, ...body.slice(0, half)],
      halfStated,
      quotes,
      about(pen, 0.4),
    ]);
  }
  if (pen.voice === 'press') {
    const facts = [...stated(pen, task), ...many(pen, 'detail', between(3, 5, random))];
    const half = Math.ceil(facts.length / 2);
    const quotes = many(pen, 'quote', between(1, 2, random));
    const tail = [...about(pen, 0.5), ...background(pen), ...close(pen, 0.5)];
    const order = [
      [...lead, ...facts.slice(0, 1)],
      facts.slice(1, half),
      quotes,
      facts.slice(half),
    ];
    return paragraphsOf(pen, [...order, tail]);
  }
  const views = many(pen, pen.voice === 'blog' ? 'blog' : 'media', between(2, 4, random));
  const facts = [...stated(pen, task), ...many(pen, 'detail', between(1, 3, random))];
  const tail = [...views.slice(2), ...background(pen), ...close(pen, 0.6)];
  return paragraphsOf(pen, [
    [...lead, ...facts.slice(0, 1)],
    facts.slice(1),
    views.slice(0, 2),
    tail,
  ]);
}

/** Briefs have two sentences; most other texts have a third and a fourth. */
function lengthened(pen: Pen, body: readonly string[]): readonly string[] {
  const count = body.join('').match(/[.?!。？！]/g)?.length ?? 0;
  if (pen.voice === 'forum' || count > 2) return body;
  const more = [...many(pen, 'detail', 1), ...about(pen, 1), ...close(pen, 1)];
  return more.length === 0 ? body : [...body, more.join(pen.lang === 'en' ? ' ' : '')];
}

/** A preprint server shows abstracts: one paragraph with its sentences in order. */
function abstractOf(pen: Pen): readonly string[] {
  const list = present(sectionsOf(pen.event.type).get('en abstract'), 'abstract');
  const filled = list.map((template) => {
    const { text, named } = expandTracked(template, pen.slots, pen.writer.random);
    note(pen, named);
    return pen.finish(text);
  });
  return [filled.join(' ')];
}

/** The planted figure of this report, if it must state one, and its correction. */
function stated(pen: Pen, task: Assignment): string[] {
  const { mustState, revises } = task;
  const found: string[] = [];
  if (revises !== null) found.push(correction(pen, revises.slot, revises.from));
  if (mustState === null || revises !== null || pen.figures[mustState] !== undefined) return found;
  const sections = sectionsOf(pen.event.type);
  for (const name of [pen.voice === 'party' ? 'party' : 'detail', 'detail', `lead ${pen.voice}`]) {
    const text = sentence(pen, sections.get(`${pen.lang} ${name}`) ?? [], mustState);
    if (text !== null) return [...found, text];
  }
  return found;
}

function correction(pen: Pen, slot: string, from: Value): string {
  const value = present(pen.facts[slot], slot);
  const dress: Dress = pen.voice === 'press' || pen.voice === 'party' ? 'plain' : 'terse';
  const slots = {
    ...pen.slots,
    noun: present(nouns[slot], `noun of ${slot}`)[pen.lang],
    old: showValue(from, pen.lang, dress),
    new: showValue(value, pen.lang, dress),
  };
  note(pen, [slot]);
  const list = present(general.get(`${pen.lang} revision`), 'revisions');
  const template = present(
    pen.writer.deck.draw(list, () => true),
    'a correction',
  );
  return pen.finish(expand(template, slots, pen.writer.random));
}

/** Regulations and surveys are not about a single company. */
function hasNoPerson(event: WorldEvent): boolean {
  return event.type === 'rule' || event.type === 'survey';
}

function about(pen: Pen, chance: number): string[] {
  if (hasNoPerson(pen.event) || pen.writer.random.next() >= chance) return [];
  const { company, product } = pen.event;
  const isEn = pen.lang === 'en';
  const list = [...(isEn ? company.about : company.aboutZh)];
  if (product !== null && isEn) list.push(`${product.about}.`);
  if (product !== null && !isEn) list.push(`${product.aboutZh}。`);
  const text = pen.writer.deck.draw(list, () => true);
  return text === null ? [] : [pen.finish(text)];
}

function background(pen: Pen): string[] {
  if (hasNoPerson(pen.event)) return [];
  const kind = pen.writer.random.next() < 0.65 ? 'backref' : 'rival';
  const event = pen.writer.random.next() < 0.4 ? pen.writer.background(pen.event, kind) : null;
  if (event === null) return [];
  const list = present(general.get(`${pen.lang} ${kind}`), kind);
  const recap = recapOf(event, pen.lang, pen.writer.random);
  const wording = { lang: pen.lang, dress: 'plain', facts: event.facts, isCasual: false } as const;
  const slots = { ...slotsFor(event, wording, pen.writer.random), recap };
  const day = showValue({ kind: 'day', value: event.at }, pen.lang, 'plain');
  const template = present(
    pen.writer.deck.draw(list, () => true),
    kind,
  );
  return [pen.finish(expand(template, { ...slots, day, date: day }, pen.writer.random))];
}

/** The event in one clause in the past tense, for references in other texts. */
export function recapOf(event: WorldEvent, lang: Lang, random: Random): string {
  const wording = { lang, dress: 'plain', facts: event.facts, isCasual: false } as const;
  const list = present(sectionsOf(event.type).get(`${lang} recap`), `recap of ${event.type}`);
  const template = present(list[Math.floor(random.next() * list.length)], 'a recap');
  return expand(template, slotsFor(event, wording, random), random);
}

function close(pen: Pen, chance: number): string[] {
  if (pen.writer.random.next() >= chance) return [];
  if (pen.voice === 'press' && hasNoPerson(pen.event)) return [];
  const list = general.get(`${pen.lang} close ${pen.voice}`) ?? [];
  const text = sentence(pen, list, null);
  return text === null ? [] : [text];
}

/** A short single sentence joins the previous paragraph. */
function paragraphsOf(pen: Pen, groups: readonly (readonly string[])[]): readonly string[] {
  const joint = pen.lang === 'en' ? ' ' : '';
  const short = pen.lang === 'en' ? 60 : 16;
  const paragraphs: string[] = [];
  for (const group of groups) {
    const text = group.join(joint);
    if (text === '') continue;
    const last = paragraphs.at(-1);
    if (last !== undefined && text.length < short)
      paragraphs[paragraphs.length - 1] = last + joint + text;
    else paragraphs.push(text);
  }
  return paragraphs;
}
