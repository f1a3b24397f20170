// The quote of a request equals the hold of the same call, over dialects, tiers, service tiers,
// routes, media and tools. The quote also refuses each request that the call refuses. Relay
// contract, 2.3 and 2.5.
import { expect, test } from 'vitest';
import { planPrices } from '../../src/gateway/calls/plan-prices.ts';
import { shippedPrices } from '../../src/gateway/calls/prices.ts';
import { seededRandom } from '../../src/kernel/crypto/random.ts';
import { inTransaction } from '../../src/store/platform/db.ts';
import { json } from '../support/http-request.ts';
import { proofSeed, proofSize } from '../support/proof-size.ts';
import { openTestGateway } from '../support/test-gateway.ts';
import { openTestRelay } from './test-relay.ts';

const seed = proofSeed();
const random = seededRandom(seed);
const randomBelow = (count: number) => Math.floor(random.next() * count);
const happensOnceIn = (count: number) => randomBelow(count) === 0;
const oneOf = <T>(choices: readonly T[]): T => {
  const value = choices[randomBelow(choices.length)];
  if (value === undefined) throw new Error('the list is empty');
  return value;
};
const CALLS = proofSize(300, 5_000);

const kinds = ['openai-chat', 'anthropic-messages', 'openai-responses', 'embeddings'] as const;
/** Every upstream serves the first model; the others have one upstream each. */
const models = ['demo-chat', 'demo-only-0', 'demo-only-1', 'demo-only-2'] as const;

const modelLimit = (max: number) => (happensOnceIn(2) ? { maxInput: 1 + randomBelow(max) } : {});
const routes = Object.fromEntries(
  models.map((model) => [
    model,
    {
      ...modelLimit(2_000),
      ...(happensOnceIn(2) && { maxOutput: 1 + randomBelow(2_000) }),
      ...(happensOnceIn(2) && { holdOutput: 1 + randomBelow(2_000) }),
      ...(happensOnceIn(2) && { mediaTokens: 1 + randomBelow(3_000) }),
      ...(happensOnceIn(2) && { contextFallbacks: [oneOf(models)] }),
    },
  ]),
);

const classes = [
  ...['input', 'cache_read', 'cache_write', 'cache_write_long', 'input_audio', 'input_image'],
  ...['output', 'reasoning', 'output_image', 'request', 'tool:web_search'],
];
/** A thousandth of a fen. */
const PRICE_STEP_MICRO_FEN = 1_000;
/** A price is below this number of steps, which are one fen: the allowance covers every call. */
const PRICE_STEPS = 1_000;
const priceRows = models.flatMap((model) =>
  classes.flatMap((name) =>
    ['', 'priority', 'flex'].flatMap((variant) =>
      [0, 500, 1_500].flatMap((from) =>
        // Model `demo-only-2` has no prices: it is not sold.
        model === 'demo-only-2' || happensOnceIn(2)
          ? []
          : [
              {
                model,
                class: name,
                from: name === 'request' || name.startsWith('tool:') ? 0 : from,
                variant,
                microFen: BigInt(randomBelow(PRICE_STEPS) * PRICE_STEP_MICRO_FEN),
                origin: 'manual' as const,
              },
            ],
      ),
    ),
  ),
);
const uniquePrices = [
  ...new Map(
    priceRows.map((row) => [`${row.model} ${row.class} ${row.variant} ${row.from}`, row]),
  ).values(),
];

const relay = await openTestRelay({
  upstreams: kinds.map((kind) => ({ kind })),
  models: routes,
});
const gateway = await openTestGateway({
  db: relay.db,
  relay: { models: routes, ratios: relay.ratios },
});
await inTransaction(relay.db, (tx) =>
  planPrices(relay.world, tx, {
    startsAt: relay.clock.now() + 61_000,
    prices: shippedPrices.prices,
    models: uniquePrices,
    actor: 'Ada',
    reason: 'quotes',
    expectedVersion: 1,
  }),
);
relay.clock.advance(62_000);
gateway.clock.advance(62_000);

const words = () => '一二 word '.repeat(randomBelow(happensOnceIn(4) ? 300 : 10));
const image = { url: `data:image/png;base64,${'A'.repeat(4_000)}` };
const cacheControl = () =>
  happensOnceIn(3) && {
    cache_control: { type: 'ephemeral', ...(happensOnceIn(2) && { ttl: oneOf(['5m', '1h']) }) },
  };
const turnsOf = (imageOf: () => object) =>
  Array.from({ length: 1 + randomBelow(4) }, (_, index) => ({
    role: index % 2 === 0 ? 'user' : 'assistant',
    content: happensOnceIn(2)
      ? words()
      : [
          { type: 'text', text: words(), ...cacheControl() },
          ...(happensOnceIn(3) ? [imageOf()] : []),
        ],
  }));
