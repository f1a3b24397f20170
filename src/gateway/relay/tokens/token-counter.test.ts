import { afterAll, expect, test } from 'vitest';
import { testWorld } from '../../../../tests/support/test-world.ts';
import { countTokens } from './count-tokens.ts';
import { openTokenCounter } from './token-counter.ts';

const { world } = testWorld();
const counter = openTokenCounter(world);
afterAll(() => counter.close());

test.each([
  ['', 0],
  ['Hello world, how are you?', 7],
  ['你好世界。', 3],
  ['x<|endoftext|>y', 9],
])('%j has %i tokens', async (text, tokens) => {
  expect(await counter.count(text)).toBe(tokens);
});

test('counts texts in order', async () => {
  const counts = await Promise.all(['a', 'a b', 'a b c'].map((text) => counter.count(text)));
  expect(counts).toEqual([1, 2, 3]);
});

test('counts four bytes a token above 4 MiB', async () => {
  expect(await counter.count('a'.repeat(4 * 1024 * 1024 + 4))).toBe(1024 * 1024 + 1);
});

test('cuts a word of 20,000 letters into pieces without losses', () => {
  expect(countTokens('a'.repeat(20_000))).toBe(2_500);
  expect(countTokens('word '.repeat(1_000))).toBe(countTokens('word '.repeat(500)) * 2 - 1);
  expect(countTokens('😀'.repeat(1_000))).toBeGreaterThanOrEqual(1_000);
});
