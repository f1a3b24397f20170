// Sets prices of the demonstration's models and makes first calls, so that the pages have content.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { proposePrices } from '../src/gateway/calls/plan-model-prices.ts';
import { PLAN_AHEAD_MS, planPrices } from '../src/gateway/calls/plan-prices.ts';
import { shippedPrices } from '../src/gateway/calls/prices.ts';
import { importLitellm } from '../src/gateway/relay/prices/import-prices.ts';
import type { TokenClass } from '../src/gateway/relay/prices/token-classes.ts';
import { messageOf } from '../src/kernel/errors/fault.ts';
import { parseCny } from '../src/kernel/money.ts';
import type { Db } from '../src/kernel/ports/db.ts';
import type { World } from '../src/kernel/world.ts';
import { inTransaction } from '../src/store/platform/db.ts';

type ClassPrice = readonly [
  TokenClass,
  string,
  { readonly from?: number; readonly variant?: string }?,
];

const smallPrices: readonly ClassPrice[] = [
  ['input', '2'],
  ['cache_read', '0.2'],
  ['output', '8'],
];
const mediumPrices: readonly ClassPrice[] = [
  ['input', '8'],
  ['cache_read', '0.8'],
  ['output', '32'],
];
const largePrices: readonly ClassPrice[] = [
  ['input', '20'],
  ['input', '40', { from: 128_000 }],
  ['input', '36', { variant: 'priority' }],
  ['cache_read', '2'],
  ['output', '80'],
  ['output', '120', { from: 128_000 }],
  ['output', '144', { variant: 'priority' }],
];
const claudePrices: readonly ClassPrice[] = [
  ['input', '21'],
  ['input', '42', { from: 200_000 }],
  ['cache_read', '2.1'],
  ['cache_write', '26.25'],
  ['cache_write_long', '42'],
  ['output', '105'],
  ['output', '157.5', { from: 200_000 }],
  ['tool:web_search', '0.07'],
];

/** CNY for a million tokens of each class. */
const pricesOf: Readonly<Record<string, readonly ClassPrice[]>> = {
  'demo-chat-mini': smallPrices,
  'demo-chat': mediumPrices,
  'demo-chat-max': largePrices,
  'demo-faults': mediumPrices,
  'claude-demo': claudePrices,
  'claude-faults': claudePrices,
  'demo-responses': [...mediumPrices, ['reasoning', '40']],
  'demo-responses-faults': mediumPrices,
  'demo-embeddings': [['input', '0.15']],
  'demo-embeddings-faults': [['input', '0.15']],
};

/** An imported file with a new model; it waits for an operator's decision. */
const importedPrices = JSON.stringify({
  'claude-demo-next': {
    input_cost_per_token: 0.000004,
    cache_read_input_token_cost: 0.0000004,
    output_cost_per_token: 0.00002,
  },
});

/** Sets prices that apply at once, and stores an imported proposal. */
export async function priceModels(world: World, db: Db): Promise<void> {
  const models = Object.entries(pricesOf).flatMap(([model, prices]) =>
    prices.map(([name, cny, { from = 0, variant = '' } = {}]) => {
      const microFen = parseCny(cny) ?? 0n;
      return { model, class: name, from, variant, microFen, origin: 'manual' as const };
    }),
  );
  // A list must be planned ahead, so this one is planned with a clock in the past.
  const startsAt = world.clock.now() - PLAN_AHEAD_MS;
  const earlierClock = { ...world.clock, now: () => startsAt - PLAN_AHEAD_MS };
  await inTransaction(db, async (tx) => {
    await planPrices({ ...world, clock: earlierClock }, tx, {
      startsAt,
      prices: shippedPrices.prices,
      models,
      actor: 'demo',
      reason: 'Demonstration',
      expectedVersion: shippedPrices.version,
    });
    const importRates = { ratePpm: 7_200_000n, marginPpm: 200_000n, models: null };
    const proposal = importLitellm(importedPrices, importRates);
    const importOptions = { ratePpm: 7_200_000, marginPpm: 200_000, models: null };
    await proposePrices(world, tx, { ...proposal, ...importOptions });
  });
}

type ModelCall = readonly [path: string, body: Readonly<Record<string, unknown>>];

const userTurn = (content: unknown) => ({ messages: [{ role: 'user', content }] });
const cachedTurn = (text: string) => [{ type: 'text', text, cache_control: { type: 'ephemeral' } }];

const exampleCalls: readonly ModelCall[] = [
  ...['Name a river.', 'Translate “harbour”.', 'What is a gateway?'].map(
    (text): ModelCall => ['chat/completions', { model: 'demo-chat-mini', ...userTurn(text) }],
  ),
  ['chat/completions', { model: 'demo-chat', stream: true, ...userTurn('Write a haiku.') }],
  [
    'chat/completions',
    { model: 'demo-chat-max', service_tier: 'priority', ...userTurn('Compare two price lists.') },
  ],
  ...['Summarise this page.', 'And its second part.'].map(
    (text): ModelCall => [
      'messages',
      { model: 'claude-demo', max_tokens: 200, stream: true, ...userTurn(cachedTurn(text)) },
    ],
  ),
  ['responses', { model: 'demo-responses', input: 'List three harbours.' }],
  ['embeddings', { model: 'demo-embeddings', input: ['harbour', 'lantern'] }],
  // This stream breaks, and another model continues it.
  [
    'messages',
    {
      model: 'claude-faults',
      max_tokens: 200,
      stream: true,
      ...userTurn('Go on. upstream:dies-6'),
    },
  ],
  // The upstream of this model fails until its circuit opens.
  ...Array.from(
    { length: 3 },
    (): ModelCall => [
      'responses',
      { model: 'demo-responses-faults', input: 'Are you there? upstream:broken' },
    ],
  ),
  ['chat/completions', { model: 'demo-faults', ...userTurn('Are you there? upstream:locked') }],
];

type RelayAddress = { readonly host: string; readonly relayPort: number; readonly dataDir: string };

/** Makes calls of the first account, so that usage, receipts and health have rows. */
export async function callModels(
  { log, net }: World,
  { host, relayPort, dataDir }: RelayAddress,
): Promise<void> {
  try {
    const { ak } = JSON.parse(readFileSync(join(dataDir, 'first-run.json'), 'utf8')) as {
      readonly ak?: string;
    };
    for (const [path, body] of exampleCalls) {
      await net.request({
        url: `http://${host}:${relayPort}/relay/v1/${path}`,
        method: 'POST',
        headers: { authorization: `Bearer ${ak}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
        timeoutMs: 20_000,
        maxBytes: 1024 * 1024,
        gapMs: 0,
        privateHosts: ['127.0.0.0/8'],
      });
    }
  } catch (error) {
    log.warn(
      { error: messageOf(error) },
      'the example calls of models failed, so pages about usage have no rows',
    );
  }
}
