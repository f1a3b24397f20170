// Waits for job changes. Every change of a job sends a notification, and a periodic query covers
// lost notifications. All waiting requests of a process share one query.

import { messageOf } from '../../../kernel/errors/fault.ts';
import type { Db } from '../../../kernel/ports/db.ts';
import type { World } from '../../../kernel/world.ts';
import { JOBS_CHANNEL, readJobStatuses } from '../../../store/gateway/gateway-jobs.ts';
import { listen } from '../../../store/platform/notifications.ts';
import type { Job } from './jobs.ts';

export type JobWatch = {
  awaitChange(job: Pick<Job, 'id' | 'status'>, timeoutMs: number): Promise<void>;
  stopWaiting(): void;
  close(): Promise<void>;
};

type JobWaiter = { readonly id: string; readonly status: string; readonly wake: () => void };

const POLL_INTERVAL_MS = 5_000;

/** `onNotification` is called whenever any job may have changed. */
export function openJobWatch(world: World, db: Db, onNotification: () => void): JobWatch {
  const waiters = new Set<JobWaiter>();
  const stop = new AbortController();
  let isPolling = false;
  let needsAnotherPoll = false;
  const checkOnce = async () => {
    // The next query checks a waiter that joins during this query.
    const checkedWaiters = [...waiters];
    const statuses = await readJobStatuses(db, [...new Set(checkedWaiters.map(({ id }) => id))]);
    for (const { id, status, wake } of checkedWaiters) {
      if (statuses.get(id) !== status) wake();
    }
  };
  const checkJobs = async () => {
    needsAnotherPoll = true;
    if (isPolling) return;
    isPolling = true;
    while (needsAnotherPoll && waiters.size > 0) {
      needsAnotherPoll = false;
      await checkOnce().catch((error) =>
        world.log.warn({ error: messageOf(error) }, 'jobs were not read; they are read again'),
      );
    }
    isPolling = false;
  };
  const subscription = { channel: JOBS_CHANNEL, applicationName: 'radar gateway jobs' };
  const listener = listen(world, db, subscription, () => {
    onNotification();
    void checkJobs();
  });
  const polling = (async () => {
    while (!stop.signal.aborted) {
      await world.clock.sleep(POLL_INTERVAL_MS, stop.signal).catch(() => {});
      await checkJobs();
    }
  })();
  return {
    awaitChange: async ({ id, status }, timeoutMs) => {
      if (stop.signal.aborted) return;
      const change = Promise.withResolvers<void>();
      const waiter = { id, status, wake: change.resolve };
      waiters.add(waiter);
      const timeoutCancel = new AbortController();
      const timeout = world.clock.sleep(timeoutMs, timeoutCancel.signal).catch(() => {});
      // The job may have changed before the wait began.
      void checkJobs();
      await Promise.race([change.promise, timeout]);
      timeoutCancel.abort();
      waiters.delete(waiter);
    },
    stopWaiting: () => {
      stop.abort();
      for (const { wake } of waiters) wake();
    },
    close: async () => {
      stop.abort();
      for (const { wake } of waiters) wake();
      await polling;
      await listener.close();
    },
  };
}
