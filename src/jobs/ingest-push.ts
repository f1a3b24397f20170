// Stores pushed items like fetched ones and queues their enrichment. If the job cannot be queued,
// the next tick of the schedule queues the enrichment of the stored items.

import { messageOf } from '../kernel/errors/fault.ts';
import type { Db } from '../kernel/ports/db.ts';
import type { Queue } from '../kernel/ports/queue.ts';
import type { World } from '../kernel/world.ts';
import { ingestPush, type PushResult } from '../radar/sources/ingest/ingest-push.ts';
import { findSourceByToken } from '../radar/sources/push-token.ts';
import { ENRICH_ITEMS } from './job-kinds.ts';

export type PushIngester = {
  sourceOf(token: string): Promise<string | null>;
  ingest(sourceId: string, json: unknown): Promise<PushResult>;
};

/** `queue`: opened by the first batch with new or changed items. */
export function openPushIngester(world: World, db: Db, queue: () => Promise<Queue>): PushIngester {
  return {
    sourceOf: (token) => findSourceByToken(db, token),
    ingest: async (sourceId, json) => {
      const pushResult = await ingestPush(world, db, { sourceId, json });
      if (pushResult.kind === 'ingested' && pushResult.created + pushResult.updated > 0) {
        try {
          await (await queue()).send(ENRICH_ITEMS, sourceId, { sourceId });
        } catch (error) {
          const fields = { source: sourceId, error: messageOf(error) };
          world.log.warn(
            fields,
            'pushed items are enriched by the next tick, because their job was not queued',
          );
        }
      }
      return pushResult;
    },
  };
}
