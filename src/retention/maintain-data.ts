// Creates the partitions of this month and the next, and removes the months that the policy does
// not retain.
import { messageOf } from '../kernel/errors/fault.ts';
import type { Db } from '../kernel/ports/db.ts';
import { toWireTime } from '../kernel/time/calendar.ts';
import { DAY_MS, HOUR_MS } from '../kernel/time/durations.ts';
import type { World } from '../kernel/world.ts';
import { arePartitionsMissing, makePartitions } from '../store/platform/partitions.ts';
import {
  applyRetention,
  planRetention,
  type RetentionPolicy,
  type RetiredFiles,
  type TableRetention,
} from '../store/platform/retention.ts';

export type Retention = {
  readonly policy: RetentionPolicy;
  /** Null: no storage is configured. */
  readonly files: RetiredFiles | null;
};

export type RetentionPlan = readonly TableRetention[];

/** Returns the months that the policy would remove now, by table. */
export function planRemoval(world: World, db: Db, { policy }: Retention): Promise<RetentionPlan> {
  return planRetention(world, db, policy);
}

/** Exports and removes the months that the policy does not retain; reports each step. */
export function removeMonths(
  world: World,
  db: Db,
  { policy, files }: Retention,
  report: (step: string) => void,
): Promise<void> {
  return applyRetention(world, db, policy, { files, report });
}

export type DataMaintenance = {
  isDue(): Promise<boolean>;
  run(): Promise<void>;
};

/**
 * Makes missing partitions, and applies the policy once a day and after a start. A failed policy is
 * applied again after an hour.
 */
export function openDataMaintenance(
  world: World,
  db: Db,
  retention: Retention | null,
): DataMaintenance {
  let policyDueAt = Number.NEGATIVE_INFINITY;
  const isPolicyDue = () => retention !== null && world.clock.now() >= policyDueAt;
  return {
    isDue: async () => isPolicyDue() || (await arePartitionsMissing(world, db)),
    run: async () => {
      await makePartitions(world, db);
      if (retention === null || !isPolicyDue()) return;
      policyDueAt = world.clock.now() + DAY_MS;
      try {
        await removeMonths(world, db, retention, (step) =>
          world.log.info({ step }, 'a step of the retention policy'),
        );
      } catch (error) {
        policyDueAt = world.clock.now() + HOUR_MS;
        const fields = { error: messageOf(error), nextTry: toWireTime(policyDueAt) };
        world.log.error(fields, 'the retention policy failed');
      }
    },
  };
}
