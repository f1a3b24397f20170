// `radar item rejudge`: enriches items again with the current prompts, model and rules. The command
// queues the items and shows the progress; a worker enriches them.

import { Fault } from '../../kernel/errors/fault.ts';
import { DAY_MS } from '../../kernel/time/durations.ts';
import { countPendingItems, reEnrichItems } from '../../radar/enrichment/re-enrich-items.ts';
import type { App } from '../app.ts';
import { openProgress } from '../progress.ts';

const POLL_INTERVAL_MS = 1_000;
/** A worker searches for pending items once a minute. */
const NO_WORKER_MS = 150_000;

export type RejudgeOptions = {
  readonly since?: string;
  readonly marked?: boolean;
  readonly all?: boolean;
  readonly wait: boolean;
};

export async function reEnrich(
  app: App,
  ids: readonly string[],
  { since, marked = false, all = false, wait }: RejudgeOptions,
): Promise<void> {
  if (ids.length === 0 && since === undefined && !marked && !all) {
    throw new Fault(
      'invalid_request',
      'Choose items: ids, --since 24h, --marked (rules replaced the model), or --all.',
    );
  }
  await app.withApp(async ({ world, db }) => {
    const { clock } = world;
    const from = since === undefined ? null : clock.now() - parseSpan(since);
    const filter = { ids: ids.length === 0 ? null : ids, since: from, isMarked: marked };
    const pending = await reEnrichItems(world, db, filter);
    const unknownIds = ids.filter((id) => !pending.includes(id));
    // With --marked or --since, an absent id can belong to an item outside of the filter.
    if (unknownIds.length > 0 && !marked && since === undefined) {
      throw new Fault('not_found', `There is no enriched item ${unknownIds.join(', ')}.`);
    }
    if (!wait || pending.length === 0) {
      app.terminal.out(`${pending.length} items wait for enrichment.\n`);
      return;
    }
    const progress = openProgress(clock, app.terminal);
    let remainingCount = pending.length;
    let progressAt = clock.now();
    while (remainingCount > 0) {
      await clock.sleep(POLL_INTERVAL_MS);
      const pendingCount = await countPendingItems(db, pending);
      if (pendingCount !== remainingCount) progressAt = clock.now();
      remainingCount = pendingCount;
      progress.show(`enriching ${pending.length - remainingCount}/${pending.length} items`);
      if (clock.now() - progressAt > NO_WORKER_MS) {
        progress.clear();
        throw new Fault(
          'temporarily_unavailable',
          `${remainingCount} items still wait for enrichment, without progress for a while. ` +
            'Check that a worker runs: only a worker enriches items.',
        );
      }
    }
    progress.clear();
    app.terminal.out(`${pending.length} items are enriched again.\n`);
  });
}

const units = { m: 60_000, h: 3_600_000, d: DAY_MS } as const;

function parseSpan(text: string): number {
  const [, count, unit] = /^(\d{1,5})([mhd])$/.exec(text) ?? [];
  if (count === undefined || unit === undefined) {
    throw new Fault('invalid_request', `--since ${text}: must be like 30m, 24h or 7d.`);
  }
  return Number(count) * units[unit as keyof typeof units];
}
