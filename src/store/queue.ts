// Background work over pg-boss: durable jobs, one at a time per key, retried with backoff, and one
// tick a minute. What is due is never decided here: a tick only says "look at the clock".
import { PgBoss } from 'pg-boss';
import { present } from '../kernel/assert.ts';
import type { Queue } from '../kernel/db.ts';
import { messageOf } from '../kernel/fault.ts';
import type { Log } from '../kernel/log.ts';
import type { Connection } from './db.ts';

/** Every kind of job and what it carries. */
export type Jobs = {
  tick: Record<string, never>;
  'read-source': { readonly sourceId: string };
  'understand-items': { readonly sourceId: string };
};
export type JobName = keyof Jobs;

/** `exclusive`: at most one queued or running per key. */
const queues: Record<JobName, { readonly expireInSeconds: number; readonly retryLimit: number }> = {
  tick: { expireInSeconds: 55, retryLimit: 0 },
  'read-source': { expireInSeconds: 300, retryLimit: 1 },
  'understand-items': { expireInSeconds: 900, retryLimit: 3 },
};
const jobNames = Object.keys(queues) as JobName[];

const insides = new WeakMap<Queue, PgBoss>();
const bossOf = (queue: Queue): PgBoss => present(insides.get(queue), 'queue');

export type QueueRole = 'worker' | 'sender';

/** A worker supervises and runs schedules; a sender only puts jobs in. */
export async function openQueue(log: Log, connection: Connection, role: QueueRole): Promise<Queue> {
  const boss = new PgBoss({
    ...connection,
    application_name: `radar queue ${role}`,
    max: role === 'worker' ? 4 : 2,
    useListenNotify: role === 'worker',
    schedule: role === 'worker',
    supervise: role === 'worker',
    migrate: true,
    persistWarnings: false,
  });
  boss.on('error', (error) => log.warn({ error: messageOf(error) }, 'queue'));
  await boss.start();
  for (const name of jobNames) {
    await boss.createQueue(name, {
      policy: 'exclusive',
      notify: true,
      retryBackoff: true,
      retryDelay: 2,
      deleteAfterSeconds: 86_400,
      ...queues[name],
    });
  }
  const queue = Object.freeze({}) as Queue;
  insides.set(queue, boss);
  return queue;
}

/** Waits up to ten seconds for running jobs, then lets go; what was cut off is retried elsewhere. */
export async function closeQueue(queue: Queue): Promise<void> {
  await bossOf(queue).stop({ graceful: true, timeout: 8_000, close: true });
}

/** Queues a job unless one with the same key is queued or running already. */
export async function sendJob<N extends JobName>(
  queue: Queue,
  name: N,
  key: string,
  data: Jobs[N],
): Promise<void> {
  await bossOf(queue).send(name, data, { singletonKey: key });
}

export async function workJobs<N extends JobName>(
  queue: Queue,
  name: N,
  options: { readonly concurrency: number },
  handle: (data: Jobs[N], signal: AbortSignal) => Promise<void>,
): Promise<void> {
  await bossOf(queue).work<Jobs[N]>(
    name,
    { localConcurrency: options.concurrency, pollingIntervalSeconds: 0.5 },
    async ([job]) => {
      if (job) await handle(job.data, job.signal);
    },
  );
}

export async function tickEveryMinute(queue: Queue): Promise<void> {
  await bossOf(queue).schedule('tick', '* * * * *', {}, { singletonKey: 'tick' });
}

export async function queueDepths(
  queue: Queue,
): Promise<readonly { readonly name: string; readonly queued: number; readonly active: number }[]> {
  const rows = await bossOf(queue).getQueues([...jobNames]);
  return rows.map((row) => ({
    name: row.name,
    queued: row.queuedCount,
    active: row.activeCount,
  }));
}
