// The outcomes of the last attempts to write reports, for operators. A report that is missing
// because its window was empty differs here from a late report.

import type { Db } from '../../kernel/ports/db.ts';
import { toWireTime } from '../../kernel/time/calendar.ts';
import { listLatestReportRuns } from '../../store/radar/publication/report-runs.ts';
import type { ReportKind } from '../../store/schema/stories.ts';

export type ReportRunLine = {
  readonly at: string;
  readonly kind: ReportKind;
  readonly key: string;
  readonly outcome: string;
};

/** Newest first. */
export async function listReportRuns(db: Db, limit: number): Promise<readonly ReportRunLine[]> {
  const runs = await listLatestReportRuns(db, limit);
  return runs.map(({ at, kind, key, outcome }) => ({ at: toWireTime(at), kind, key, outcome }));
}
