// What is done when a batch fails. Refused: nothing of it happened, so each request goes alone, and
// only the one that is at fault fails. Away: it may have happened, so the same batch is asked once
// more; every statement of the ledger knows its own requests again. Away still: who asked says what
// becomes of each request.
import { Fault } from '../../../kernel/errors/fault.ts';
import type { World } from '../../../kernel/world.ts';
import type { BatchResult } from '../../../store/ledger/parameters.ts';

export type BatchExecutor<In, Answer> = {
  readonly execute: (batch: readonly In[], isAgain: boolean) => Promise<BatchResult<Answer>>;
  /**
   * What a request is answered when the ledger is away. Absent or null: it fails. `isAsked`: it may
   * have happened, as its answer was lost; else it did not.
   */
  readonly onDisconnected?: (one: In, isAsked: boolean) => Answer | Promise<Answer> | null;
};

export async function executeBatch<In, Answer>(
  world: World,
  batch: readonly In[],
  asking: BatchExecutor<In, Answer>,
): Promise<readonly (Answer | Promise<Answer>)[]> {
  let answer = await asking.execute(batch, false);
  let isAsked = false;
  if (answer.kind === 'away') {
    world.log.warn({ error: answer.error, requests: batch.length }, 'ledger asked again');
    isAsked = answer.isAsked;
    answer = await asking.execute(batch, true);
  }
  if (answer.kind === 'answers') return answer.answers;
  if (answer.kind === 'away') {
    const got = answer;
    return batch.map((one) => resultFor(one, got, isAsked, asking));
  }
  if (batch.length === 1) throw ledgerUnavailable(answer.error);
  world.log.warn({ error: answer.error, requests: batch.length }, 'ledger batch taken apart');
  return executeOneByOne(batch, isAsked, asking);
}

async function executeOneByOne<In, Answer>(
  batch: readonly In[],
  wasAsked: boolean,
  asking: BatchExecutor<In, Answer>,
): Promise<readonly Promise<Answer>[]> {
  const singles: Promise<Answer>[] = [];
  for (const one of batch) {
    const asked = asking.execute([one], true);
    const single = asked.then((answer) => resultFor(one, answer, wasAsked, asking));
    // Whoever asked hears of it. Here only the statement is awaited, because one runs at a time;
    // what `away` does may need the lane that this batch is in.
    single.catch(() => {});
    await asked.catch(() => {});
    singles.push(single);
  }
  return singles;
}

function resultFor<In, Answer>(
  one: In,
  answer: BatchResult<Answer>,
  wasAsked: boolean,
  { onDisconnected: away }: BatchExecutor<In, Answer>,
): Answer | Promise<Answer> {
  if (answer.kind === 'answers') return answer.answers[0] as Answer;
  const instead = answer.kind === 'away' ? away?.(one, wasAsked || answer.isAsked) : null;
  return instead ?? Promise.reject(ledgerUnavailable(answer.error));
}

export function ledgerUnavailable(internal: string): Fault {
  const message = 'The ledger cannot be reached. Nothing was charged; try again.';
  return new Fault('temporarily_unavailable', message, { internal, retryAfterSeconds: 1 });
}
