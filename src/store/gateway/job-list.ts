// Lists jobs of all accounts for operators. Read only.
import type { Db } from '../../kernel/ports/db.ts';
import { sqlOf } from '../platform/db.ts';
import type { JobError, JobStatus } from '../schema/jobs.ts';

export type ListedJob = {
  readonly id: string;
  readonly requestId: string;
  readonly accountId: string;
  readonly livemode: boolean;
  readonly capability: string;
  readonly status: JobStatus;
  readonly progress: number | null;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly expiresAt: number;
  readonly endedAt: number | null;
  readonly error: JobError | null;
  /** The current or last provider, as far as known. */
  readonly provider: string | null;
};

type JobQuery = {
  readonly statuses: readonly JobStatus[];
  readonly accountId: string | null;
  readonly limit: number;
  readonly skip: number;
};

const columns = [
  ...(['id', 'request_id as requestId', 'account_id as accountId', 'livemode'] as const),
  ...(['capability', 'status', 'progress', 'created_at as createdAt'] as const),
  ...(['updated_at as updatedAt', 'expires_at as expiresAt', 'ended_at as endedAt'] as const),
  ...(['error', 'work'] as const),
] as const;

/** Newest first. */
export async function listJobRows(db: Db, query: JobQuery): Promise<readonly ListedJob[]> {
  let select = sqlOf(db)
    .selectFrom('jobs')
    .select(columns)
    .where('status', 'in', [...query.statuses]);
  if (query.accountId !== null) select = select.where('account_id', '=', query.accountId);
  const rows = await select
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(query.limit)
    .offset(query.skip)
    .execute();
  return rows.map(({ work, ...row }) => ({ ...row, provider: providerOf(work) }));
}

export async function findListedJob(db: Db, id: string): Promise<ListedJob | null> {
  const row = await sqlOf(db)
    .selectFrom('jobs')
    .select(columns)
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined) return null;
  const { work, ...job } = row;
  return { ...job, provider: providerOf(work) };
}

const providerOf = (work: { readonly step: string; readonly provider?: string | null }) =>
  work.provider ?? null;
