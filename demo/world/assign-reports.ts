// Assigns reports of events to publishers, with times and figures. The first party reports first,
// wires within six hours, blogs and newspapers within 29 hours. A publisher reports an event
// once.

import type { Random } from '../../src/kernel/crypto/random.ts';
import { requirePresent } from '../../src/kernel/errors/assert.ts';
import { MINUTE_MS } from '../../src/kernel/time/durations.ts';
import { pickWeighted, randomBetween } from './grammar.ts';
import { type Publisher, publishers } from './publishers.ts';
import type { Facts, WorldEvent } from './world-model.ts';
import { type Assignment, canReport } from './write-report.ts';

export type PlacedReport = Assignment & { readonly at: number; readonly canCopy: boolean };

export function assignReports(event: WorldEvent, random: Random): readonly PlacedReport[] {
  const publishers = choosePublishers(event, random);
  const times = publishers.map((publisher) => ({
    publisher,
    at: event.at + lagOf(publisher, random),
  }));
  times.sort((a, b) => a.at - b.at);
  return withFigures(event, times, random);
}

function lagOf(publisher: Publisher, random: Random): number {
  const [low, high] = publisher.lag;
  const earlyShare = Math.min(random.next(), random.next());
  return Math.round(low + (high - low) * earlyShare) * MINUTE_MS;
}

function choosePublishers(event: WorldEvent, random: Random): readonly Publisher[] {
  const selected: Publisher[] = firstParties(event, random);
  const pool = publishers.filter(
    (publisher) => publisher.covers === 'all' && canReport(event.type, publisher),
  );
  while (selected.length < event.reports) {
    const remainingPublishers = pool.filter((publisher) => !selected.includes(publisher));
    if (remainingPublishers.length === 0) break;
    const weights = remainingPublishers.map((publisher) => reportProbability(publisher, event));
    selected.push(pickWeighted(remainingPublishers, weights, random));
  }
  return selected;
}

function firstParties(event: WorldEvent, random: Random): Publisher[] {
  const isReporter = (publisher: Publisher) => canReport(event.type, publisher);
  const firstParty = publishers.find(
    (publisher) => publisher.company === event.company.id && isReporter(publisher),
  );
  const reportersWithId = (id: string) =>
    publishers.filter((publisher) => publisher.id === id && isReporter(publisher));
  if (event.type === 'paper') {
    return [
      ...reportersWithId('opensheaf'),
      ...(firstParty !== undefined && event.reports > 1 ? [firstParty] : []),
    ];
  }
  if (firstParty !== undefined && random.next() < 0.92) return [firstParty];
  if (event.reports > 1 && random.next() < 0.3) return reportersWithId('handbill');
  return [];
}

/** Publishers mostly report about their own region; the wires report most events of theirs. */
function reportProbability(publisher: Publisher, event: WorldEvent): number {
  const isHome = (publisher.lang === 'en') === (event.company.region === 'west');
  const isForumTopic = ['paper', 'benchmark', 'security', 'outage'].includes(event.type);
  const forumFactor = isForumTopic ? 1.8 : 0.8;
  const voiceFactor = publisher.voice === 'forum' ? forumFactor : 1;
  const foreignFactor = publisher.lang === 'en' ? 0.55 : 0.95;
  const regionFactor = isHome ? 2.2 : foreignFactor;
  return publisher.activity * regionFactor * voiceFactor;
}

type TimedReport = { readonly publisher: Publisher; readonly at: number };

function withFigures(
  event: WorldEvent,
  timedReports: readonly TimedReport[],
  random: Random,
): readonly PlacedReport[] {
  const contradictingIndex =
    event.plantedContradiction === null ? -1 : chooseLaterReport(timedReports, random);
  const { plantedContradiction } = event;
  return timedReports.map(({ publisher, at }, index) => {
    const isStated =
      plantedContradiction !== null && publisher.voice !== 'forum' && contradictingIndex >= 0;
    const canCopy = index !== contradictingIndex && random.next() < 0.4;
    const base = {
      event,
      publisher,
      at,
      canCopy,
      mustState: isStated ? plantedContradiction.slot : null,
    };
    const isBrief = random.next() < 0.12 && publisher.voice !== 'party';
    if (plantedContradiction === null || contradictingIndex < 0)
      return { ...base, facts: event.facts, revises: null, isBrief };
    return { ...base, ...figuresOf(event, index, contradictingIndex), isBrief };
  });
}

function figuresOf(
  event: WorldEvent,
  index: number,
  contradictingIndex: number,
): { readonly facts: Facts; readonly revises: Assignment['revises'] } {
  const plantedContradiction = requirePresent(
    event.plantedContradiction,
    'a planted contradiction',
  );
  const { slot } = plantedContradiction;
  const firstFigure = requirePresent(event.facts[slot], slot);
  const changedFacts = { ...event.facts, [slot]: plantedContradiction.other };
  if (plantedContradiction.kind === 'contradiction') {
    return { facts: index === contradictingIndex ? changedFacts : event.facts, revises: null };
  }
  // After the correction all publishers have the corrected figure.
  if (index < contradictingIndex) return { facts: event.facts, revises: null };
  const revises = index === contradictingIndex ? { slot, from: firstFigure } : null;
  return { facts: changedFacts, revises };
}

/** Index of a later report by an owner without an earlier report; -1 when there is none. */
function chooseLaterReport(timedReports: readonly TimedReport[], random: Random): number {
  const candidates = timedReports.flatMap(({ publisher }, index) => {
    const owners = timedReports.slice(0, index).map((entry) => entry.publisher.owner);
    const isArticle = publisher.voice !== 'forum' && publisher.voice !== 'party';
    const hasEarlierArticle = timedReports
      .slice(0, index)
      .some((entry) => entry.publisher.voice !== 'forum');
    return index > 0 && isArticle && hasEarlierArticle && !owners.includes(publisher.owner)
      ? [index]
      : [];
  });
  return candidates.length === 0
    ? -1
    : requirePresent(candidates[randomBetween(0, candidates.length - 1, random)], 'an index');
}
