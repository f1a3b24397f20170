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
  let streamEnds = 0;
  const write = (tokens: number) => extension.noteWritten(tokens * 4, () => (streamEnds += 1));
  return { write, requested, results, streamEnds: () => streamEnds, whenIdle: extension.whenIdle };
}

test('one extension starts at 80 % of the held output, and the stream continues', async () => {
  const { write, requested, results, streamEnds, whenIdle } = openPendingExtension();
  write(79);
  expect(requested).toEqual([]);
  write(80);
  write(150);
  expect([requested, streamEnds()]).toEqual([[200], 0]);
  results[0]?.('held');
  await whenIdle();
  write(170);
  expect([requested, streamEnds()]).toEqual([[200, 400], 0]);
});

test('without a ledger response, the stream ends at the size of the extended hold', () => {
  const { write, streamEnds } = openPendingExtension();
  write(80);
  write(199);
  expect(streamEnds()).toBe(0);
  write(200);
  expect(streamEnds()).toBe(1);
});

test('without money for an extension, the stream ends once the hold is used up', async () => {
  const { write, results, streamEnds, whenIdle } = openPendingExtension();
  write(80);
  results[0]?.('not_covered');
  await whenIdle();
  write(99);
  expect(streamEnds()).toBe(0);
  write(100);
  expect(streamEnds()).toBe(1);
});
