// Operators see pages about the relay: prices of models, imports with their changes, routes, and
// the number of calls without usage.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { readLastModelPrices } from '../../src/gateway/calls/plan-model-prices.ts';
import { insertRelayUsage } from '../../src/store/gateway/relay-usage.ts';
import { mainText } from '../console/money/money-console.ts';
import { openTestAdmin } from './test-admin.ts';

const admin = await openTestAdmin({
  models: { clever: { fallbacks: ['small'], continue: 'across', maxOutput: 8_000 } },
});
const operator = await admin.signIn();

const file = {
  sample_spec: { input_cost_per_token: 1 },
  clever: {
    input_cost_per_token: 3e-6,
    input_cost_per_token_priority: 6e-6,
    output_cost_per_token: 1.5e-5,
  },
};
const server = createServer((req, res) => {
  res.writeHead(req.url === '/prices.json' ? 200 : 404, { 'content-type': 'application/json' });
  res.end(JSON.stringify(file));
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
afterAll(() => server.close());
const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/prices.json`;

const PATH = '/admin/prices/models';
const readPageText = async () => mainText((await operator.get(PATH)).text);

test('states that no prices and no proposals exist', async () => {
  const pageText = await readPageText();
  expect(pageText).toContain('No import waits for a decision.');
  expect(pageText).toContain('No model has a price by token.');
});

test('refuses an import with invalid numbers and keeps the typed text', async () => {
  const formInput = { address, rate: 'seven', margin: '', models: 'clever' };
  const { status, text } = await operator.submit(PATH, PATH, formInput);
  expect(status).toBe(422);
  expect(mainText(text)).toContain('A number such as 7.2.');
  expect(text).toContain('value="seven"');
});

test('refuses an address without a file', async () => {
  const formInput = { address: `${address}.gone`, rate: '7.2', margin: '0', models: '' };
  const { status, text } = await operator.submit(PATH, PATH, formInput);
  expect([status, mainText(text).includes('The price file was not received')]).toEqual([422, true]);
});

test('an import becomes a proposal, and its prices apply after acceptance', async () => {
  await operator.submit(PATH, PATH, { address, rate: '7.2', margin: '20', models: '' });
  expect((await readLastModelPrices(admin.db)).rows).toEqual([]);
  const proposalText = await readPageText();
  expect(proposalText).toContain('Model Class From tokens Variant Before After');
  expect(proposalText).toContain('clever input 0 – – ¥25.92');
  expect(proposalText).toContain('clever input 0 priority – ¥51.84');
  expect(proposalText).toContain('clever output 0 – – ¥129.60');
  const { text } = await operator.get(PATH);
  const [, action = ''] = /action="(\/admin\/prices\/models\/prp_[^"]+)"/.exec(text) ?? [];
  await operator.submit(PATH, action, {});
  const acceptedText = await readPageText();
  expect(acceptedText).toContain('No import waits for a decision.');
  expect(acceptedText).toContain('clever input 0 – ¥25.92 imported');
});

test('the relay’s page and its CSV have charges, costs and margins', async () => {
  const row = (index: number, cost: number | null) => ({
    request_id: `req_cost_${index}`,
    account_id: admin.keys.accountId,
    livemode: true,
    key_id: 'key_cost',
    model: `costly-${index}`,
    upstream: 'south',
    is_stream: true,
    ended: 'completed' as const,
    counted: 'upstream' as const,
    prompt_tokens: 10,
    completion_tokens: 3,
    started_at: admin.clock.now(),
    duration_ms: 40,
    charge: 3_000_000,
    cost,
    attempt_costs: null,
  });
  await insertRelayUsage(admin.db, [row(1, 1_000_000), row(2, 5_000_000), row(3, null)]);
  const byModel = mainText((await operator.get('/admin/chat?by=model')).text);
  expect(byModel).toContain('costly-1 1 1 10 3 ¥0.03 ¥0.01 ¥0.02');
  expect(byModel).toContain('costly-2 1 1 10 3 ¥0.03 ¥0.05 −¥0.02');
  expect(byModel).toContain('costly-3 1 1 10 3 ¥0.03 unknown unknown');
  const byKey = mainText((await operator.get('/admin/chat?by=key')).text);
  expect(byKey).toContain('key_cost 3 3 30 9 ¥0.09 at least ¥0.06 at most ¥0.03');
  const file = await operator.get('/admin/chat.csv?by=model&days=7');
  expect(file.headers['content-type']).toContain('text/csv');
  const lines = file.text.split('\r\n');
  expect(lines[0]).toBe(
    'model,calls,finished,estimated,prompt_tokens,completion_tokens,charged,cost,margin,' +
      'calls_of_unknown_cost',
  );
  expect(lines).toContain('costly-2,1,1,0,10,3,0.03,0.05,-0.02,0');
  expect(lines).toContain('costly-3,1,1,0,10,3,0.03,,,1');
});

test('shows the relay’s routes and the share of calls without usage', async () => {
  await insertRelayUsage(
    admin.db,
    ['upstream', 'upstream', 'upstream', 'estimated'].map((counted, index) => ({
      request_id: `req_${index}`,
      account_id: admin.keys.accountId,
      livemode: true,
      key_id: 'key_a',
      model: 'clever',
      upstream: 'north',
      is_stream: true,
      ended: 'completed',
      counted: counted as 'upstream' | 'estimated',
      prompt_tokens: 10,
      completion_tokens: 3,
      started_at: admin.clock.now(),
      duration_ms: 40,
      charge: null,
      cost: null,
      attempt_costs: null,
    })),
  );
  const pageText = mainText((await operator.get('/admin/chat')).text);
  expect(pageText).toContain('north 4 25%');
  expect(pageText).toContain('Usage above the holds in this period: ¥0.00 in 0 calls');
  expect(pageText).toContain('clever all small – also fallbacks – / 8,000');
});
