// What is done when a batch fails. Refused: nothing of it happened, so each request goes alone, and
// only the one that is at fault fails. Away: it may have happened, so the same batch is asked once
// more; every statement of the ledger knows its own requests again. Away still: who asked says what
// becomes of each request.
import { Fault } from '../../kernel/fault.ts';
import type { World } from '../../kernel/world.ts';
import type { Batch } from '../../store/ledger/statement.ts';

export type Asking<In, Answer> = {
  readonly ask: (batch: readonly In[], isAgain: boolean) => Promise<Batch<Answer>>;
  /**
   * What a request is answered when the ledger is away. Absent or null: it fails. `isAsked`: it may
   * have happened, as its answer was lost; else it did not.
   */
  readonly away?: (one: In, isAsked: boolean) => Answer | Promise<Answer> | null;
};

export async function askLedger<In, Answer>(
  world: World,
  batch: readonly In[],
  asking: Asking<In, Answer>,
): Promise<readonly (Answer | Promise<Answer>)[]> {
  let answer = await asking.ask(batch, false);
  let isAsked = false;
  if (answer.kind === 'away') {
    world.log.warn({ error: answer.error, requests: batch.length }, 'ledger asked again');
    isAsked = answer.isAsked;
    answer = await asking.ask(batch, true);
  }
  if (answer.kind === 'answers') return answer.answers;
  if (answer.kind === 'away') {
    const { error } = answer;
    isAsked ||= answer.isAsked;
    return batch.map((one) => asking.away?.(one, isAsked) ?? Promise.reject(unavailable(error)));
  }
  if (batch.length === 1) throw unavailable(answer.error);
  world.log.warn({ error: answer.error, requests: batch.length }, 'ledger batch taken apart');
  const singles: Promise<Answer>[] = [];
  for (const one of batch) {
    const single = askAlone(one, asking);
    // Whoever asked hears of it; here it is only awaited, because one statement runs at a time.
    await single.catch(() => {});
    singles.push(single);
  }
  return singles;
}

async function askAlone<In, Answer>(one: In, { ask, away }: Asking<In, Answer>): Promise<Answer> {
  const answer = await ask([one], true);
  if (answer.kind === 'answers') return answer.answers[0] as Answer;
  const instead = answer.kind === 'away' ? away?.(one, answer.isAsked) : null;
  if (instead === null || instead === undefined) throw unavailable(answer.error);
  return instead;
}

export function unavailable(internal: string): Fault {
  const message = 'The ledger cannot be reached. Nothing was charged; try again.';
  return new Fault('temporarily_unavailable', message, { internal, retryAfterSeconds: 1 });
}