const functionTool = { name: 'look', description: words(), parameters: { type: 'object' } };

/** The body of a request, by its path. */
const bodies: Readonly<Record<string, () => object>> = {
  '/chat/completions': () => ({
    messages: turnsOf(() => ({ type: 'image_url', image_url: image })),
    ...(happensOnceIn(3) && { n: 1 + randomBelow(3) }),
    ...(happensOnceIn(2) && {
      [oneOf(['max_tokens', 'max_completion_tokens'])]: 1 + randomBelow(3_000),
    }),
    ...(happensOnceIn(3) && { tools: [{ type: 'function', function: functionTool }] }),
    ...(happensOnceIn(3) && { stream: true }),
  }),
  '/messages': () => ({
    max_tokens: 1 + randomBelow(3_000),
    messages: turnsOf(() => ({
      type: 'image',
      source: { type: 'base64', media_type: 'image/png', data: 'A'.repeat(4_000) },
    })),
    ...(happensOnceIn(3) && {
      tools: [{ type: 'web_search_20250305', name: 'web_search', max_uses: 1 + randomBelow(9) }],
    }),
    ...(happensOnceIn(3) && { stream: true }),
  }),
  '/responses': () => ({
    input: happensOnceIn(2)
      ? words() || 'Hi'
      : [{ role: 'user', content: [{ type: 'input_text', text: words() }] }],
    ...(happensOnceIn(2) && { max_output_tokens: 1 + randomBelow(3_000) }),
    ...(happensOnceIn(3) && {
      tools: [oneOf([{ type: 'web_search' }, { type: 'code_interpreter' }])],
    }),
    ...(happensOnceIn(3) && { max_tool_calls: 1 + randomBelow(9) }),
    ...(happensOnceIn(3) && { stream: true }),
  }),
  '/embeddings': () => ({ input: happensOnceIn(2) ? 'Hi' : ['Hi', words() || 'you'] }),
};

function randomRequest() {
  const path = oneOf(Object.keys(bodies));
  const body = {
    model: oneOf(models),
    ...bodies[path]?.(),
    ...(happensOnceIn(3) && { service_tier: oneOf(['default', 'priority', 'flex', 'batch']) }),
  };
  return { path: `${oneOf(['/relay/v1', '/v1'])}${path}`, body: JSON.stringify(body) };
}

const headers = (key: string) => ({
  authorization: `Bearer ${key}`,
  'content-type': 'application/json',
});

/** The code of an error in the form of any dialect, or of a problem. */
function codeIn(body: Record<string, unknown>): unknown {
  const error = body.error as { readonly code?: unknown } | undefined;
  return error?.code ?? body.code;
}

test(`the quote equals the hold of the same call (RADAR_SEED=${seed}, ${CALLS} calls)`, {
  timeout: 900_000,
}, async () => {
  const heldCount = new Map<string, number>();
  let refusedCount = 0;
  for (let callIndex = 0; callIndex < CALLS; callIndex += 1) {
    const { path, body } = randomRequest();
    // The ratio of a model changes between calls, as measured usage changes it.
    if (callIndex % 10 === 0) {
      const ratio = random.next();
      for (let sample = 0; sample < 1_000; sample += 1) {
        relay.ratios.record('demo-chat', { bytes: 1_000, tokens: Math.floor(1_000 * ratio) });
      }
    }
    const quoteResponse = await gateway.sendRequest({
      method: 'POST',
      path: '/api/v1/relay/quote',
      headers: headers(relay.keys.sk),
      body: `{"path":${JSON.stringify(path)},"body":${body}}`,
    });
    const call = await relay.send({
      method: 'POST',
      path,
      headers: headers(relay.keys.sk),
      body,
    });
    const quote = json(quoteResponse);
    const caseName = `${path} ${body.slice(0, 300)} ${quoteResponse.text.slice(0, 500)}`;
    // When no upstream of the dialect has the model, the quote has a price, but the call returns
    // 404.
    if (call.status === 404) continue;
    if (quoteResponse.status !== 200) {
      expect([call.status, codeIn(json(call))], caseName).toEqual([
        quoteResponse.status,
        codeIn(quote),
      ]);
      refusedCount += 1;
      continue;
    }
    expect(call.status, `${caseName} ${call.text.slice(0, 300)}`).toBe(200);
    expect(call.headers['x-relay-hold'] ?? '0', caseName).toBe(quote.hold);
    const version = call.headers['x-relay-price-version'];
    expect(version === undefined ? null : Number(version), caseName).toBe(quote.price_version);
    heldCount.set(path, (heldCount.get(path) ?? 0) + 1);
  }
  expect(heldCount.size).toBe(Object.keys(bodies).length * 2);
  expect(refusedCount).toBeGreaterThan(0);
});
