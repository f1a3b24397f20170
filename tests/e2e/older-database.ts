// Makes a data folder of an earlier version. Its database has only the first migrations, and most
// tables contain rows in the form of that version.
import { mkdirSync } from 'node:fs';
import { sql } from 'kysely';
import { inTransaction, sqlOf } from '../../src/store/platform/db.ts';
import {
  createEmptySchema,
  listAppliedMigrations,
  readMigrations,
} from '../../src/store/platform/migrate.ts';
import { openDatabase } from '../../src/store/platform/open-database.ts';
import { testWorld } from '../support/test-world.ts';

/** The last migration of that version. */
export const LAST_MIGRATION = '0011_jobs';

export async function makeOlderDatabase(dataDir: string): Promise<void> {
  const { world } = testWorld();
  mkdirSync(dataDir, { recursive: true });
  const databaseChoice = { databaseUrl: null, dataDir, isDurable: true };
  const { db, close } = await openDatabase(world, databaseChoice);
  const firstMigrations = (await readMigrations()).filter(
    ({ name }) => name <= `${LAST_MIGRATION}.sql`,
  );
  await inTransaction(db, async (tx) => {
    await createEmptySchema(tx, firstMigrations, world.clock.now());
    for (const { name, hash } of firstMigrations) {
      await sql`INSERT INTO migrations VALUES (${name}, ${hash}, ${AT})`.execute(sqlOf(tx));
    }
    await sql.raw(rows).execute(sqlOf(tx));
  });
  if ((await listAppliedMigrations(db)).at(-1)?.name !== `${LAST_MIGRATION}.sql`)
    throw new Error('the database has later migrations');
  await close();
}

const AT = '2026-08-22T09:00:00Z';
const item = {
  id: 'older-item',
  title: 'News of an earlier version',
  originalTitle: null,
  summary: 'It was written down before.',
  sourceName: 'The Ledger',
  originalUrl: 'https://ledger.example/older',
  publishedAt: Date.parse(AT),
  discoveredAt: Date.parse(AT),
  category: 'industry',
  score: 80,
  selected: true,
  language: 'en',
  summaryBy: 'rules',
  storyId: null,
  timelineAt: Date.parse(AT),
};
const rows = `
INSERT INTO secrets VALUES ('cursor', decode(repeat('07', 32), 'hex'));
INSERT INTO sources (id, kind, name, url, settings, private_hosts, tier, owner, language,
    participation, interval_minutes, status, created_at, updated_at)
  VALUES ('ledger', 'push', 'The Ledger', NULL, '{}', '{}', 'T1', 'The Ledger', 'en', 'editorial',
    60, 'active', '${AT}', '${AT}');
INSERT INTO items (id, source_id, entry_key, url, canonical_url, title, summary, content,
    published_at, discovered_at, updated_at, content_hash, revision, is_backfill)
  VALUES ('older-item', 'ledger', 'k', '${item.originalUrl}', '${item.originalUrl}',
    '${item.title}', '${item.summary}', '', '${AT}', '${AT}', '${AT}', 'h', 1, false);
INSERT INTO judgements VALUES ('older-item', 'desk', '${AT}', '${item.title}', NULL,
  '${item.summary}', 'industry', 80, true, NULL, 'rules', 'en');
INSERT INTO item_actions VALUES ('act', 'older-item', 'correct', '${AT}', 'me', '{}', NULL);
INSERT INTO reading_groups VALUES ('group', '${AT}', 'older-item');
INSERT INTO reading_group_members VALUES ('older-item', 'group');
INSERT INTO publication_head VALUES (true, '0123456789abcdef', 1);
INSERT INTO publication_log (seq, key, at, kind) VALUES (1, 'older-item', '${AT}', 'item');
INSERT INTO public_items VALUES ('older-item', '${item.title}', NULL, '${item.summary}',
  'The Ledger', '${item.originalUrl}', '${AT}', '${AT}', 'industry', 80, true, NULL, 'en', 'rules',
  NULL, '${AT}', '${AT}');
INSERT INTO selected_ledger VALUES (1, 'older-item', 'upsert', '${AT}',
  '${JSON.stringify(item)}', NULL);
INSERT INTO operator_password VALUES (true, '$argon2id$older', '${AT}');
INSERT INTO operator_sessions VALUES ('session', 'me', '\\x01', '${AT}', '${AT}');
INSERT INTO operator_audit VALUES ('a', '${AT}', 'me', 'correct', 'item', 'older-item', '{}', '{}');
INSERT INTO accounts (id, email, password_hash, status, created_at)
  VALUES ('acct_older', 'older@example.com', '$argon2id$older', 'active', '${AT}');
INSERT INTO api_keys (id, account_id, kind, livemode, name, hash, prefix, last4, scopes, networks,
    created_at)
  VALUES ('key_older', 'acct_older', 'sk', true, 'Older', '\\x02', 'sk-', 'abcd', '{}', '{}',
    '${AT}');
INSERT INTO account_sessions VALUES ('s', 'acct_older', '\\x03', '${AT}', '${AT}');
INSERT INTO wallets (account_id, livemode, day, day_calls, month, month_calls)
  VALUES ('acct_older', true, '2026-08-22', 1, '2026-08', 1);
INSERT INTO books (account_id, livemode, name, kind, available, held, issued, expires_at, opened_at)
  VALUES ('acct_older', true, 'cash', 'cash', 40, 0, 0, 'infinity', '${AT}'),
    ('acct_older', true, 'top-ups', 'platform', -50, 0, 0, NULL, '${AT}'),
    ('acct_older', true, 'revenue:ocr', 'platform', 10, 0, 0, NULL, '${AT}');
INSERT INTO key_spending
  VALUES ('acct_older', true, 'key_older', '2026-08-22', 10, '2026-08', 10, 10);
INSERT INTO entries (account_id, livemode, kind, at, sources, targets, amounts, requests, reference)
  VALUES ('acct_older', true, 'top_up', '${AT}', '{top-ups}', '{cash}', '{50}', NULL, 'pay'),
    ('acct_older', true, 'reserve', '${AT}', '{cash}', '{held:cash}', '{10}', '{req_older}', NULL),
    ('acct_older', true, 'capture', '${AT}', '{held:cash}', '{revenue:ocr}', '{10}', '{req_older}',
      NULL);
INSERT INTO calls (request_id, account_id, livemode, key_id, capability, sku, price_version, unit,
    quantity, amount, books, parts, state, day, opened_at, deadline_at, completed_at, captured,
    status, usage)
  VALUES ('req_older', 'acct_older', true, 'key_older', 'ocr', 'ocr', 1, 'call', 1, 10, '{cash}',
    '{10}', 'captured', '2026-08-22', '${AT}', '${AT}', '${AT}', 10, 200, '{"quantity": 1}');
INSERT INTO relay_usage VALUES ('req_chat', 'acct_older', true, 'key_older', 'm', 'u', false,
  'completed', 'upstream', 1, 1, '${AT}', 5);
INSERT INTO jobs (id, request_id, account_id, livemode, capability, input, terms, allocations,
    status, work, created_at, updated_at, expires_at, ended_at)
  VALUES ('job_older', 'req_job', 'acct_older', true, 'svc-video', '{}', '{}', '[]', 'failed', '{}',
    '${AT}', '${AT}', '${AT}', '${AT}');
`;
