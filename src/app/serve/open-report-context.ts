// Opens the dependencies of report writing: the selection rules of the editorial folder and the
// publication.
import { findFirstParties } from '../../radar/publication/documents/first-party.ts';
import { publishDocuments } from '../../radar/publication/documents/publish-documents.ts';
import { readReportRules } from '../../radar/reports/report-rules.ts';
import type { ReportContext } from '../../radar/reports/write-reports.ts';

/**
 * `folder`: path of the editorial folder. Rejects with a Fault `invalid_request` that names the
 * problem.
 */
export async function openReportContext(
  folder: string,
  site: Pick<ReportContext, 'language' | 'categories'>,
): Promise<ReportContext> {
  return {
    ...site,
    rules: await readReportRules(folder),
    firstParties: findFirstParties,
    publish: publishDocuments,
  };
}
