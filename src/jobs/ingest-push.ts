// Ingests pushed items like fetched ones and leaves them to the enrichment. An ingested batch is
// durable; a failed notification is repaired by the next tick.

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

/** `queue`: opened by the first batch with new items. */
export function openPushIngester(world: World, db: Db, queue: () => Promise<Queue>): PushIngester {
  return {
    sourceOf: (token) => findSourceByToken(db, token),
    ingest: async (sourceId, json) => {
      const pushed = await ingestPush(world, db, { sourceId, json });
      if (pushed.kind === 'taken' && pushed.created + pushed.updated > 0) {
        try {
          await (await queue()).send(ENRICH_ITEMS, sourceId, { sourceId });
        } catch (error) {
          const fields = { source: sourceId, error: messageOf(error) };
          world.log.warn(fields, 'a push is enriched with the next tick only');
        }
      }
      return pushed;
    },
  };
}
