// Without a configured model every enrichment equals that of the rules, byte for byte, and no model
// table has a row.
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { plainText } from '../../src/kernel/text/text.ts';
import { readEditorial } from '../../src/radar/enrichment/read-editorial.ts';
import { openRuleBasedEnricher } from '../../src/radar/enrichment/rules/rule-based-enricher.ts';
import { sqlOf } from '../../src/store/platform/db.ts';
import { openLoopbackSite, rssOf } from '../support/loopback-site.ts';
import { newsOf } from '../support/news.ts';
import { openTestApp } from '../support/test-radar.ts';

const app = await openTestApp();
const site = await openLoopbackSite();

const tables = [
  'model_receipts',
  'model_budgets',
  'model_days',
  'model_standings',
  'model_routing',
  'model_vectors',
  'embedding_models',
];

test("uses the rules' texts and stores no model data", async () => {
  expect(readConfig({}, {}).model).toBeNull();
  const entries = Array.from({ length: 12 }, (_, index) => {
    const entry = newsOf(site, `Orrin ${index}`);
    return { ...entry, text: `${entry.text} Its makers describe run ${index}. `.repeat(index + 1) };
  });
  site.respond('/feed', { body: rssOf('Feed', entries) });
  await app.addFeed('feed', `${site.url}/feed`);
  await app.fetchAndEnrich('feed');
  const rows = await sqlOf(app.db)
    .selectFrom('judgements as j')
    .innerJoin('items as i', 'i.id', 'j.item_id')
    .select(['i.title as own', 'i.content', 'i.summary as ownSummary', 'i.url', 'j.language'])
    .select(['j.title', 'j.original_title as originalTitle', 'j.summary', 'j.category'])
    .select(['j.score', 'j.reason', 'j.summary_by as summaryBy', 'j.desk_version'])
    .orderBy('i.id')
    .execute();
  expect(rows).toHaveLength(12);
  const enricher = openRuleBasedEnricher(await readEditorial('editorial'), { siteLanguage: 'en' });
  for (const {
    own: ownTitle,
    content,
    ownSummary,
    url,
    language,
    desk_version,
    ...storedEnrichment
  } of rows) {
    const { isWorthy: _, ...enrichment } = enricher.enrich({
      title: ownTitle,
      text: plainText(content),
      summary: plainText(ownSummary),
      url,
      language,
      source: { name: 'The Ledger', tier: 'T1', participation: 'editorial' },
    });
    expect(JSON.stringify(storedEnrichment)).toBe(
      JSON.stringify({ ...pickMembers(enrichment, storedEnrichment) }),
    );
    expect(desk_version).toBe(enricher.version);
  }
  for (const table of tables) {
    const { rows: storedRows } = await sql`SELECT 1 FROM ${sql.table(table)}`.execute(
      sqlOf(app.db),
    );
    expect([table, storedRows.length]).toEqual([table, 0]);
  }
});

/** The same members in their stored order. */
function pickMembers(enrichment: object, storedEnrichment: object): object {
  const values = new Map<string, unknown>(Object.entries(enrichment));
  return Object.fromEntries(Object.keys(storedEnrichment).map((name) => [name, values.get(name)]));
}
