// Only this file writes `jobs`: the jobs of the gateway. A worker holds a claim for a limited time,
// and writes without the claim are refused. The end of a job is decided once.
import { type Selectable, sql } from 'kysely';
import type { Db } from '../../kernel/ports/db.ts';
import { inTransaction, sqlOf, toTimestamp, toTimestampOrNull } from '../platform/db.ts';
import { notify } from '../platform/notifications.ts';
import type {
  JobAllocation,
  JobEnding,
  JobError,
  JobStatus,
  JobTerms,
  JobWork,
} from '../schema/jobs.ts';
import type { Schema } from '../schema/schema.ts';

export type { JobAllocation, JobEnding, JobError, JobStatus, JobTerms, JobWork };

export type JobRow = Readonly<Selectable<Schema['jobs']>>;

/** The channel of notifications about status changes. */
export const JOBS_CHANNEL = 'gateway_jobs';

export type NewJob = {
  readonly id: string;
  readonly requestId: string;
  readonly accountId: string;
  readonly livemode: boolean;
  readonly capability: string;
  readonly input: unknown;
  readonly terms: JobTerms;
  readonly idempotency: { readonly key: string; readonly fingerprint: string } | null;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly expiresAt: number;
  /** A worker deletes the job at this time, if it is not confirmed to the client. */
  readonly dueAt: number;
};

/** Inserts a job that is not yet confirmed to the client. */
export async function insertJob(db: Db, job: NewJob): Promise<void> {
  const now = toTimestamp(job.now);
  await sqlOf(db)
    .insertInto('jobs')
    .values({
      id: job.id,
      request_id: job.requestId,
      account_id: job.accountId,
      livemode: job.livemode,
      capability: job.capability,
      input: JSON.stringify(job.input),
      terms: JSON.stringify(job.terms),
      allocations: '[]',
      idempotency_key: job.idempotency?.key ?? null,
      fingerprint: job.idempotency?.fingerprint ?? null,
      accepted: null,
      status: 'accepting' as const,
      progress: null,
      task: null,
      work: JSON.stringify({ step: 'new', tried: [], rounds: 0 } satisfies JobWork),
      ending: null,
      result: null,
      error: null,
      created_at: now,
      updated_at: now,
      expires_at: toTimestamp(job.expiresAt),
      ended_at: null,
      due_at: toTimestamp(job.dueAt),
      claim: null,
      claimed_until: null,
    })
    .execute();
}

/** Confirms a job whose money is held. False: a worker has claimed or deleted the job meanwhile. */
export async function confirmJob(
  db: Db,
  id: string,
  accepted: {
    readonly body: string;
    readonly allocations: readonly JobAllocation[];
    readonly now: number;
  },
): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const { numUpdatedRows } = await sqlOf(tx)
      .updateTable('jobs')
      .set({
        status: 'queued',
        accepted: accepted.body,
        allocations: JSON.stringify(accepted.allocations),
        due_at: toTimestamp(accepted.now),
      })
      .where('id', '=', id)
      .where('status', '=', 'accepting')
      .where('claim', 'is', null)
      .executeTakeFirst();
    await notify(tx, JOBS_CHANNEL);
    return numUpdatedRows > 0n;
  });
}

/** Deletes a job that was never confirmed. */
export async function deleteUnconfirmedJob(db: Db, id: string): Promise<void> {
  await sqlOf(db)
    .deleteFrom('jobs')
    .where('id', '=', id)
    .where('status', '=', 'accepting')
    .execute();
}

/** Claims up to `max` due jobs without an unexpired claim, longest due first. */
export async function claimJobs(
  db: Db,
  options: {
    readonly now: number;
    readonly until: number;
    readonly claim: string;
    readonly max: number;
  },
): Promise<readonly JobRow[]> {
  const now = sql`${toTimestamp(options.now)}::timestamptz`;
  return sqlOf(db)
    .with('free', (builder) =>
      builder
        .selectFrom('jobs')
        .select('id')
        .where(
          sql<boolean>`due_at <= ${now} AND (claimed_until IS NULL OR claimed_until <= ${now})`,
        )
        .orderBy('due_at')
        .limit(options.max)
        .forUpdate()
        .skipLocked(),
    )
    .updateTable('jobs')
    .set({ claim: options.claim, claimed_until: toTimestamp(options.until) })
    .where('id', 'in', (where) => where.selectFrom('free').select('id'))
    .returningAll()
    .execute();
}

