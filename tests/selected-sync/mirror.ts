// A mirror client as the contract describes it, which calls the publication's functions directly.
// It reads snapshot pages, then changes. Each call is one step, so tests can interleave other work.
import { Fault } from '../../src/kernel/errors/fault.ts';
import type { World } from '../../src/kernel/world.ts';
import type { PublicItem } from '../../src/radar/publication/item.ts';
import type { Publication } from '../../src/radar/publication/open-publication.ts';
import {
  readSelectedChanges,
  readSelectedSnapshot,
} from '../../src/radar/publication/selected-set.ts';

export type Mirror = {
  readonly items: Map<string, PublicItem>;
  /** Reads one page. Returns true when it is a page of changes and no further changes exist. */
  step(): Promise<boolean>;
};

export function openMirror(world: World, publication: Publication, limit: number): Mirror {
  const items = new Map<string, PublicItem>();
  let page: string | undefined;
  let cursor: string | undefined;
  let isReadingSnapshot = true;
  const readPage = async () => {
    const snapshot = await readSelectedSnapshot(world, publication, {
      fields: undefined,
      limit,
      page,
    });
    if (page === undefined) items.clear();
    for (const item of snapshot.items) items.set(item.id, item);
    cursor = snapshot.cursor;
    page = snapshot.nextPage ?? undefined;
    isReadingSnapshot = snapshot.nextPage !== null;
  };
  const readChanges = async () => {
    const changePage = await readSelectedChanges(world, publication, { cursor, limit });
    for (const change of changePage.changes) {
      if (change.item === null) items.delete(change.id);
      else items.set(change.id, change.item);
    }
    cursor = changePage.cursor;
    return !changePage.hasMore;
  };
  return {
    items,
    step: async () => {
      try {
        if (!isReadingSnapshot) return await readChanges();
        await readPage();
        return false;
      } catch (error) {
        if (!(error instanceof Fault) || error.code !== 'snapshot_required') throw error;
        page = undefined;
        isReadingSnapshot = true;
        return false;
      }
    },
  };
}
