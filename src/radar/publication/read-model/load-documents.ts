// Loads documents from the database: all at the start of a node, later the changed ones, and the
// stories of a new ranking.
import type { Db } from '../../../kernel/ports/db.ts';
import {
  type DocumentText,
  type LoggedDocument,
  listDocumentTexts,
  listNewestReportTexts,
  listStoryTextsSince,
} from '../../../store/radar/publication/public-documents.ts';
import { RANKING_KEY } from '../documents/bodies.ts';
import {
  applyDocuments,
  type Documents,
  documentFrom,
  listRankedStoryIds,
  noDocuments,
  REPORTS_MAX,
} from './documents.ts';
import { earliestKeptAt } from './window.ts';

const PAGE_SIZE = 2_000;

/** Reads in the caller's transaction, so all rows belong to one snapshot. `now` sets the window. */
export async function loadDocuments(tx: Db, now: number): Promise<Documents> {
  const ranking = await listDocumentTexts(tx, [{ kind: 'ranking', key: RANKING_KEY }]);
  const stories = await loadAllPages(
    (after) => listStoryTextsSince(tx, earliestKeptAt(now), after, PAGE_SIZE),
    ({ key }) => key,
  );
  const reports = [];
  for (const kind of ['daily', 'weekly', 'monthly'] as const) {
    reports.push(...(await listNewestReportTexts(tx, kind, REPORTS_MAX[kind])));
  }
  const rows = [...ranking, ...(await loadStoriesOfRanking(tx, ranking)), ...stories, ...reports];
  return applyDocuments(noDocuments, { upserts: rows.map(documentFrom), removals: [] }, now);
}

/** Loads the stories of a changed ranking. The result is empty when the ranking is unchanged. */
export async function loadRankedStories(
  tx: Db,
  changes: readonly LoggedDocument[],
): Promise<readonly DocumentText[]> {
  const ranking = changes.flatMap(({ document }) => (document?.kind === 'ranking' ? document : []));
  return loadStoriesOfRanking(tx, ranking);
}

async function loadStoriesOfRanking(tx: Db, ranking: readonly DocumentText[]) {
  const upserts = ranking.map(documentFrom);
  const documents = applyDocuments(noDocuments, { upserts, removals: [] }, 0);
  const keys = listRankedStoryIds({ documents });
  return listDocumentTexts(
    tx,
    keys.map((key) => ({ kind: 'story', key })),
  );
}

/** Loads all rows in pages. Each page begins after the last row of the previous page. */
export async function loadAllPages<Row>(
  loadPage: (after: string) => Promise<readonly Row[]>,
  keyOf: (row: Row) => string,
): Promise<readonly Row[]> {
  const all: Row[] = [];
  let after = '';
  for (;;) {
    const rows = await loadPage(after);
    for (const row of rows) all.push(row);
    const lastRow = rows.at(-1);
    if (lastRow === undefined) return all;
    after = keyOf(lastRow);
  }
}
