// Chat usage stays complete when single calls are summed into one row per day, key and model: no
// call is lost or counted twice.
import { expect, test } from 'vitest';
import {
  foldChatUsage,
  isChatUsageFoldDue,
  readChatUsage,
} from '../../src/gateway/relay/usage-report.ts';
import { DAY_MS } from '../../src/kernel/time/durations.ts';
import { insertRelayUsage, type RelayUsageRow } from '../../src/store/gateway/relay-usage.ts';
import { json } from '../support/http-request.ts';
import { openTestAdmin } from './test-admin.ts';

const admin = await openTestAdmin();
const { world, db, clock } = admin;
const { accountId } = admin.keys;

function usageRow(index: number, overrides: Partial<RelayUsageRow> = {}): RelayUsageRow {
  return {
    request_id: `req_${index}`,
    account_id: accountId,
    livemode: true,
    key_id: 'key_a',
    model: 'small',
    upstream: 'main',
    is_stream: true,
    ended: 'completed',
    counted: 'upstream',
    prompt_tokens: 10,
    completion_tokens: 3,
    started_at: clock.now() - index * DAY_MS,
    duration_ms: 40,
    charge: null,
    cost: null,
    attempt_costs: null,
    ...overrides,
  };
}

const query = {
  wallet: { accountId, livemode: true },
  from: '2026-07-01',
  to: '2026-08-22',
  groupBy: 'model' as const,
};

test('compaction does not change the sums, also over both kinds of rows', async () => {
  const rows = Array.from({ length: 30 }, (_, index) => usageRow(index));
  await insertRelayUsage(db, rows);
  await insertRelayUsage(db, [
    usageRow(100, { started_at: clock.now() - 9 * DAY_MS, model: 'la\0rge', counted: 'estimated' }),
    usageRow(101, { started_at: clock.now() - 9 * DAY_MS, key_id: 'key_b', ended: 'client_left' }),
    usageRow(102, { started_at: clock.now() - 9 * DAY_MS, livemode: false, key_id: 'key_t' }),
    usageRow(103, { started_at: clock.now(), account_id: 'acct_other', key_id: 'key_o' }),
  ]);
  const sumsBefore = await readChatUsage(db, query);
  expect(sumsBefore).toMatchObject([
    {
      group: 'small',
      calls: 31,
      completed: 30,
      estimated: 0,
      promptTokens: 310,
      completionTokens: 93,
    },
    {
      // U+0000 in a request does not prevent its row.
      group: 'la\ufffdrge',
      calls: 1,
      completed: 1,
      estimated: 1,
      promptTokens: 10,
      completionTokens: 3,
    },
  ]);
  const days = await readChatUsage(db, { ...query, groupBy: 'day' });
  expect(await isChatUsageFoldDue(world, db)).toBe(true);
  // Two concurrent workers share the work.
  const compactedCounts = await Promise.all([foldChatUsage(world, db), foldChatUsage(world, db)]);
  expect(compactedCounts[0] + compactedCounts[1]).toBe(25);
  expect(await isChatUsageFoldDue(world, db)).toBe(false);
  expect(await readChatUsage(db, query)).toEqual(sumsBefore);
  expect(await readChatUsage(db, { ...query, groupBy: 'day' })).toEqual(days);
  expect(days).toHaveLength(30);
});

test('compacts a day in two steps with equal sums', async () => {
  await insertRelayUsage(db, [usageRow(200, { started_at: clock.now() - 9 * DAY_MS })]);
  await foldChatUsage(world, db);
  const [smallGroup] = await readChatUsage(db, query);
  expect(smallGroup).toMatchObject({ group: 'small', calls: 32, promptTokens: 320 });
});

test('an account reads its own usage by model, and operators read all usage', async () => {
  const query = 'from=2026-07-01&to=2026-08-22';
  const usage = json(await admin.readPath(`/api/v1/usage/chat?${query}`));
  expect(usage).toEqual({
    from: '2026-07-01',
    to: '2026-08-22',
    group_by: 'model',
    rows: [
      {
        group: 'small',
        calls: 32,
        succeeded: 31,
        prompt_tokens: 320,
        completion_tokens: 96,
      },
      {
        group: 'la\ufffdrge',
        calls: 1,
        succeeded: 1,
        prompt_tokens: 10,
        completion_tokens: 3,
      },
    ],
  });
  const operator = await admin.signIn();
  const { text } = await operator.get('/admin/chat?by=account');
  expect(text).toContain('acct_other');
});
