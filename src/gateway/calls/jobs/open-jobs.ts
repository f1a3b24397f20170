// Opens the worker for jobs. The worker claims due jobs up to its concurrency. Two processes never
// process one job at the same time. After a crash, the lease on a job expires, and another process
// claims the job.

import { openPoller } from '../../../kernel/concurrency/poller.ts';
import type { Db } from '../../../kernel/ports/db.ts';
import { DAY_MS } from '../../../kernel/time/durations.ts';
import type { World } from '../../../kernel/world.ts';
import {
  claimJobs,
  confirmJob,
  decideEnding,
  deleteOldJobs,
  deleteUnconfirmedJob,
  findJobRow,
  insertJob,
  type JobPosition,
  type JobRow,
  listOwnJobRows,
} from '../../../store/gateway/gateway-jobs.ts';
import { finishJob, JSON_TYPE } from './complete-job.ts';
import { CLAIM_MS, type JobDeps } from './job-deps.ts';
import {
  type Job,
  type JobPage,
  type JobPageQuery,
  type Jobs,
  type JobToBegin,
  jobPath,
  type Owner,
} from './jobs.ts';
import { processJob } from './process-job.ts';
import { toJobAllocations } from './stored-allocations.ts';
import { openJobWatch } from './watch-jobs.ts';

export type JobsOptions = Omit<JobDeps, 'world' | 'db'> & {
  /** Unfinished jobs expire after this time. */
  readonly lifeMs: number;
};

/** Concurrent jobs of one process; most of them wait for a provider. */
const MAX_CONCURRENT_JOBS = 32;
const POLL_INTERVAL_MS = 1_000;
/** Time limit for accepting a job. */
const ACCEPT_MS = 60_000;
/** Capability contract, "Job". */
const RESULT_RETENTION_MS = 7 * DAY_MS;
const JOB_RETENTION_MS = 30 * DAY_MS;
const CLEANUP_INTERVAL_MS = 3_600_000;

export function openJobs(world: World, db: Db, options: JobsOptions): Jobs {
  const { lifeMs } = options;
  const deps: JobDeps = { world, db, ...options };
  const jobWorkers = openJobWorkers(deps);
  const watch = openJobWatch(world, db, jobWorkers.wake);
  return {
    lifeMs,
    begin: (job) => beginJob(deps, job, lifeMs),
    accept: async (id, body, allocations) => {
      const now = world.clock.now();
      await deps.failpoint?.('begun');
      const jobAllocations = toJobAllocations(allocations);
      const isAccepted = await confirmJob(db, id, { body, allocations: jobAllocations, now });
      await deps.failpoint?.('accepted');
      jobWorkers.wake();
      return isAccepted;
    },
    drop: (id) => deleteUnconfirmedJob(db, id),
    findByKey: async (query) => {
      const job = await findJobRow(db, query, 'idempotency_key', query.key);
      if (job === null) return null;
      const { request_id: requestId, created_at: completedAt } = job;
      if (job.fingerprint !== query.fingerprint) return { kind: 'reused', requestId };
      return { kind: 'duplicate', original: { requestId, status: 202, completedAt } };
    },
    findAccepted: async (call) => {
      const job = await findJobRow(db, call, 'request_id', call.requestId);
      if (job === null || job.accepted === null) return null;
      if (world.clock.now() >= job.created_at + DAY_MS) return null;
      const body = Buffer.from(job.accepted);
      return { status: 202, contentType: JSON_TYPE, body, location: jobPath(job.id) };
    },
    acceptedAt: async (call) =>
      (await findJobRow(db, call, 'request_id', call.requestId))?.created_at ?? null,
    find: async (ownedJob) => {
      const row = await findJobRow(db, ownedJob, 'id', ownedJob.id);
      const now = world.clock.now();
      return row === null || now >= (row.ended_at ?? now) + JOB_RETENTION_MS
        ? null
        : jobOf(row, now);
    },
    list: (query) => listPage(deps, query),
    cancel: async (id) => {
      const canceledJob = await decideEnding(db, id, { kind: 'canceled' });
      if (canceledJob !== null) await finishJob(deps, canceledJob);
      jobWorkers.wake();
    },
    awaitChange: watch.awaitChange,
    stopWaiting: watch.stopWaiting,
    close: async () => {
      await watch.close();
      await jobWorkers.close();
    },
  };
}

