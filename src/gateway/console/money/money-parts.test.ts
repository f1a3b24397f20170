import { expect, test } from 'vitest';
import { explainPrice } from '../../wallet/history/explain-price.ts';
import { moneyMessages } from '../messages/money.ts';
import { describeCharge } from './money-parts.ts';

test('explains a charge by tokens with the number of tokens and without a price per call', () => {
  const charged = 231_000n;
  const price = explainPrice(
    {
      sku: 'chat',
      priceVersion: 3,
      unit: 'per_token',
      quantity: 900,
      held: 1_000_000n,
      captured: charged,
      books: ['cash'],
      parts: [1_000_000n],
      usage: { quantity: 1_313 },
    },
    true,
  );
  expect(describeCharge(price, charged, moneyMessages('en'))).toBe(
    '1,313 tokens, each class at its own price, cost ¥0.00231 by price list 3.',
  );
  expect(describeCharge(price, charged, moneyMessages('zh-CN'))).toBe(
    '共 1,313 词元，按各类别单价合计 ¥0.00231，依据价目表 3。',
  );
});