export type JobClaim = { readonly id: string; readonly claim: string };

/** Returns false when this worker has lost the claim: another worker has it, or the job is gone. */
export async function extendClaim(
  db: Db,
  { id, claim }: JobClaim,
  until: number,
): Promise<boolean> {
  const { numUpdatedRows } = await sqlOf(db)
    .updateTable('jobs')
    .set({ claimed_until: toTimestamp(until) })
    .where('id', '=', id)
    .where('claim', '=', claim)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export type JobAdvance = {
  readonly now: number;
  readonly work?: JobWork;
  /** The id of the provider's task, once it is known. */
  readonly task?: string;
  readonly status?: 'running';
  readonly progress?: number | null;
};

/**
 * Writes the progress of a job. `lost`: another worker has the claim. `ending`: written, but the
 * end of the job was decided meanwhile. `task_taken`: the task belongs to another job.
 */
export async function advanceJob(
  db: Db,
  { id, claim }: JobClaim,
  { now, work, task, status, progress }: JobAdvance,
): Promise<'written' | 'lost' | 'ending' | 'task_taken'> {
  const write = async (tx: Db) => {
    const row = await sqlOf(tx)
      .updateTable('jobs')
      .set({
        ...(work !== undefined && { work: JSON.stringify(work) }),
        ...(task !== undefined && { task }),
        ...(progress !== undefined && { progress }),
        ...(status !== undefined && {
          status: sql<JobStatus>`CASE WHEN ended_at IS NULL THEN ${status} ELSE status END`,
        }),
        updated_at: sql<Date>`CASE WHEN ended_at IS NULL
          THEN ${toTimestamp(now)}::timestamptz ELSE updated_at END`,
      })
      .where('id', '=', id)
      .where('claim', '=', claim)
      .returning(sql<boolean>`ending IS NOT NULL`.as('isEnding'))
      .executeTakeFirst();
    if (row === undefined) return 'lost';
    if (status !== undefined) await notify(tx, JOBS_CHANNEL);
    return row.isEnding ? 'ending' : 'written';
  };
  try {
    return await inTransaction(db, write);
  } catch (error) {
    // unique_violation: only the task id has a unique constraint here.
    if (task !== undefined && (error as { code?: string }).code === '23505') return 'task_taken';
    throw error;
  }
}

/** Releases the claim. The job is due again at `dueAt`, or earlier when it expires; null: never. */
export async function releaseJob(
  db: Db,
  { id, claim }: JobClaim,
  dueAt: number | null,
): Promise<void> {
  const due = toTimestampOrNull(dueAt);
  await sqlOf(db)
    .updateTable('jobs')
    .set({
      claim: null,
      claimed_until: null,
      due_at:
        due === null
          ? null
          : sql<Date>`CASE WHEN ended_at IS NULL THEN least(${due}::timestamptz, expires_at)
              ELSE ${due}::timestamptz END`,
    })
    .where('id', '=', id)
    .where('claim', '=', claim)
    .execute();
}

/**
 * Decides the end of a job; the first decision wins. Returns the job, or null when there is none.
 * `claim` null: the decision needs no claim.
 */
export async function decideEnding(
  db: Db,
  id: string,
  ending: JobEnding,
  claim: string | null = null,
): Promise<JobRow | null> {
  const decided = await sqlOf(db)
    .updateTable('jobs')
    .set({ ending: JSON.stringify(ending), due_at: sql<Date>`coalesce(due_at, expires_at)` })
    .where('id', '=', id)
    .where('status', 'in', ['queued', 'running'])
    .where('ending', 'is', null)
    .where(sql<boolean>`(${claim}::text IS NULL OR claim = ${claim}::text)`)
    .returningAll()
    .executeTakeFirst();
  if (decided !== undefined) return decided;
  const row = await sqlOf(db)
    .selectFrom('jobs')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  return row ?? null;
}

export type JobEnd = {
  readonly status: JobStatus;
  readonly result: unknown;
  readonly error: JobError | null;
  readonly now: number;
  /** Time at which the provider's task is to be stopped; null: there is no task to stop. */
  readonly dueAt: number | null;
};

/** Publishes the end of a job with its side effects. Does nothing to an ended job. */
export async function endJob(
  db: Db,
  id: string,
  end: JobEnd,
  sideEffects: (tx: Db) => Promise<unknown>,
): Promise<void> {
  const columns = {
    result: end.result === null ? null : JSON.stringify(end.result),
    error: end.error === null ? null : JSON.stringify(end.error),
    status: end.status,
    updated_at: toTimestamp(end.now),
    ended_at: toTimestamp(end.now),
    due_at: toTimestampOrNull(end.dueAt),
    ...(end.status === 'succeeded' && { progress: 1 }),
  };
  await inTransaction(db, async (tx) => {
    const { numUpdatedRows } = await sqlOf(tx)
      .updateTable('jobs')
      .set(columns)
      .where('id', '=', id)
      .where('ended_at', 'is', null)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return;
    await sideEffects(tx);
    await notify(tx, JOBS_CHANNEL);
  });
}

export type JobOwner = { readonly accountId: string; readonly livemode: boolean };

/** A confirmed job, selected by one column. */
export async function findJobRow(
  db: Db,
  { accountId, livemode }: JobOwner,
  by: 'id' | 'request_id' | 'idempotency_key',
  value: string,
): Promise<JobRow | null> {
  const row = await sqlOf(db)
    .selectFrom('jobs')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('livemode', '=', livemode)
    .where(by, '=', value)
    .where('accepted', 'is not', null)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}

export type JobPosition = { readonly createdAt: number; readonly id: string };

/** Confirmed jobs, newest first, after a position. `endedAfter` excludes older ended jobs. */
export async function listOwnJobRows(
  db: Db,
  { accountId, livemode }: JobOwner,
  page: {
    readonly after: JobPosition | null;
    readonly endedAfter: number;
    readonly limit: number;
  },
): Promise<readonly JobRow[]> {
  const { after } = page;
  return sqlOf(db)
    .selectFrom('jobs')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('livemode', '=', livemode)
    .where('accepted', 'is not', null)
    .where(sql<boolean>`coalesce(ended_at > ${toTimestamp(page.endedAfter)}, true)`)
    .where(
      after === null
        ? sql<boolean>`true`
        : sql<boolean>`(created_at, id) <
            (${toTimestamp(after.createdAt)}::timestamptz, ${after.id})`,
    )
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(page.limit)
    .execute();
}

export async function readJobStatuses(
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, JobStatus>> {
  const rows = await sqlOf(db)
    .selectFrom('jobs')
    .select(['id', 'status'])
    .where('id', '=', sql<string>`any(${[...ids]}::text[])`)
    .execute();
  return new Map(rows.map(({ id, status }) => [id, status]));
}

/** The given provider tasks that already belong to a job. */
export async function findAssignedTasks(
  db: Db,
  tasks: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await sqlOf(db)
    .selectFrom('jobs')
    .select('task')
    .where('task', '=', sql<string>`any(${[...tasks]}::text[])`)
    .execute();
  return new Set(rows.flatMap(({ task }) => task ?? []));
}

/** Deletes results of jobs that ended by `resultsBefore`, and jobs that ended by `jobsBefore`. */
export async function deleteOldJobs(
  db: Db,
  { resultsBefore, jobsBefore }: { readonly resultsBefore: number; readonly jobsBefore: number },
): Promise<void> {
  const endedBy = (at: number) => sql<boolean>`ended_at <= ${toTimestamp(at)}::timestamptz`;
  await sqlOf(db).deleteFrom('jobs').where(endedBy(jobsBefore)).execute();
  await sqlOf(db)
    .updateTable('jobs')
    .set({ result: null, ending: null })
    .where(endedBy(resultsBefore))
    .where('ending', 'is not', null)
    .execute();
}

/**
 * Deletes the ended jobs of a deleted account that need no further work. Other jobs are canceled,
 * and a later erasure deletes them. A worker then returns the money that is held for a canceled job
 * and stops the provider's task.
 */
export async function eraseJobs(tx: Db, accountId: string, now: number): Promise<void> {
  const canceled: JobEnding = { kind: 'canceled' };
  await sqlOf(tx)
    .updateTable('jobs')
    .set({ ending: JSON.stringify(canceled), due_at: toTimestamp(now) })
    .where('account_id', '=', accountId)
    .where('status', 'in', ['queued', 'running'])
    .where('ending', 'is', null)
    .execute();
  await sqlOf(tx)
    .deleteFrom('jobs')
    .where('account_id', '=', accountId)
    .where('ended_at', 'is not', null)
    .where('due_at', 'is', null)
    .execute();
  await notify(tx, JOBS_CHANNEL);
}
