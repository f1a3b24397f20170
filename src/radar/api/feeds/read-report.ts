// Reads the latest report or a given report, for feeds and Markdown. It throws the errors of the
// JSON endpoints.
import { Fault } from '../../../kernel/errors/fault.ts';
import { findDocument } from '../../publication/documents/find-document.ts';
import type {
  DailyBody,
  MonthlyBody,
  WeeklyBody,
} from '../../publication/documents/report-body.ts';
import { newestDocuments } from '../../publication/read-model/documents.ts';
import type { ApiContext } from '../context.ts';
import { reportKinds } from '../routes/reports.ts';
import { invalidQueryFault } from '../strict-query.ts';
import type { Site } from '../wire-item.ts';

export type ReportFeedName = 'daily' | 'weekly' | 'monthly';
export type ReportFeedBody = DailyBody | WeeklyBody | MonthlyBody;
export type FoundReport = { readonly key: string; readonly body: ReportFeedBody };

export const reportNames: readonly ReportFeedName[] = ['daily', 'weekly', 'monthly'];

const kindsByName = { daily: 'dailies', weekly: 'weeklies', monthly: 'monthlies' } as const;

/** `key`: null for the latest. Throws `not_found` and `invalid_request`. */
export async function readReport(
  { world, publication }: ApiContext,
  name: ReportFeedName,
  key: string | null,
): Promise<FoundReport> {
  if (key === null) {
    const [latest] = readNewestReports({ publication }, name, 1);
    if (latest !== undefined) return latest;
    throw new Fault('not_found', `There is no ${name} report yet.`);
  }
  const keyRule = reportKinds.find(({ path }) => path === kindsByName[name]);
  if (keyRule?.isKey(key) !== true)
    throw invalidQueryFault(`A ${name} report's key is ${keyRule?.keyForm}.`);
  const document = await findDocument(world, publication, name, key);
  if (document === null) throw new Fault('not_found', `There is no report of ${key}.`);
  return { key, body: document.body };
}

/** Newest first. */
export function readNewestReports(
  { publication }: Pick<ApiContext, 'publication'>,
  name: ReportFeedName,
  limit: number,
): readonly FoundReport[] {
  const documents = newestDocuments(publication.readModel(), name, limit);
  return documents.map(({ key, body }) => ({ key, body }));
}

export const reportPageUrl = ({ url }: Site, name: ReportFeedName, key: string) =>
  `${url}/${name}/${key}`;
