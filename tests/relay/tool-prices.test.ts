// Tools that a provider runs itself. The relay allows them for models with a tool price. The hold
// covers the permitted calls, and the charge covers the reported calls. Relay contract, 2.1 and
// 2.2.
import { expect, test } from 'vitest';
import { setModelPrices } from '../../src/gateway/calls/plan-model-prices.ts';
import { auditLedger } from '../../src/gateway/wallet/integrity/audit-ledger.ts';
import { parseCny } from '../../src/kernel/money.ts';
import { inTransaction } from '../../src/store/platform/db.ts';
import { json } from '../support/http-request.ts';
import { openTestRelay } from './test-relay.ts';

const relay = await openTestRelay({
  upstreams: [{ kind: 'anthropic-messages' }, { kind: 'openai-responses' }],
  models: { 'demo-chat': { maxInput: 10_000, maxOutput: 100 } },
});
const { world, db, clock } = relay;

const price = (name: 'input' | 'output' | 'tool:web_search', cny: string) => ({
  class: name,
  from: 0,
  variant: '',
  microFen: parseCny(cny) ?? 0n,
});
await inTransaction(db, (tx) =>
  setModelPrices(world, tx, {
    model: 'demo-chat',
    prices: [price('input', '30'), price('output', '150'), price('tool:web_search', '0.07')],
    actor: 'Ada',
    reason: 'searches',
  }),
);
clock.advance(62_000);

const messages = [{ role: 'user', content: 'Good morning' }];
const bodies = {
  '/v1/messages': {
    max_tokens: 50,
    messages,
    tools: [{ type: 'web_search_20250305', name: 'web_search', max_uses: 3 }],
  },
  '/v1/responses': {
    max_output_tokens: 50,
    input: 'Good morning',
    tools: [{ type: 'web_search_preview_2025_03_11' }],
    max_tool_calls: 3,
  },
} as const;
type Path = keyof typeof bodies;

const post = (path: Path, body: object) =>
  relay.send({
    method: 'POST',
    path,
    headers: { authorization: `Bearer ${relay.keys.sk}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'demo-chat', ...body }),
  });

test.each(
  (Object.keys(bodies) as Path[]).flatMap((path) => [
    [path, false] as const,
    [path, true] as const,
  ]),
)('%s, stream %s: each call of the tool is a line of the charge', async (path, stream) => {
  const response = await post(path, { ...bodies[path], stream });
  expect(response.status).toBe(200);
  const call = await relay.callOf(response);
  expect(call).toMatchObject({
    state: 'captured',
    usage: {
      lines: [
        { class: 'input' },
        { class: 'output' },
        { class: 'tool:web_search', tokens: 2, price: String(parseCny('0.07')) },
      ],
    },
  });
  // The input is at most 10,000 tokens, the output 50, and three calls are permitted.
  expect(response.headers['x-relay-hold']).toBe('0.5175');
});

test('the audit finds no violation', async () => {
  await relay.calls();
  const { invariants } = await auditLedger(world, db, 'full');
  expect(invariants.flatMap(({ violations }) => violations)).toEqual([]);
});

test('a tool without a price is refused beside a tool that has a price', async () => {
  const { tools } = bodies['/v1/messages'];
  const fetchTool = { type: 'web_fetch_20250910', name: 'web_fetch' };
  const body = { ...bodies['/v1/messages'], tools: [...tools, fetchTool] };
  const response = await post('/v1/messages', body);
  expect([response.status, json(response)]).toMatchObject([
    400,
    { error: { code: 'unpriced_tool', param: 'tools[1]' } },
  ]);
});

test('a namespace groups tools of the client, and a hosted tool in it is refused', async () => {
  const groupTools = (type: string) => {
    const tools = [{ type: 'function', name: 'close_agent', parameters: {} }, { type }];
    return { ...bodies['/v1/responses'], tools: [{ type: 'namespace', name: 'agents', tools }] };
  };
  expect((await post('/v1/responses', groupTools('function'))).status).toBe(200);
  const response = await post('/v1/responses', groupTools('code_interpreter'));
  expect([response.status, json(response)]).toMatchObject([
    400,
    { error: { code: 'unpriced_tool', param: 'tools[0].tools[1]' } },
  ]);
});
