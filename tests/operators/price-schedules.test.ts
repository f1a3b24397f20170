// Prices of SKUs and of models change independently: when a planned list of one kind starts, the
// current prices of the other kind stay valid.
import { expect, test } from 'vitest';
import { readLastModelPrices, setModelPrices } from '../../src/gateway/calls/plan-model-prices.ts';
import { planPrices } from '../../src/gateway/calls/plan-prices.ts';
import { shippedPrices } from '../../src/gateway/calls/prices.ts';
import { DAY_MS } from '../../src/kernel/time/durations.ts';
import { inTransaction } from '../../src/store/platform/db.ts';
import { json } from '../support/http-request.ts';
import { openTestGateway } from '../support/test-gateway.ts';

const gateway = await openTestGateway();
const { world, db, clock } = gateway;

const setPrice = (model: string, microFen: bigint) => {
  const prices = [{ class: 'input', from: 0, variant: '', microFen }] as const;
  const change = { model, prices, actor: 'Ada', reason: 'models' };
  return inTransaction(db, (tx) => setModelPrices(world, tx, change));
};

/** The price of a thousand calls, and the price of each model. */
async function readPublicPrices() {
  const { skus } = json(await gateway.sendRequest({ path: '/capabilities/catalog' })) as {
    readonly skus: readonly { readonly price_per_1000: string }[];
  };
  const { models } = json(await gateway.sendRequest({ path: '/api/v1/relay/prices' })) as {
    readonly models: readonly { readonly id: string; readonly prices: { price: string }[] }[];
  };
  return {
    social: skus[0]?.price_per_1000,
    models: Object.fromEntries(models.map(({ id, prices }) => [id, prices[0]?.price])),
  };
}

test('model prices that are set before a planned list starts still apply after it', async () => {
  await inTransaction(db, (tx) =>
    planPrices(world, tx, {
      startsAt: clock.now() + 7 * DAY_MS,
      prices: { ...shippedPrices.prices, social_data: 4_000_000n },
      actor: 'Ada',
      reason: 'next week',
      expectedVersion: 1,
    }),
  );
  await setPrice('first', 100_000_000n);
  clock.advance(62_000);
  expect(await readPublicPrices()).toEqual({ social: '¥36.00', models: { first: '1' } });
  await setPrice('second', 200_000_000n);
  expect((await readLastModelPrices(db)).rows.map(({ model }) => model)).toEqual([
    'first',
    'second',
  ]);
  clock.advance(62_000);
  const models = { first: '1', second: '2' };
  expect(await readPublicPrices()).toEqual({ social: '¥36.00', models });
  clock.advance(7 * DAY_MS);
  expect(await readPublicPrices()).toEqual({ social: '¥40.00', models });
});
