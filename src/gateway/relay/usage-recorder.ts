// Stores the usage of calls in the background: in batches, one insert at a time, with retries while
// the database is unavailable.

import { openBatcher } from '../../kernel/concurrency/batcher.ts';
import { messageOf } from '../../kernel/errors/fault.ts';
import type { Db } from '../../kernel/ports/db.ts';
import type { World } from '../../kernel/world.ts';
import { insertRelayUsage, type RelayUsageRow } from '../../store/gateway/relay-usage.ts';

export type UsageRecorder = {
  record(row: RelayUsageRow): void;
  /** Resolves when all recorded rows are written or dropped. */
  flush(): Promise<void>;
};

const BATCH_SIZE = 500;
const BATCH_INTERVAL_MS = 100;
const RETRY_MS = 1_000;
/** Above this number the oldest records are dropped, and the log reports their count. */
const WAITING_MAX = 50_000;

export function openUsageRecorder(world: World, db: Db): UsageRecorder {
  let waiting: RelayUsageRow[] = [];
  let pendingWrite: Promise<void> | null = null;
  const batcher = openBatcher(world.clock, BATCH_INTERVAL_MS);
  const closeController = new AbortController();
  const write = async () => {
    await batcher.wait();
    while (waiting.length > 0) {
      const batch = waiting.slice(0, BATCH_SIZE);
      try {
        await insertRelayUsage(db, batch);
        const writtenRows = new Set(batch);
        waiting = waiting.filter((row) => !writtenRows.has(row));
      } catch (error) {
        world.log.warn(
          { error: messageOf(error), waiting: waiting.length },
          'usage not written; it is written again later',
        );
        if (closeController.signal.aborted) {
          world.log.error({ lost: waiting.length }, 'usage records lost');
          waiting = [];
          return;
        }
        await world.clock.sleep(RETRY_MS, closeController.signal).catch(() => {});
      }
    }
  };
  const start = () => {
    pendingWrite ??= write().finally(() => {
      pendingWrite = null;
    });
    return pendingWrite;
  };
  return {
    record: (row) => {
      waiting.push(row);
      const excessCount = waiting.length - WAITING_MAX;
      if (excessCount > 0) {
        waiting = waiting.slice(excessCount);
        world.log.error({ lost: excessCount }, 'usage records lost');
      }
      start();
    },
    flush: () =>
      batcher.runImmediately(async () => {
        closeController.abort();
        await (pendingWrite ?? start());
      }),
  };
}
