// Prices of models in the console, the calculator for a call, and the price of a call.
import { expect, test } from 'vitest';
import { setModelPrices } from '../../../src/gateway/calls/plan-model-prices.ts';
import { parseCny } from '../../../src/kernel/money.ts';
import { inTransaction } from '../../../src/store/platform/db.ts';
import { mainText, openMoneyConsole } from './money-console.ts';

const testConsole = await openMoneyConsole();
const { world, db, customer, clock } = testConsole;

const price = (name: string, cny: string, variant = '') => ({
  class: name,
  from: 0,
  variant,
  microFen: parseCny(cny) ?? 0n,
});

test('without prices by token, the page refers to the catalog', async () => {
  const { status, text } = await customer.get('/console/models');
  expect([status, mainText(text)]).toEqual([
    200,
    'Prices of models No model has a price by token here. The price of a call is in the catalog.',
  ]);
});

test('lists prices of models by class, and calculates the price of a call', async () => {
  const prices = [
    price('input', '30'),
    price('input', '60', 'priority'),
    price('cache_read', '3'),
    price('output', '150'),
  ];
  await inTransaction(db, (tx) =>
    setModelPrices(world, tx, { model: 'clever', prices, actor: 'Ada', reason: 'new' }),
  );
  clock.advance(62_000);
  const pageText = mainText((await customer.get('/console/models')).text);
  expect(pageText).toContain('Input ¥30.00');
  expect(pageText).toContain('service tier priority ¥60.00');
  expect(pageText).toContain('Read from a cache ¥3.00');
  const query = 'model=clever&input=1000&cached=400&output=100';
  const cost = mainText((await customer.get(`/console/models?${query}`)).text);
  // 600 at 30, 400 at 3 and 100 at 150 CNY a million.
  expect(cost).toContain('This call of clever would cost ¥0.0342.');
  const usage = mainText((await customer.get('/console/usage?by=model')).text);
  expect(usage).toContain('By model');
  const file = await customer.get('/console/usage.csv?by=model');
  expect(file.text.trim()).toBe('model,class,tokens,cost_cny');
  const errorText = mainText((await customer.get('/console/models?model=clever&input=many')).text);
  expect(errorText).toContain('Tokens are whole numbers up to 100,000,000.');
  expect(errorText).not.toContain('would cost');
});
