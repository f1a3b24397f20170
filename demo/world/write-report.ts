// Writes one report of one event in one style: headline, paragraphs, and the figures that it
// states.

import { type Random, seededRandom } from '../../src/kernel/crypto/random.ts';
import { assert, requirePresent } from '../../src/kernel/errors/assert.ts';
import { annotateNames } from './annotate-names.ts';
import { finishChinese, finishEnglish } from './finish-sentence.ts';
import { type Deck, expand, expandTracked, randomBetween, type Slots, slotsOf } from './grammar.ts';
import { figureNouns } from './plant-contradictions.ts';
import type { Publisher, Voice } from './publishers.ts';
import { readSections, type Sections } from './read-content.ts';
import { type NumberStyle, showValue } from './show-value.ts';
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
  /** Another event for a background sentence, or null. */
  readonly background: (event: WorldEvent, kind: 'backref' | 'rival') => WorldEvent | null;
};

export type Assignment = {
  readonly event: WorldEvent;
  readonly publisher: Publisher;
  /** Figures as this publisher states them. */
  readonly facts: Facts;
  /** The slot of a planted figure, which the report must state. */
  readonly mustState: string | null;
  /** The earlier value, in the report that corrects a figure. */
  readonly revises: { readonly slot: string; readonly from: Value } | null;
  readonly isBrief: boolean;
};

const sectionsByType = new Map<string, Sections>();
const generalSections = readSections('content/general.txt');

function sectionsOf(type: string): Sections {
  const sectionsOfType = sectionsByType.get(type) ?? readSections(`content/${type}.txt`);
  sectionsByType.set(type, sectionsOfType);
  return sectionsOfType;
}

function langOf(publisher: Publisher): Lang {
  return publisher.lang === 'en' ? 'en' : 'zh';
}

/** Whether the content has texts for this kind of event in the publisher's style. */
export function canReport(type: string, publisher: Publisher): boolean {
  return sectionsOf(type).has(`${langOf(publisher)} head ${publisher.voice}`);
}

type ReportDraft = {
  readonly writer: ReportWriter;
  readonly lang: Lang;
  readonly voice: Voice;
  readonly event: WorldEvent;
  readonly slots: Slots;
  readonly facts: Facts;
  readonly figures: Record<string, Value>;
  /** Templates that any report of the event has used. */
  readonly eventTemplates: Set<string>;
  /** Slots that the body already contains; a report states each fact once. */
  readonly statedSlots: Set<string>;
  /** Templates that this report has used. */
  readonly usedTemplates: Set<string>;
  readonly finish: (text: string) => string;
};

export function writeReport(writer: ReportWriter, task: Assignment): Text {
  const { event, publisher } = task;
  const lang = langOf(publisher);
  const isCasual = publisher.voice === 'forum' || publisher.voice === 'media';
  const notation: NumberStyle = ['press', 'party'].includes(publisher.voice) ? 'plain' : 'terse';
  const wording = { lang, notation, facts: task.facts, isCasual };
  const slots = slotsFor(event, wording, writer.random);
  const draft: ReportDraft = {
    writer,
    lang,
    voice: publisher.voice,
    event,
    slots,
    facts: task.facts,
    figures: {},
    eventTemplates: writer.usedFor(event.id),
    statedSlots: new Set<string>(),
    usedTemplates: new Set(),
    finish: (text) =>
      lang === 'en'
        ? finishEnglish(text, publisher.voice === 'forum')
        : finishChinese(text, publisher.isSpaced === true),
  };
  const terseFacts = { ...slots, ...formatFacts(task.facts, lang, 'terse') };
  const title =
    publisher.covers === 'papers'
      ? requirePresent(slots.title, 'title of the paper')
      : writeHeadline({
          ...draft,
          statedSlots: new Set(),
          usedTemplates: new Set(),
          slots: lang === 'en' ? terseFacts : slots,
        });
  const body =
    publisher.covers === 'papers'
      ? writeAbstract(draft)
      : addSentences(draft, writeBody(draft, task));
  const isThirdParty = publisher.company === undefined && publisher.voice !== 'forum';
  const paragraphs = isThirdParty ? annotateNames(event, lang, body, writer.random) : body;
  assert(paragraphs.length > 0, `a report of ${event.id} has text`);
  return { title, paragraphs, figures: draft.figures };
}

function formatFacts(facts: Facts, lang: Lang, notation: NumberStyle): Slots {
  const figures = Object.entries(facts).filter(([name, value]) => {
    return value.kind !== 'text' && name !== 'ago';
  });
  return Object.fromEntries(
    figures.map(([name, value]) => [name, showValue(value, lang, notation)]),
  );
}

