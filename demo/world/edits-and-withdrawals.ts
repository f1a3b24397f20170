// Adds later changes by publishers: silent edits, withdrawals, and the move to a new system, which
// republishes entries with new ids and dates.

import type { Random } from '../../src/kernel/crypto/random.ts';
import { requirePresent } from '../../src/kernel/errors/assert.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/kernel/time/durations.ts';
import { publisherOf } from './publishers.ts';
import type { WorldEntry, WorldEvent } from './world-model.ts';
import { type ReportWriter, writeReport } from './write-report.ts';

/** The publishers that edit silently, withdraw, and republish. */
const silentEditor = 'quayside';
const withdrawer = 'commons';
const republisher = 'tidemark';
const republishedCount = 25;

/**
 * One in eight of the editing publisher's entries first appears shorter and with another headline.
 */
export function withEdits(
  entries: readonly WorldEntry[],
  writer: ReportWriter,
  events: readonly WorldEvent[],
): readonly WorldEntry[] {
  const byId = new Map(events.map((event) => [event.id, event]));
  return entries.map((entry) => {
    const event = byId.get(entry.eventId);
    const isEdited = entry.publisherId === silentEditor && writer.random.next() < 0.125;
    if (
      !isEdited ||
      event === undefined ||
      event.plantedContradiction !== null ||
      entry.copyOf !== null
    ) {
      return entry;
    }
    const publisher = publisherOf(entry.publisherId);
    const plainReport = { mustState: null, revises: null, isBrief: false };
    const otherReport = writeReport(writer, {
      event,
      publisher,
      facts: event.facts,
      ...plainReport,
    });
    const at = entry.at + (1 + writer.random.next() * 20) * HOUR_MS;
    const edit = { at: Math.round(at), title: otherReport.title, paragraphs: entry.paragraphs };
    const firstVersion = entry.paragraphs.slice(0, Math.max(1, entry.paragraphs.length - 1));
    return { ...entry, paragraphs: firstVersion, edits: [edit] };
  });
}

/** One thread in nine is removed by the moderators within two days. */
export function withWithdrawals(
  entries: readonly WorldEntry[],
  random: Random,
): readonly WorldEntry[] {
  return entries.map((entry) => {
    if (entry.publisherId !== withdrawer || random.next() >= 1 / 9) return entry;
    return { ...entry, withdrawnAt: entry.at + Math.round((3 + random.next() * 44) * HOUR_MS) };
  });
}

/** Thirteen days before `now` the last entries of the republisher appear again, one a minute. */
export function withRepublications(
  entries: readonly WorldEntry[],
  now: number,
): readonly WorldEntry[] {
  const moveAt = Math.floor(now / DAY_MS) * DAY_MS - 13 * DAY_MS + 10 * HOUR_MS;
  const earlierEntries = entries
    .filter((entry) => entry.publisherId === republisher && entry.at < moveAt)
    .sort((a, b) => a.at - b.at)
    .slice(-republishedCount);
  const republications = earlierEntries.map((entry, index) => ({
    ...entry,
    key: `${republisher}-r${String(index + 1).padStart(4, '0')}`,
    at: moveAt + index * MINUTE_MS,
    republicationOf: requirePresent(entry.key, 'the first key'),
  }));
  return [...entries, ...republications];
}
