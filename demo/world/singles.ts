// Writes articles without an event: hand-written tips and opinions, and roundups that mention many
// events.

import type { Random } from '../../src/kernel/crypto/random.ts';
import { requirePresent } from '../../src/kernel/errors/assert.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/kernel/time/durations.ts';
import { finishChinese, finishEnglish } from './finish-sentence.ts';
import { pick } from './grammar.ts';
import { daysAfter, daysBefore } from './plan-events.ts';
import { publisherOf } from './publishers.ts';
import { readSections, requireSection } from './read-content.ts';
import { dayEn, dayZh } from './show-value.ts';
import type { EntryWithoutKey, WorldEvent } from './world-model.ts';
import { writeRecap } from './write-report.ts';

type Piece = { readonly title: string; readonly text: string };

function readPieces(path: string, lang: 'en' | 'zh'): readonly Piece[] {
  const lines = requireSection(readSections(path), lang);
  const pieces: Piece[] = [];
  for (const [index, line] of lines.entries()) {
    if (!line.startsWith('# ')) continue;
    pieces.push({
      title: line.slice(2),
      text: requirePresent(lines[index + 1], `text of ${line}`),
    });
  }
  return pieces;
}

/** Publishers of single articles; a repeated one publishes more. */
const publisherIds = {
  en: ['lanternloom', 'switchyard', 'sluice', 'lanternloom'],
  zh: ['guixu', 'moxingjie'],
} as const;

/** Every hand-written article once, distributed evenly over the days. */
export function writeSingleArticles(now: number, random: Random): readonly EntryWithoutKey[] {
  const start = (Math.floor(now / DAY_MS) - daysBefore) * DAY_MS;
  const span = (daysBefore + daysAfter) * DAY_MS;
  const pieces = (['en', 'zh'] as const).flatMap((lang) => [
    ...readPieces('topics/tips.txt', lang).map((piece) => ({
      piece,
      lang,
      category: 'tip' as const,
    })),
    ...readPieces('topics/opinions.txt', lang).map((piece) => {
      return { piece, lang, category: 'opinion' as const };
    }),
  ]);
  return pieces.map(({ piece, lang, category }, index) => {
    // 17 is coprime with the number of pieces, so neighbours in the file are far apart in time.
    const position = (index * 17) % pieces.length;
    const minutes = Math.round((((position + random.next()) / pieces.length) * span) / MINUTE_MS);
    const at = start + minutes * MINUTE_MS;
    const publisherId = pick(publisherIds[lang], random);
    const base = { publisherId, category, at, title: piece.title };
    return writeSingleArticle(
      base,
      `single-${lang}-${category}-${index}`,
      splitParagraphs(piece.text, lang),
    );
  });
}

function writeSingleArticle(
  base: Pick<EntryWithoutKey, 'publisherId' | 'category' | 'at' | 'title'>,
  id: string,
  paragraphs: readonly string[],
): EntryWithoutKey {
  const publisher = publisherOf(base.publisherId);
  return {
    ...base,
    eventId: id,
    storylineId: id,
    kind: 'single',
    lang: publisher.lang,
    paragraphs,
    author: publisher.bylines[0] ?? null,
    copyOf: null,
    republicationOf: null,
    edits: [],
    withdrawnAt: null,
    figures: {},
    correctsEarlier: false,
  };
}

function splitParagraphs(text: string, lang: 'en' | 'zh'): readonly string[] {
  const sentences = text.match(
    lang === 'en' ? /[^.?!]+[.?!]["”]?\s*/g : /[^。？！]+[。？！]”?/g,
  ) ?? [text];
  const middle = Math.ceil(sentences.length / 2);
  return [sentences.slice(0, middle), sentences.slice(middle)]
    .map((part) => part.join('').trim())
    .filter((part) => part !== '');
}

type RoundupInput = {
  readonly events: readonly WorldEvent[];
  readonly now: number;
  readonly random: Random;
};

/** The newsletter's roundup on Mondays, the Chinese morning paper on every third day. */
export function writeRoundups(input: RoundupInput): readonly EntryWithoutKey[] {
  const today = Math.floor(input.now / DAY_MS);
  const roundups: EntryWithoutKey[] = [];
  for (let day = today - daysBefore + 2; day <= today + daysAfter; day += 1) {
    const at = day * DAY_MS;
    if (new Date(at).getUTCDay() === 1) roundups.push(...writeWeekly(input, at + 7.5 * HOUR_MS));
    if (day % 3 === 0) roundups.push(...writeMorning(input, at + 0.5 * HOUR_MS));
  }
  return roundups;
}

function chooseEvents(
  input: RoundupInput,
  at: number,
  days: number,
  count: number,
): readonly WorldEvent[] {
  return input.events
    .filter((event) => event.at < at - HOUR_MS && event.at >= at - days * DAY_MS)
    .sort((a, b) => b.reports - a.reports || (a.id < b.id ? -1 : 1))
    .slice(0, count)
    .sort((a, b) => a.at - b.at);
}

const asides = [
  'More on this another week.',
  'I have nothing clever to add.',
  'Read the original.',
  'Watch the footnotes.',
  'About time.',
  'We shall see.',
];

function writeWeekly(input: RoundupInput, at: number): readonly EntryWithoutKey[] {
  const events = chooseEvents(input, at, 7, 9);
  if (events.length < 4) return [];
  const lines = events.map((event) => {
    const recap = finishEnglish(writeRecap(event, 'en', input.random), false);
    const aside = input.random.next() < 0.4 ? ` ${pick(asides, input.random)}` : '';
    return `${recap}.${aside}`;
  });
  const title = `The Sluice, week to ${dayEn(at)}: ${events.length} things worth knowing`;
  const opening = 'Good morning. Here is the week in short paragraphs; skip what you know.';
  const base = { publisherId: 'sluice', category: 'industry' as const, at, title };
  return [
    {
      ...writeSingleArticle(base, `roundup-sluice-${dayEn(at)}`, [opening, ...lines]),
      kind: 'roundup',
    },
  ];
}

function writeMorning(input: RoundupInput, at: number): readonly EntryWithoutKey[] {
  const events = chooseEvents(input, at, 3, 7);
  if (events.length < 3) return [];
  const lines = events.map((event, index) => {
    return finishChinese(`${index + 1}. ${writeRecap(event, 'zh', input.random)}。`, false);
  });
  const title = `模型街早报｜${dayZh(at)}：${events.length}条消息`;
  const base = { publisherId: 'moxingjie', category: 'industry' as const, at, title };
  const opening = '各位街坊早，今天的消息都在这里。';
  return [
    {
      ...writeSingleArticle(base, `roundup-moxingjie-${dayZh(at)}`, [opening, ...lines]),
      kind: 'roundup',
    },
  ];
}
