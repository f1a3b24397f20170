import { expect, it } from 'vitest';
import { testWorld } from '../../../../tests/support/test-world.ts';
import { openBatchQueue } from '../../../kernel/concurrency/batch-queue.ts';
import { openDeadlines } from '../../../kernel/time/deadlines.ts';
import type { BatchResult } from '../../../store/ledger/parameters.ts';
import { executeBatch } from './execute-batch.ts';
import { DISCONNECTED, retryUnacknowledged } from './retry-unacknowledged.ts';

const { world, clock } = testWorld();
const deadlines = openDeadlines(world.clock);
const batchResult = (...texts: string[]): BatchResult<string> => ({
  kind: 'results',
  results: texts,
});
const lostConnection = (isSent: boolean): BatchResult<string> => ({
  kind: 'disconnected',
  error: 'cut',
  isSent,
});
const refusedBatch: BatchResult<string> = { kind: 'refused', error: 'no' };
const unavailable = { code: 'temporarily_unavailable', retryAfterSeconds: 1 };

/** A queue whose ledger returns the results of `script`. Lost requests join separate batches. */
function openQueue(script: BatchResult<string>[]) {
  const statements: string[] = [];
  const executeFake = async (batch: readonly string[], isRetry: boolean) => {
    statements.push(`${batch.join(' ')}${isRetry ? ' again' : ''}`);
    return script.shift() ?? lostConnection(false);
  };
  const queue = openBatchQueue();
  const secondTry = queue.addQueue<string, string>({
    maxInputs: 9,
    run: (batch) =>
      executeBatch(world, batch, {
        execute: (all) => executeFake(all, true),
        onDisconnected: () => DISCONNECTED,
      }),
  });
  const retryUntilDone = async (input: string) =>
    `retried ${await retryUnacknowledged({ world, deadlines }, () => secondTry(input))}`;
  const submit = queue.addQueue<string, string>({
    maxInputs: 9,
    run: (batch) =>
      executeBatch(world, batch, {
        execute: executeFake,
        onDisconnected: (input, isSent) => (isSent ? retryUntilDone(input) : null),
      }),
  });
  return { statements, put: submit };
}

it('fails unsent requests at once and repeats unacknowledged ones', async () => {
  const unreachableQueue = openQueue([lostConnection(false), lostConnection(false)]);
  await expect(unreachableQueue.put('a')).rejects.toMatchObject(unavailable);
  expect(unreachableQueue.statements).toEqual(['a', 'a again']);
  const interruptedQueue = openQueue([
    lostConnection(true),
    lostConnection(false),
    batchResult('A'),
  ]);
  expect(await interruptedQueue.put('a')).toBe('retried A');
  expect(interruptedQueue.statements).toEqual(['a', 'a again', 'a again']);
});

it('each request of a split batch has its own result and waits for no other', async () => {
  const { statements, put } = openQueue([
    ...[batchResult('first'), refusedBatch, batchResult('B'), lostConnection(true), refusedBatch],
    batchResult('C'),
  ]);
  const outcomes = await Promise.allSettled(['first', 'b', 'c', 'd'].map(put));
  expect(statements).toEqual(['first', 'b c d', 'b again', 'c again', 'd again', 'c again']);
  expect(outcomes).toMatchObject([
    { status: 'fulfilled', value: 'first' },
    { status: 'fulfilled', value: 'B' },
    { status: 'fulfilled', value: 'retried C' },
    { status: 'rejected', reason: unavailable },
  ]);
});

it('repeats requests that may have run before their batch was split', async () => {
  const script = [
    batchResult('first'),
    lostConnection(true),
    refusedBatch,
    batchResult('B'),
    lostConnection(false),
    batchResult('C'),
  ];
  const { statements, put } = openQueue(script);
  expect(await Promise.all(['first', 'b', 'c'].map(put))).toEqual(['first', 'B', 'retried C']);
  expect(statements).toEqual(['first', 'b c', 'b c again', 'b again', 'c again', 'c again']);
});

it('retries an unreachable ledger for eight seconds', async () => {
  const { statements, put } = openQueue([lostConnection(true)]);
  const began = clock.now();
  const result = put('a');
  while (
    (await Promise.race([result, new Promise((resolve) => setImmediate(resolve))])) === undefined
  ) {
    clock.advance(50);
  }
  expect(await result).toBe('retried disconnected');
  expect(clock.now() - began).toBeGreaterThanOrEqual(8_350);
  expect(statements.length).toBe(2 + 2 * 9);
});

it('returns after eight seconds, although an attempt never ends', async () => {
  const { world: ownWorld, clock: ownClock } = testWorld();
  let attempts = 0;
  const deps = { world: ownWorld, deadlines: openDeadlines(ownClock) };
  const result = retryUnacknowledged(deps, () => {
    attempts += 1;
    return new Promise<never>(() => {});
  });
  ownClock.advance(8_000);
  expect(await Promise.race([result, 'waiting'])).toBe('waiting');
  ownClock.advance(1_000);
  expect(await result).toBe(DISCONNECTED);
  expect(attempts).toBe(1);
});