async function beginJob({ world, db }: JobDeps, job: JobToBegin, lifeMs: number): Promise<Job> {
  const now = world.clock.now();
  const id = `job_${world.ids.next()}`;
  await insertJob(db, { ...job, id, now, expiresAt: now + lifeMs, dueAt: now + ACCEPT_MS });
  return {
    id,
    requestId: job.requestId,
    capability: job.capability,
    status: 'accepting',
    createdAt: now,
    updatedAt: now,
    progress: null,
    result: null,
    isResultExpired: false,
    error: null,
  };
}

function jobOf(row: JobRow, now: number): Job {
  const isResultExpired =
    row.status === 'succeeded' && now >= (row.ended_at ?? now) + RESULT_RETENTION_MS;
  return {
    id: row.id,
    requestId: row.request_id,
    capability: row.capability,
    status: row.status,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    progress: row.progress,
    result: isResultExpired ? null : row.result,
    isResultExpired,
    error: row.error,
  };
}

/** Claims due jobs while the process has capacity. */
function openJobWorkers(deps: JobDeps) {
  const { world, db } = deps;
  const runningSteps = new Set<Promise<void>>();
  let lastCleanupAt = Number.NEGATIVE_INFINITY;
  const processName = world.ids.next();
  let claimCount = 0;
  /** Returns true when more jobs may be due. */
  const claimDue = async (signal: AbortSignal) => {
    const max = MAX_CONCURRENT_JOBS - runningSteps.size;
    if (max === 0) return false;
    const now = world.clock.now();
    claimCount += 1;
    const claim = `${processName}-${claimCount}`;
    const dueJobs = await claimJobs(db, { now, until: now + CLAIM_MS, claim, max });
    for (const job of dueJobs) {
      const claimedJob = { job, claimed: { id: job.id, claim } };
      const runningStep = processJob(deps, claimedJob, signal).finally(() => {
        runningSteps.delete(runningStep);
        poller.wake();
      });
      runningSteps.add(runningStep);
    }
    return dueJobs.length === max;
  };
  const deleteExpired = async () => {
    const now = world.clock.now();
    // The absolute value also covers a clock that moved back.
    if (Math.abs(now - lastCleanupAt) < CLEANUP_INTERVAL_MS) return;
    lastCleanupAt = now;
    await deleteOldJobs(db, {
      resultsBefore: now - RESULT_RETENTION_MS,
      jobsBefore: now - JOB_RETENTION_MS,
    });
  };
  const poller = openPoller(world, {
    taskName: 'jobs',
    intervalMs: POLL_INTERVAL_MS,
    nextDueAt: async () => null,
    poll: async (signal) => {
      while (!signal.aborted && (await claimDue(signal)));
      await deleteExpired();
    },
  });
  return {
    wake: poller.wake,
    close: async () => {
      await poller.close();
      while (runningSteps.size > 0) await Promise.allSettled(runningSteps);
    },
  };
}

async function listPage(
  { world, db }: Pick<JobDeps, 'world' | 'db'>,
  { cursor, limit, ...owner }: Owner & JobPageQuery,
): Promise<JobPage | null> {
  const after = cursor === null ? null : readCursor(cursor);
  if (cursor !== null && after === null) return null;
  const now = world.clock.now();
  const page = { after, endedAfter: now - JOB_RETENTION_MS, limit: limit + 1 };
  const rows = await listOwnJobRows(db, owner, page);
  const pageRows = rows.slice(0, limit);
  const lastRow = pageRows.at(-1);
  const hasMore = rows.length > limit && lastRow !== undefined;
  return {
    jobs: pageRows.map((row) => jobOf(row, now)),
    nextCursor: hasMore ? writeCursor({ createdAt: lastRow.created_at, id: lastRow.id }) : null,
  };
}

// A cursor contains only a position; the API key determines the account.
const writeCursor = ({ createdAt, id }: JobPosition) =>
  Buffer.from(`${createdAt}/${id}`).toString('base64url');

function readCursor(text: string): JobPosition | null {
  const decoded = Buffer.from(text, 'base64url').toString();
  const [, createdAt, id] = /^(\d{1,14})\/([\w-]{1,80})$/.exec(decoded) ?? [];
  if (createdAt === undefined || id === undefined) return null;
  return { createdAt: Number(createdAt), id };
}
