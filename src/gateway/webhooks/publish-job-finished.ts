// Publishes `job.finished` in the transaction that completes the job.
import type { Db } from '../../kernel/ports/db.ts';
import type { World } from '../../kernel/world.ts';
import { raiseEvent } from '../../store/gateway/webhook-events.ts';
import { type FinishedJob, jobFinishedBody } from './event-bodies.ts';

type EndedJob = FinishedJob & {
  readonly accountId: string;
  readonly livemode: boolean;
  readonly now: number;
};

/** Returns false when no endpoint is subscribed, or when the event was published before. */
export async function publishJobFinished(
  world: World,
  tx: Db,
  endedJob: EndedJob,
): Promise<boolean> {
  const { accountId, livemode, now, ...job } = endedJob;
  return raiseEvent(tx, {
    accountId,
    livemode,
    now,
    type: 'job.finished',
    subject: job.id,
    id: `msg_${world.ids.next()}`,
    body: jobFinishedBody({ now, livemode }, job),
  });
}
