// Implements the queue with pg-boss: durable jobs in the same database, one at a time per key,
// retried with backoff. Its only schedule triggers the tick; `run-due.ts` decides what is due.
import { sql } from 'kysely';
import { PgBoss } from 'pg-boss';
import { messageOf } from '../../kernel/errors/fault.ts';
import type { Log } from '../../kernel/observability/log.ts';
import type { Db } from '../../kernel/ports/db.ts';
import type { JobData, JobKind, Queue } from '../../kernel/ports/queue.ts';
import type { World } from '../../kernel/world.ts';
import { connectionOf, instant, sqlOf } from './db.ts';
import { throttleLog } from './throttle-log.ts';

export type JobQueueOptions = {
  /** A worker also runs the schedule and supervision; a sender only inserts jobs. */
  readonly role: 'worker' | 'sender';
  readonly kinds: readonly JobKind[];
};

/** Where pg-boss keeps its own tables. */
export const QUEUE_SCHEMA = 'pgboss';

const DRAIN_MS = 8_000;
/** After this time without a heartbeat, another process receives the job. */
const HEARTBEAT_SECONDS = 15;
const SUPERVISE_SECONDS = 5;

export async function openQueue(
  { log, clock }: World,
  db: Db,
  { role, kinds }: JobQueueOptions,
): Promise<Queue> {
  const isWorker = role === 'worker';
  const boss = new PgBoss({
    ...connectionOf(db),
    schema: QUEUE_SCHEMA,
    application_name: `radar queue ${role}`,
    max: isWorker ? 4 : 2,
    schedule: isWorker,
    supervise: isWorker,
    superviseIntervalSeconds: SUPERVISE_SECONDS,
    monitorIntervalSeconds: SUPERVISE_SECONDS,
    useListenNotify: isWorker,
  });
  const logError = throttleLog(clock, (error) =>
    log.warn({ error }, 'the job queue failed; it retries'),
  );
  boss.on('error', (error) => logError(messageOf(error)));
  boss.on('warning', (warning) =>
    log.debug({ warning: warning.message }, 'a warning of the job queue'),
  );
  await boss.start();
  const existingQueues = await boss.getQueues(kinds.map((kind) => kind.name));
  for (const kind of kinds) {
    const exists = existingQueues.some((queue) => queue.name === kind.name);
    if (!exists) await boss.createQueue(kind.name, { policy: 'exclusive', ...optionsOf(kind) });
    // A queue of an earlier version gets the current options.
    else if (isWorker) await boss.updateQueue(kind.name, optionsOf(kind));
  }
  return createQueue(log, boss, kinds);
}

/** Age of the oldest waiting job, ms; null: none waits. Rows have times of the machine's clock. */
export async function readOldestWaitMs(db: Db, machineNow: number): Promise<number | null> {
  const { rows: tables } = await sql<{ exists: boolean }>`
    SELECT to_regclass(${`${QUEUE_SCHEMA}.job`}) IS NOT NULL AS exists`.execute(sqlOf(db));
  if (tables[0]?.exists !== true) return null;
  const { rows } = await sql<{ at: number | null }>`
    SELECT min(start_after) AS at FROM ${sql.table(`${QUEUE_SCHEMA}.job`)}
    WHERE state IN ('created', 'retry') AND start_after <= ${instant(machineNow)}
    `.execute(sqlOf(db));
  const at = rows[0]?.at ?? null;
  return at === null ? null : machineNow - at;
}

const optionsOf = ({ expireInSeconds, retryLimit }: JobKind) => ({
  notify: true,
  expireInSeconds,
  heartbeatSeconds: HEARTBEAT_SECONDS,
  retryLimit,
  retryBackoff: true,
  retryDelay: 2,
  deleteAfterSeconds: 86_400,
});

function createQueue(log: Log, boss: PgBoss, kinds: readonly JobKind[]): Queue {
  return {
    send: async (name, key, data) => {
      await boss.send(name, data, { singletonKey: key });
    },
    work: async (name, concurrency, handle) => {
      for (let count = 0; count < concurrency; count += 1)
        await startWorker(log, boss, name, handle);
    },
    everyMinute: async (name) => {
      await boss.schedule(name, '* * * * *', {}, { singletonKey: name });
    },
    depths: async () => {
      const rows = await boss.getQueues(kinds.map((kind) => kind.name));
      return rows.map(({ name, queuedCount, activeCount }) => ({
        name,
        queued: queuedCount,
        active: activeCount,
      }));
    },
    close: async () => {
      await boss.stop({ graceful: true, timeout: DRAIN_MS, close: true });
    },
  };
}

/**
 * Each worker runs one job at a time. After a job it is notified to fetch the next job. Otherwise a
 * job that arrived while all workers were busy would wait for the next poll.
 */
async function startWorker(
  log: Log,
  boss: PgBoss,
  name: string,
  handle: Parameters<Queue['work']>[2],
): Promise<void> {
  const options = {
    pollingIntervalSeconds: 0.5,
    // Interval for delayed jobs, because a retry becomes due without a notification.
    notifyPollingIntervalSeconds: 2,
  };
  let id: string | null = null;
  id = await boss.work<JobData>(name, options, async ([job]) => {
    try {
      if (job) await handle(job.data, job.signal);
    } catch (error) {
      // The queue stores the error with the job only, so it is logged as well.
      const detail = error instanceof Error ? error.stack : messageOf(error);
      log.error({ queue: name, job: job?.data, error: detail }, 'a job failed');
      throw error;
    } finally {
      if (id !== null) boss.notifyWorker(id);
    }
  });
}
