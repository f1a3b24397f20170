// Selects the entries of a publisher that are visible at a time: published, not withdrawn, in their
// latest version. The feed shows the latest entries. It is long enough for the entries of any
// twelve hours.
import { HOUR_MS } from '../../src/kernel/time/durations.ts';
import type { WorldEntry } from '../world/world-model.ts';
import type { Profile } from './profiles.ts';

/** Fetches at this interval miss no entry. */
export const pollSpacingHours = 12;

export type VisibleEntry = {
  readonly entry: WorldEntry;
  /** The part of the key after the publisher. Addresses and ids contain it. */
  readonly number: string;
  readonly title: string;
  readonly paragraphs: readonly string[];
  /** When the text last changed, epoch milliseconds. */
  readonly changedAt: number;
};

export type VisibleEntries = {
  /** Latest first. */
  latest(at: number): readonly VisibleEntry[];
  /** All visible entries, latest first. */
  all(at: number): readonly VisibleEntry[];
  find(number: string, at: number): 'unknown' | 'gone' | VisibleEntry;
  /** The new number of an entry that was republished by `at`. */
  newNumberOf(number: string, at: number): string | null;
  /** Maximum number of entries in the feed. */
  readonly length: number;
};

export function selectVisibleEntries(
  profile: Profile,
  entries: readonly WorldEntry[],
): VisibleEntries {
  const publisherEntries = entries.filter((entry) => entry.publisherId === profile.id);
  const byNumber = new Map(publisherEntries.map((entry) => [numberOf(entry.key), entry]));
  const republications = new Map(
    publisherEntries.flatMap(({ republicationOf, key, at }) => {
      return republicationOf === null ? [] : [[numberOf(republicationOf), { key, at }] as const];
    }),
  );
  // During an outage of nine hours a fetch can fail, and the next fetch follows after the outage.
  // Twelve and nine hours then lie between two successful fetches. One more hour is a margin.
  const windowHours = profile.fault === 'goes-down' ? pollSpacingHours + 10 : pollSpacingHours;
  const length = Math.max(
    profile.length,
    maxEntriesWithin(publisherEntries, windowHours * HOUR_MS) + 2,
  );
  const isVisible = ({ at, withdrawnAt, key }: WorldEntry, now: number) => {
    const movedEntry = republications.get(numberOf(key));
    const isGone = withdrawnAt !== null && withdrawnAt <= now;
    return at <= now && !isGone && (movedEntry === undefined || movedEntry.at > now);
  };
  const entriesUntil = (now: number) => {
    return publisherEntries
      .filter((entry) => isVisible(entry, now))
      .reverse()
      .map((entry) => visibleEntryOf(entry, now));
  };
  return {
    length,
    all: entriesUntil,
    latest: (now) => {
      const entries: VisibleEntry[] = [];
      for (
        let index = publisherEntries.length - 1;
        index >= 0 && entries.length < length;
        index -= 1
      ) {
        const entry = publisherEntries[index];
        if (entry !== undefined && isVisible(entry, now)) entries.push(visibleEntryOf(entry, now));
      }
      return entries;
    },
    find: (number, now) => {
      const entry = byNumber.get(number);
      if (entry === undefined || entry.at > now) return 'unknown';
      if (entry.withdrawnAt !== null && entry.withdrawnAt <= now) return 'gone';
      return visibleEntryOf(entry, now);
    },
    newNumberOf: (number, now) => {
      const movedEntry = republications.get(number);
      return movedEntry === undefined || movedEntry.at > now ? null : numberOf(movedEntry.key);
    },
  };
}

function numberOf(key: string): string {
  return key.slice(key.lastIndexOf('-') + 1);
}

function visibleEntryOf(entry: WorldEntry, now: number): VisibleEntry {
  const edit = entry.edits.findLast((edit) => edit.at <= now);
  const text = edit ?? entry;
  return {
    entry,
    number: numberOf(entry.key),
    title: text.title,
    paragraphs: text.paragraphs,
    changedAt: text.at,
  };
}

/** The maximum number of entries within any span of `windowMs`; entries are in order of time. */
function maxEntriesWithin(entries: readonly WorldEntry[], windowMs: number): number {
  let firstIndex = 0;
  let maximum = 0;
  for (const [index, entry] of entries.entries()) {
    while ((entries[firstIndex]?.at ?? 0) <= entry.at - windowMs) firstIndex += 1;
    maximum = Math.max(maximum, index - firstIndex + 1);
  }
  return maximum;
}
