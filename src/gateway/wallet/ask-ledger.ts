// What is done when a batch fails. Refused: nothing of it happened, so each request goes alone, and
// only the one that is at fault fails. Away: it may have happened, so the same batch is asked once
// more; every statement of the ledger knows its own requests again. Away still: all of it fails, or
// hears what was given for that.
import { Fault } from '../../kernel/fault.ts';
import type { World } from '../../kernel/world.ts';
import type { Batch } from '../../store/ledger/statement.ts';

export async function askLedger<In, Answer>(
  world: World,
  batch: readonly In[],
  ask: (batch: readonly In[], isAgain: boolean) => Promise<Batch<Answer>>,
  away?: Answer,
): Promise<readonly (Answer | Promise<Answer>)[]> {
  let answer = await ask(batch, false);
  if (answer.kind === 'away') {
    world.log.warn({ error: answer.error, requests: batch.length }, 'ledger asked again');
    answer = await ask(batch, true);
  }
  if (answer.kind === 'answers') return answer.answers;
  if (answer.kind === 'away' && away !== undefined) return batch.map(() => away);
  if (answer.kind === 'away' || batch.length === 1) throw unavailable(answer.error);
  world.log.warn({ error: answer.error, requests: batch.length }, 'ledger batch taken apart');
  const singles: Promise<Answer>[] = [];
  for (const one of batch) {
    const single = askAlone(one, ask, away);
    // Whoever asked hears of it; here it is only awaited, because one statement runs at a time.
    await single.catch(() => {});
    singles.push(single);
  }
  return singles;
}

async function askAlone<In, Answer>(
  one: In,
  ask: (batch: readonly In[], isAgain: boolean) => Promise<Batch<Answer>>,
  away: Answer | undefined,
): Promise<Answer> {
  const answer = await ask([one], true);
  if (answer.kind === 'away' && away !== undefined) return away;
  if (answer.kind !== 'answers') throw unavailable(answer.error);
  return answer.answers[0] as Answer;
}

export function unavailable(internal: string): Fault {
  const message = 'The ledger cannot be reached. Nothing was charged; try again.';
  return new Fault('temporarily_unavailable', message, { internal, retryAfterSeconds: 1 });
}
