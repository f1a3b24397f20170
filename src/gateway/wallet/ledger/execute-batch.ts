// Executes a batch and handles its failures. A refused batch had no effect, so each request runs
// alone and only the faulty one fails. After a lost connection the batch may be committed, so it is
// repeated once: every statement recognises the request ids of committed requests.
// `onDisconnected` handles a second loss.
import { Fault } from '../../../kernel/errors/fault.ts';
import type { World } from '../../../kernel/world.ts';
import type { BatchResult } from '../../../store/ledger/parameters.ts';

export type BatchExecutor<Input, Result> = {
  readonly execute: (batch: readonly Input[], isRetry: boolean) => Promise<BatchResult<Result>>;
  /**
   * Result of a request while the ledger is unreachable. Absent or null: the request fails.
   * `isSent`: the statement may be committed. False: it was never sent.
   */
  readonly onDisconnected?: (input: Input, isSent: boolean) => Result | Promise<Result> | null;
};

export async function executeBatch<Input, Result>(
  world: World,
  batch: readonly Input[],
  executor: BatchExecutor<Input, Result>,
): Promise<readonly (Result | Promise<Result>)[]> {
  let result = await executor.execute(batch, false);
  let isSent = false;
  if (result.kind === 'disconnected') {
    world.log.warn({ error: result.error, requests: batch.length }, 'ledger batch repeated');
    isSent = result.isSent;
    result = await executor.execute(batch, true);
  }
  if (result.kind === 'results') return result.results;
  if (result.kind === 'disconnected') {
    const batchResult = result;
    return batch.map((request) => resultFor(request, batchResult, isSent, executor));
  }
  if (batch.length === 1) throw ledgerUnavailable(result.error);
  world.log.warn(
    { error: result.error, requests: batch.length },
    'a ledger batch was executed one request at a time',
  );
  return executeOneByOne(batch, isSent, executor);
}

async function executeOneByOne<Input, Result>(
  batch: readonly Input[],
  wasSent: boolean,
  executor: BatchExecutor<Input, Result>,
): Promise<readonly Promise<Result>[]> {
  const singleResults: Promise<Result>[] = [];
  for (const request of batch) {
    const executed = executor.execute([request], true);
    const singleResult = executed.then((result) => resultFor(request, result, wasSent, executor));
    // The caller receives the rejection. Only the statement is awaited here: `onDisconnected` may
    // need the queue, which this batch blocks.
    singleResult.catch(() => {});
    await executed.catch(() => {});
    singleResults.push(singleResult);
  }
  return singleResults;
}

function resultFor<Input, Result>(
  input: Input,
  result: BatchResult<Result>,
  wasSent: boolean,
  { onDisconnected }: BatchExecutor<Input, Result>,
): Result | Promise<Result> {
  if (result.kind === 'results') return result.results[0] as Result;
  const substitute =
    result.kind === 'disconnected' ? onDisconnected?.(input, wasSent || result.isSent) : null;
  return substitute ?? Promise.reject(ledgerUnavailable(result.error));
}

export function ledgerUnavailable(internal: string): Fault {
  const message = 'The ledger cannot be reached. Nothing was charged; try again.';
  return new Fault('temporarily_unavailable', message, { internal, retryAfterSeconds: 1 });
}
