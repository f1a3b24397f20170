// Lists the jobs of all accounts for operators, without inputs and results.
import type { Db } from '../../../kernel/ports/db.ts';
import type { JobStatus } from '../../../store/gateway/gateway-jobs.ts';
import { findListedJob, type ListedJob, listJobRows } from '../../../store/gateway/job-list.ts';

export type { ListedJob } from '../../../store/gateway/job-list.ts';

export const jobStatuses = [
  ...(['accepting', 'queued', 'running', 'succeeded'] as const),
  ...(['failed', 'expired', 'canceled'] as const),
] as const satisfies JobStatus[];

/** Newest first. `status` null selects all. */
export async function listJobs(
  db: Db,
  filter: {
    readonly status: JobStatus | null;
    readonly accountId: string | null;
    readonly limit: number;
    readonly skip: number;
  },
): Promise<readonly ListedJob[]> {
  const { status, ...otherFilters } = filter;
  return listJobRows(db, { ...otherFilters, statuses: status === null ? jobStatuses : [status] });
}

export async function findJob(db: Db, id: string): Promise<ListedJob | null> {
  return findListedJob(db, id);
}
