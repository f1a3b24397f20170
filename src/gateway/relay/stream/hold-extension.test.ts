import { expect, test } from 'vitest';
import { openHoldExtension } from './hold-extension.ts';

/** An extension whose results the test sets. */
function openPendingExtension() {
  const results: ((result: 'held' | 'not_covered') => void)[] = [];
  const requested: number[] = [];
  const extension = openHoldExtension({ heldTokens: 100, max: 1_000 }, (tokens) => {
    requested.push(tokens);
    return new Promise((resolve) => results.push(resolve));
  });
  let cuts = 0;
  const write = (tokens: number) => extension.noteWritten(tokens * 4, () => (cuts += 1));
  return { write, requested, results, cuts: () => cuts, settled: extension.settled };
}

test('one extension starts at 80 % of the held output, and the stream continues', async () => {
  const { write, requested, results, cuts, settled } = openPendingExtension();
  write(79);
  expect(requested).toEqual([]);
  write(80);
  write(150);
  expect([requested, cuts()]).toEqual([[200], 0]);
  results[0]?.('held');
  await settled();
  write(170);
  expect([requested, cuts()]).toEqual([[200, 400], 0]);
});

test('without a ledger response, the stream ends at the size of the extended hold', () => {
  const { write, cuts } = openPendingExtension();
  write(80);
  write(199);
  expect(cuts()).toBe(0);
  write(200);
  expect(cuts()).toBe(1);
});

test('an extension that is not covered ends the stream when its hold is used', async () => {
  const { write, results, cuts, settled } = openPendingExtension();
  write(80);
  results[0]?.('not_covered');
  await settled();
  write(99);
  expect(cuts()).toBe(0);
  write(100);
  expect(cuts()).toBe(1);
});
