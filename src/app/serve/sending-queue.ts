// A queue for servers that only send jobs. It is opened on first use, once per run.
import { jobKinds } from '../../jobs/job-kinds.ts';
import type { Db } from '../../kernel/ports/db.ts';
import type { Queue } from '../../kernel/ports/queue.ts';
import { openQueue } from '../../store/platform/queue.ts';
import type { AppRun } from './run.ts';

const senders = new WeakMap<AppRun, Promise<Queue>>();

export function sendingQueue(run: AppRun, db: Db): () => Promise<Queue> {
  const open = async () => {
    const queue = await openQueue(run.world, db, { role: 'sender', kinds: jobKinds });
    run.components.push({ name: 'sending queue', close: queue.close });
    return queue;
  };
  return () => {
    const existing = senders.get(run);
    if (existing !== undefined) return existing;
    const sender = open().catch((error) => {
      senders.delete(run);
      throw error;
    });
    senders.set(run, sender);
    return sender;
  };
}