function writeHeadline(draft: ReportDraft): string {
  const list = requirePresent(
    sectionsOf(draft.event.type).get(`${draft.lang} head ${draft.voice}`),
    `headlines of ${draft.event.type}`,
  );
  return requirePresent(
    writeSentence(draft, list, null),
    `a headline for ${draft.event.type}`,
  ).replace(/\.$/, '');
}

/** Slots that only name people, companies or products. They may repeat. */
const nameSlots = new Set(
  'co Co what city ceo day date kind p p.last p.role a.firm family product prev version'
    .concat(' plaintiff court regulator regulatorShort bench org group target other investor site')
    .concat(' finder person pe.last pe.he pe.He pe.him pe.his lab uni ago slug')
    .split(' '),
);

function isRepetition(draft: ReportDraft, slots: readonly string[]): boolean {
  const speaker = ['p', 'p.said', 'p.title'];
  const isSpeaker = (slot: string) => speaker.includes(slot);
  if (slots.some(isSpeaker) && speaker.some((slot) => draft.statedSlots.has(slot))) return true;
  const factSlots = slots.filter((slot) => !nameSlots.has(slot) && !isSpeaker(slot));
  return factSlots.length > 0 && factSlots.every((slot) => draft.statedSlots.has(slot));
}

/** A new sentence from a list; null when every template was used or lacks its slots. */
function writeSentence(
  draft: ReportDraft,
  list: readonly string[],
  requiredSlot: string | null,
): string | null {
  const triedTemplates = new Set<string>();
  const isUsable = (template: string) => {
    const slots = slotsOf(template);
    const isFilled = slots.every((slot) => (draft.slots[slot] ?? '') !== '');
    return (
      isFilled &&
      !triedTemplates.has(template) &&
      !draft.usedTemplates.has(template) &&
      (requiredSlot === null || slots.includes(requiredSlot))
    );
  };
  for (let attempt = 0; attempt < 8; attempt += 1) {
    const template =
      draft.writer.deck.draw(list, (name) => !draft.eventTemplates.has(name) && isUsable(name)) ??
      draft.writer.deck.draw(list, isUsable);
    if (template === null) return null;
    triedTemplates.add(template);
    const random = factualTemplates(draft).has(template)
      ? randomOf(draft.event.id + template)
      : draft.writer.random;
    const { text, slots: slotNames } = expandTracked(
      template,
      withIntroductions(draft, template),
      random,
    );
    if (
      isRepetition(draft, slotNames) ||
      (requiredSlot !== null && !slotNames.includes(requiredSlot))
    )
      continue;
    draft.eventTemplates.add(template);
    draft.usedTemplates.add(template);
    recordUse(draft, slotNames);
    return draft.finish(text);
  }
  return null;
}

/**
 * Templates of facts. The alternatives of such a template contradict each other, so all reports of
 * an event choose the same one.
 */
function factualTemplates(draft: ReportDraft): ReadonlySet<string> {
  const sections = sectionsOf(draft.event.type);
  const cachedTemplates = templatesBySections.get(sections);
  if (cachedTemplates !== undefined) return cachedTemplates;
  const names = ['en detail', 'en party', 'zh detail', 'zh party'];
  const texts = new Set(names.flatMap((name) => sections.get(name) ?? []));
  templatesBySections.set(sections, texts);
  return texts;
}

const templatesBySections = new WeakMap<Sections, ReadonlySet<string>>();

/** A random source that is equal for equal texts (FNV-1a). */
function randomOf(text: string): Random {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return seededRandom(hash >>> 0);
}

/** A speaker is introduced with full name and role; later the last name is used. */
function withIntroductions(draft: ReportDraft, template: string): Slots {
  const { slots, statedSlots } = draft;
  const isKnown = ['p', 'p.said', 'p.last'].some((slot) => statedSlots.has(slot));
  if (isKnown || draft.lang === 'zh' || !template.includes('{p.last}')) return slots;
  return { ...slots, 'p.last': `${slots.p}, ${slots['p.role']},` };
}

function recordUse(draft: ReportDraft, names: readonly string[]): void {
  for (const name of names) {
    draft.statedSlots.add(name);
    if (name === 'p.last') draft.statedSlots.add('p');
    const value = draft.facts[name];
    if (value !== undefined && value.kind !== 'text') draft.figures[name] = value;
  }
}

