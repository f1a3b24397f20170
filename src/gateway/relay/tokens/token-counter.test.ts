import { afterAll, expect, test } from 'vitest';
import { testWorld } from '../../../../tests/support/test-world.ts';
import { countTokens } from './count-tokens.ts';
import { openTokenCounter } from './token-counter.ts';

const { world } = testWorld();
const counter = openTokenCounter(world);
const account = counter.of('acct_1');
afterAll(() => counter.close());

test.each([
  ['', 0],
  ['Hello world, how are you?', 7],
  ['你好世界。', 3],
  ['x<|endoftext|>y', 9],
])('%j has %i tokens', async (text, tokens) => {
  expect(await account.count(text)).toBe(tokens);
});

test('counts texts in order', async () => {
  const counts = await Promise.all(['a', 'a b', 'a b c'].map((text) => account.count(text)));
  expect(counts).toEqual([1, 2, 3]);
});

test('counts four bytes a token above 4 MiB', async () => {
  expect(await account.count('a'.repeat(4 * 1024 * 1024 + 4))).toBe(1024 * 1024 + 1);
});

test('accounts take turns, so long texts of one do not delay another', async () => {
  const order: string[] = [];
  const longText = 'word '.repeat(200_000);
  const longCounts = [1, 2, 3].map(() => account.count(longText).then(() => order.push('long')));
  const other = counter.of('acct_2').count('short');
  await other.then(() => order.push('short'));
  await Promise.all(longCounts);
  expect(order).toEqual(['short', 'long', 'long', 'long']);
});

test('estimates a text when more than 16 MiB of its account wait in the queue', async () => {
  const text = 'word '.repeat(800_000);
  const counts = Array.from({ length: 5 }, () => account.count(text));
  // The last text does not wait for the others.
  expect(await counts[4]).toBe(1_000_000);
  await Promise.all(counts);
});

test('cuts a word of 20,000 letters into pieces without losses', () => {
  expect(countTokens('a'.repeat(20_000))).toBe(2_500);
  expect(countTokens('word '.repeat(1_000))).toBe(countTokens('word '.repeat(500)) * 2 - 1);
  expect(countTokens('😀'.repeat(1_000))).toBeGreaterThanOrEqual(1_000);
});
