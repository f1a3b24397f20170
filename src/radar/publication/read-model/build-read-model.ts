// Applies large changes, such as the whole window at the start, in slices. Requests are served in
// between.
import { setImmediate } from 'node:timers/promises';
import { timeSection } from '../../../kernel/observability/timed-section.ts';
import { HOUR_MS } from '../../../kernel/time/durations.ts';
import type { PublicItem } from '../item.ts';
import { applyChanges, type ReadModelChanges } from './apply-changes.ts';
import { emptyReadModel, type ReadModel } from './read-model.ts';

// Items per slice, about 2 ms of work. Changed items are in random chunks of the lists. At the
// start, items are sorted by hour, so a slice affects few chunks and can have more items.
const CHANGE_SLICE_ITEMS = 16;
const START_SLICE_ITEMS = 125;

/**
 * Like `applyChanges`, but yields to other work every few milliseconds. The result is complete; no
 * partial read model is shown.
 */
export async function applyInSlices(
  model: ReadModel,
  { version, upserts, removals }: ReadModelChanges,
  now: number,
  sliceItems = CHANGE_SLICE_ITEMS,
): Promise<ReadModel> {
  const removedIds = new Set(removals);
  let nextModel = model;
  // At least one slice: an apply without changes still drops expired items.
  const slices = Math.max(1, Math.ceil(Math.max(upserts.length, removals.length) / sliceItems));
  for (let index = 0; index < slices * sliceItems; index += sliceItems) {
    if (index > 0) await setImmediate();
    const slice = {
      version,
      upserts: upserts.slice(index, index + sliceItems).filter((item) => !removedIds.has(item.id)),
      removals: removals.slice(index, index + sliceItems),
    };
    const before = nextModel;
    nextModel = timeSection('read model: a slice of changes', () =>
      applyChanges(before, slice, now),
    );
  }
  return { ...nextModel, version };
}

/** Returns a read model of those items that are in the window at `now`. */
export async function buildReadModel(
  version: number,
  items: readonly PublicItem[],
  now: number,
): Promise<ReadModel> {
  const upserts = await sortByHour(items);
  return applyInSlices(
    emptyReadModel(),
    { version, upserts, removals: [] },
    now,
    START_SLICE_ITEMS,
  );
}

/**
 * Sorts items by hours, so that a slice affects few chunks of each list. A full sort would block
 * the event loop.
 */
async function sortByHour(items: readonly PublicItem[]): Promise<PublicItem[]> {
  const hours = new Map<number, PublicItem[]>();
  for (const [index, item] of items.entries()) {
    if (index % 10_000 === 9_999) await setImmediate();
    const hour = Math.floor(item.timelineAt / HOUR_MS);
    const itemsOfHour = hours.get(hour);
    if (itemsOfHour === undefined) hours.set(hour, [item]);
    else itemsOfHour.push(item);
  }
  return [...hours].sort(([a], [b]) => b - a).flatMap(([, itemsOfHour]) => itemsOfHour);
}
