// Extracts the claims of reports. Claims depend only on a report's text, so they are stored until
// the text or the rules change. Most claims are extracted in advance.
import { hash } from 'node:crypto';
import { messageOf } from '../../../kernel/errors/fault.ts';
import type { Db } from '../../../kernel/ports/db.ts';
import { plainText } from '../../../kernel/text/text.ts';
import type { World } from '../../../kernel/world.ts';
import {
  type ItemClaims,
  listItemClaims,
  saveItemClaims,
} from '../../../store/radar/publication/item-claims.ts';
import {
  listReportsWithoutClaims,
  listReportTexts,
  type ReportText,
  type StoryReportRow,
} from '../../../store/radar/stories/story-reports.ts';
import { removeInstructions } from '../../enrichment/injection/remove-instructions.ts';
import { extractClaims } from '../digest/claims/extract-claims.ts';
import {
  type Claim,
  type DigestReport,
  digestRules,
  type ReportWithClaims,
} from '../digest/digest.ts';
import { isPostSource } from '../digest/writing/choose-report.ts';

type Report = Omit<StoryReportRow, 'storyId' | 'development'> & { readonly firstParty: boolean };

/** Claims by item. Missing claims are extracted, and stored unless `canStore` is false. */
export async function readClaims(
  world: World,
  db: Db,
  reports: readonly Report[],
  { canStore = true }: { readonly canStore?: boolean } = {},
): Promise<ReadonlyMap<string, ReportWithClaims>> {
  const ids = reports.map((report) => report.id);
  const texts = new Map((await listReportTexts(db, ids)).map((text) => [text.id, text]));
  const storedClaims = new Map((await listItemClaims(db, ids)).map((row) => [row.item_id, row]));
  const newClaims: ItemClaims[] = [];
  const entries = reports.map((row): readonly [string, ReportWithClaims] => {
    const report = digestReport(row, texts.get(row.id));
    const rules = `${digestRules} ${contentHashOf(report)}`;
    const storedEntry = storedClaims.get(row.id);
    if (storedEntry !== undefined && storedEntry.rules === rules) {
      return [row.id, { ...report, claims: storedEntry.claims as readonly Claim[] }];
    }
    const claims = extractReportClaims(world, report);
    newClaims.push({ item_id: row.id, revision: row.revision, rules, claims });
    return [row.id, { ...report, claims }];
  });
  if (!canStore) return new Map(entries);
  // Rows are written in one global order, so that two transactions cannot deadlock.
  await saveItemClaims(
    db,
    newClaims.sort((a, b) => (a.item_id < b.item_id ? -1 : 1)),
  );
  return new Map(entries);
}

/** Reports per batch. The number is small, because a batch delays the process's other work. */
const BATCH_SIZE = 4;

/** Extracts and stores missing claims of these reports, outside of a publisher's transaction. */
export async function prepareClaims(
  world: World,
  db: Db,
  itemIds: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const batch = await listReportsWithoutClaims(db, itemIds, BATCH_SIZE);
    if (batch.length === 0) return;
    await readClaims(
      world,
      db,
      batch.map((report) => ({ ...report, firstParty: false })),
    );
  }
}

/** Unexpected text must not prevent the publication or withdrawal of a story. */
function extractReportClaims(world: World, report: DigestReport): readonly Claim[] {
  try {
    return extractClaims(report);
  } catch (error) {
    world.log.error(
      { item: report.id, error: messageOf(error) },
      'claims cannot be extracted, so the report has none',
    );
    return [];
  }
}

/** A hash of the texts from which claims are extracted. */
function contentHashOf({ title, summary, text, language, at }: DigestReport): string {
  const content = JSON.stringify([title, summary, text, language, at]);
  return hash('sha256', content, 'base64url').slice(0, 22);
}

function digestReport(row: Report, text: ReportText | undefined): DigestReport {
  const { id, owner, sourceName, tier, score, language, at, title, summary, firstParty } = row;
  const body = text?.article || plainText(text?.content || text?.summary || '');
  return {
    id,
    owner,
    sourceName,
    isPost: row.participation === 'signal' || isPostSource(sourceName),
    isFirstParty: firstParty,
    tier,
    score: score ?? 0,
    language,
    at,
    title,
    summary,
    // Enrichment removes the same instructions from an item's text, so a story has no content that
    // its items lack.
    text: removeInstructions(body).text,
  };
}
