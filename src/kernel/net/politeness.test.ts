import { describe, expect, test } from 'vitest';
import { manualClock } from '../time/clock.ts';
import { DAY_MS } from '../time/durations.ts';
import { openPoliteness, type Turn } from './politeness.ts';

/** Runs all pending callbacks; no test here waits for the real clock. */
const settleMicrotasks = () => new Promise((resolve) => setImmediate(resolve));

function openTestPoliteness(perHostConcurrency: number) {
  const clock = manualClock(1_000_000);
  const closing = new AbortController();
  const politeness = openPoliteness(clock, perHostConcurrency, closing.signal);
  const log: string[] = [];
  const releases = new Map<string, () => void>();
  const takeTurn = (
    name: string,
    options: Partial<Parameters<typeof politeness.waitForTurn>[1]> = {},
  ) => {
    const signal = options.signal ?? new AbortController().signal;
    const host = name.replace(/\d+$/, '');
    const turn = politeness.waitForTurn(host, { gapMs: 0, maxWaitMs: 60_000, ...options, signal });
    return turn.then((outcome: Turn) => {
      log.push(outcome.kind === 'turn' ? name : `${name} ${outcome.kind}`);
      if (outcome.kind === 'turn') releases.set(name, outcome.release);
    });
  };
  return { clock, closing, log, takeTurn, release: (name: string) => releases.get(name)?.() };
}

describe('requests to a host', () => {
  test('are admitted up to a fixed number at once, and the others in order', async () => {
    const { log, takeTurn, release } = openTestPoliteness(2);
    for (const name of ['a1', 'a2', 'a3', 'a4']) takeTurn(name);
    await settleMicrotasks();
    expect(log).toEqual(['a1', 'a2']);
    release('a2');
    await settleMicrotasks();
    expect(log).toEqual(['a1', 'a2', 'a3']);
    release('a2');
    release('a2');
    await settleMicrotasks();
    expect(log).toEqual(['a1', 'a2', 'a3']);
    release('a1');
    await settleMicrotasks();
    expect(log).toEqual(['a1', 'a2', 'a3', 'a4']);
  });

  test('do not wait for requests to another host', async () => {
    const { log, takeTurn } = openTestPoliteness(1);
    for (const name of ['a1', 'a2', 'b1', 'b2']) takeTurn(name);
    await settleMicrotasks();
    expect(log).toEqual(['a1', 'b1']);
  });

  test('start with a gap, even when the requests are short', async () => {
    const { clock, log, takeTurn, release } = openTestPoliteness(2);
    for (const name of ['a1', 'a2', 'a3']) takeTurn(name, { gapMs: 1_000 });
    await settleMicrotasks();
    expect(log).toEqual(['a1']);
    release('a1');
    clock.advance(999);
    await settleMicrotasks();
    expect(log).toEqual(['a1']);
    clock.advance(1);
    await settleMicrotasks();
    expect(log).toEqual(['a1', 'a2']);
    clock.advance(1_000);
    await settleMicrotasks();
    expect(log).toEqual(['a1', 'a2', 'a3']);
  });

  test('keep the gap since the last start, also without waiting requests', async () => {
    const { clock, log, takeTurn, release } = openTestPoliteness(2);
    takeTurn('a1', { gapMs: 1_000 });
    await settleMicrotasks();
    release('a1');
    clock.advance(400);
    takeTurn('a2', { gapMs: 1_000 });
    await settleMicrotasks();
    expect(log).toEqual(['a1']);
    clock.advance(600);
    await settleMicrotasks();
    expect(log).toEqual(['a1', 'a2']);
  });

  test('are delayed at most by the gap when the clock was set back by a year', async () => {
    const { clock, log, takeTurn } = openTestPoliteness(2);
    takeTurn('a1', { gapMs: 1_000 });
    await settleMicrotasks();
    clock.advance(-365 * DAY_MS);
    takeTurn('a2', { gapMs: 1_000 });
    await settleMicrotasks();
    expect(log).toEqual(['a1']);
    clock.advance(1_000);
    await settleMicrotasks();
    expect(log).toEqual(['a1', 'a2']);
  });
});

describe('a waiting caller', () => {
  test('leaves the queue after its time limit, and later callers advance', async () => {
    const { clock, log, takeTurn, release } = openTestPoliteness(1);
    takeTurn('a1');
    takeTurn('a2', { maxWaitMs: 500 });
    takeTurn('a3');
    clock.advance(500);
    await settleMicrotasks();
    expect(log).toEqual(['a1', 'a2 waited_too_long']);
    release('a1');
    await settleMicrotasks();
    expect(log).toEqual(['a1', 'a2 waited_too_long', 'a3']);
  });

  test('leaves the queue when it aborts, and later callers advance', async () => {
    const { log, takeTurn, release } = openTestPoliteness(1);
    const caller = new AbortController();
    takeTurn('a1');
    takeTurn('a2', { signal: caller.signal });
    takeTurn('a3');
    caller.abort();
    await settleMicrotasks();
    expect(log).toEqual(['a1', 'a2 aborted']);
    release('a1');
    await settleMicrotasks();
    expect(log).toEqual(['a1', 'a2 aborted', 'a3']);
  });

  test('is not admitted when its signal is already aborted', async () => {
    const { log, takeTurn } = openTestPoliteness(1);
    takeTurn('a1', { signal: AbortSignal.abort() });
    await settleMicrotasks();
    expect(log).toEqual(['a1 aborted']);
  });

  test('keeps a granted slot after the time limit of the wait', async () => {
    const { clock, log, takeTurn, release } = openTestPoliteness(1);
    const caller = new AbortController();
    takeTurn('a1', { maxWaitMs: 500, signal: caller.signal });
    await settleMicrotasks();
    clock.advance(10_000);
    caller.abort();
    await settleMicrotasks();
    expect(log).toEqual(['a1']);
    release('a1');
    takeTurn('a2');
    await settleMicrotasks();
    expect(log).toEqual(['a1', 'a2']);
  });
});