function writeSentences(draft: ReportDraft, name: string, count: number): string[] {
  const list = sectionsOf(draft.event.type).get(`${draft.lang} ${name}`) ?? [];
  const sentences: string[] = [];
  for (let index = 0; index < Math.min(count, list.length); index += 1) {
    const text = writeSentence(draft, list, null);
    if (text !== null && !sentences.includes(text)) sentences.push(text);
  }
  return sentences;
}

function writeBody(draft: ReportDraft, task: Assignment): readonly string[] {
  const { random } = draft.writer;
  const lead = writeSentences(draft, `lead ${draft.voice}`, 1);
  if (task.isBrief && draft.voice !== 'forum')
    return paragraphsOf(draft, [
      [...lead, ...writePlantedSentences(draft, task), ...writeSentences(draft, 'detail', 1)],
    ]);
  if (draft.voice === 'forum') {
    const posts = [
      ...writePlantedSentences(draft, task),
      ...writeSentences(draft, 'forum', randomBetween(1, 3, random)),
    ];
    return [...lead, ...posts];
  }
  if (draft.voice === 'party') {
    const body = writeSentences(draft, 'party', randomBetween(3, 6, random));
    const quotes = random.next() < 0.5 ? writeSentences(draft, 'quote', 1) : [];
    const middle = Math.ceil(body.length / 2);
    const secondHalf = [...writePlantedSentences(draft, task), ...body.slice(middle)];
    return paragraphsOf(draft, [
      [...lead, ...body.slice(0, middle)],
      secondHalf,
      quotes,
      describeCompany(draft, 0.4),
    ]);
  }
  if (draft.voice === 'press') {
    const facts = [
      ...writePlantedSentences(draft, task),
      ...writeSentences(draft, 'detail', randomBetween(3, 5, random)),
    ];
    const middle = Math.ceil(facts.length / 2);
    const quotes = writeSentences(draft, 'quote', randomBetween(1, 2, random));
    const lastParagraph = [
      ...describeCompany(draft, 0.5),
      ...writeBackground(draft),
      ...writeClosingSentence(draft, 0.5),
    ];
    const paragraphs = [
      [...lead, ...facts.slice(0, 1)],
      facts.slice(1, middle),
      quotes,
      facts.slice(middle),
    ];
    return paragraphsOf(draft, [...paragraphs, lastParagraph]);
  }
  const views = writeSentences(
    draft,
    draft.voice === 'blog' ? 'blog' : 'media',
    randomBetween(2, 4, random),
  );
  const facts = [
    ...writePlantedSentences(draft, task),
    ...writeSentences(draft, 'detail', randomBetween(1, 3, random)),
  ];
  const lastParagraph = [
    ...views.slice(2),
    ...writeBackground(draft),
    ...writeClosingSentence(draft, 0.6),
  ];
  return paragraphsOf(draft, [
    [...lead, ...facts.slice(0, 1)],
    facts.slice(1),
    views.slice(0, 2),
    lastParagraph,
  ]);
}

/** Adds up to three sentences to a text of at most two, such as a brief; never to a forum post. */
function addSentences(draft: ReportDraft, body: readonly string[]): readonly string[] {
  const count = body.join('').match(/[.?!。？！]/g)?.length ?? 0;
  if (draft.voice === 'forum' || count > 2) return body;
  const addedSentences = [
    ...writeSentences(draft, 'detail', 1),
    ...describeCompany(draft, 1),
    ...writeClosingSentence(draft, 1),
  ];
  return addedSentences.length === 0
    ? body
    : [...body, addedSentences.join(draft.lang === 'en' ? ' ' : '')];
}

/** A preprint server shows abstracts: one paragraph with its sentences in order. */
function writeAbstract(draft: ReportDraft): readonly string[] {
  const list = requirePresent(sectionsOf(draft.event.type).get('en abstract'), 'abstract');
  const sentences = list.map((template) => {
    const { text, slots: slotNames } = expandTracked(template, draft.slots, draft.writer.random);
    recordUse(draft, slotNames);
    return draft.finish(text);
  });
  return [sentences.join(' ')];
}

