// What writes reports: the taste of the editorial folder, and the publication's part in it.
import { firstParties } from '../../radar/publication/documents/first-party.ts';
import { publishDocuments } from '../../radar/publication/documents/publish-documents.ts';
import { readReportRules } from '../../radar/reports/report-rules.ts';
import type { ReportContext } from '../../radar/reports/write-reports.ts';

/** `folder` is the editorial folder's path. Fails as `invalid_request`, naming what is wrong. */
export async function openReportContext(
  folder: string,
  site: Pick<ReportContext, 'language' | 'categories'>,
): Promise<ReportContext> {
  return { ...site, rules: await readReportRules(folder), firstParties, publish: publishDocuments };
}