/** The planted figure of this report, if it must state one, and its correction. */
function writePlantedSentences(draft: ReportDraft, task: Assignment): string[] {
  const { mustState, revises } = task;
  const sentences: string[] = [];
  if (revises !== null) sentences.push(writeCorrection(draft, revises.slot, revises.from));
  if (mustState === null || revises !== null || draft.figures[mustState] !== undefined)
    return sentences;
  const sections = sectionsOf(draft.event.type);
  for (const name of [
    draft.voice === 'party' ? 'party' : 'detail',
    'detail',
    `lead ${draft.voice}`,
  ]) {
    const text = writeSentence(draft, sections.get(`${draft.lang} ${name}`) ?? [], mustState);
    if (text !== null) return [...sentences, text];
  }
  return sentences;
}

function writeCorrection(draft: ReportDraft, slot: string, from: Value): string {
  const value = requirePresent(draft.facts[slot], slot);
  const notation: NumberStyle =
    draft.voice === 'press' || draft.voice === 'party' ? 'plain' : 'terse';
  const slots = {
    ...draft.slots,
    noun: requirePresent(figureNouns[slot], `noun of ${slot}`)[draft.lang],
    old: showValue(from, draft.lang, notation),
    new: showValue(value, draft.lang, notation),
  };
  recordUse(draft, [slot]);
  const list = requirePresent(generalSections.get(`${draft.lang} revision`), 'revisions');
  const template = requirePresent(
    draft.writer.deck.draw(list, () => true),
    'a correction',
  );
  return draft.finish(expand(template, slots, draft.writer.random));
}

/** Regulations and surveys are not about a single company. */
function hasNoCompany(event: WorldEvent): boolean {
  return event.type === 'rule' || event.type === 'survey';
}

function describeCompany(draft: ReportDraft, chance: number): string[] {
  if (hasNoCompany(draft.event) || draft.writer.random.next() >= chance) return [];
  const { company, product } = draft.event;
  const isEn = draft.lang === 'en';
  const list = [...(isEn ? company.about : company.aboutZh)];
  if (product !== null && isEn) list.push(`${product.about}.`);
  if (product !== null && !isEn) list.push(`${product.aboutZh}。`);
  const text = draft.writer.deck.draw(list, () => true);
  return text === null ? [] : [draft.finish(text)];
}

function writeBackground(draft: ReportDraft): string[] {
  if (hasNoCompany(draft.event)) return [];
  const kind = draft.writer.random.next() < 0.65 ? 'backref' : 'rival';
  const event =
    draft.writer.random.next() < 0.4 ? draft.writer.background(draft.event, kind) : null;
  if (event === null) return [];
  const list = requirePresent(generalSections.get(`${draft.lang} ${kind}`), kind);
  const recap = writeRecap(event, draft.lang, draft.writer.random);
  const wording = {
    lang: draft.lang,
    notation: 'plain',
    facts: event.facts,
    isCasual: false,
  } as const;
  const slots = { ...slotsFor(event, wording, draft.writer.random), recap };
  const day = showValue({ kind: 'day', value: event.at }, draft.lang, 'plain');
  const template = requirePresent(
    draft.writer.deck.draw(list, () => true),
    kind,
  );
  return [draft.finish(expand(template, { ...slots, day, date: day }, draft.writer.random))];
}

/** Describes the event in one clause in the past tense, for references in other texts. */
export function writeRecap(event: WorldEvent, lang: Lang, random: Random): string {
  const wording = { lang, notation: 'plain', facts: event.facts, isCasual: false } as const;
  const list = requirePresent(
    sectionsOf(event.type).get(`${lang} recap`),
    `recap of ${event.type}`,
  );
  const template = requirePresent(list[Math.floor(random.next() * list.length)], 'a recap');
  return expand(template, slotsFor(event, wording, random), random);
}

function writeClosingSentence(draft: ReportDraft, chance: number): string[] {
  if (draft.writer.random.next() >= chance) return [];
  if (draft.voice === 'press' && hasNoCompany(draft.event)) return [];
  const list = generalSections.get(`${draft.lang} close ${draft.voice}`) ?? [];
  const text = writeSentence(draft, list, null);
  return text === null ? [] : [text];
}

/** A short single sentence joins the previous paragraph. */
function paragraphsOf(
  draft: ReportDraft,
  groups: readonly (readonly string[])[],
): readonly string[] {
  const joiner = draft.lang === 'en' ? ' ' : '';
  const shortLength = draft.lang === 'en' ? 60 : 16;
  const paragraphs: string[] = [];
  for (const group of groups) {
    const text = group.join(joiner);
    if (text === '') continue;
    const last = paragraphs.at(-1);
    if (last !== undefined && text.length < shortLength)
      paragraphs[paragraphs.length - 1] = last + joiner + text;
    else paragraphs.push(text);
  }
  return paragraphs;
}
