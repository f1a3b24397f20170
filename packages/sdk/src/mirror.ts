// An exact copy of the selected set: one snapshot, then its changes. Every step is one commit of
// the store with its position, so a stopped copy continues from there.
import { isProblem } from './errors.ts';
import type { ChangesPage, MinimalItem, MirroredItem, SnapshotPage } from './feed-answers.ts';

export type MirrorState = {
  /** Number of the snapshot on which the copy is based. Each new snapshot adds 1. */
  readonly generation: number;
  /** Start of the changes, once the snapshot is complete. */
  readonly cursor: string;
  /** Next page of an incomplete snapshot; null for a complete one. */
  readonly page: string | null;
};

export type MirrorCommit = {
  readonly state: MirrorState;
  /** Items to insert or replace, with the generation of the state. */
  readonly upserts: readonly (MirroredItem | MinimalItem)[];
  /** Ids to delete, if they exist. */
  readonly removes: readonly string[];
  /** True after the last page of a snapshot: the store must delete items of older generations. */
  readonly isComplete: boolean;
};

/** The store of the copy. A commit must be atomic. */
export type MirrorStore = {
  load(): Promise<MirrorState | null> | MirrorState | null;
  commit(commit: MirrorCommit): Promise<void> | void;
};

export type MirrorOptions = {
  readonly store: MirrorStore;
  /** `minimal`: items without texts. Another value requires a new store. */
  readonly fields?: 'default' | 'minimal';
  /** Page size of a snapshot; 500 by default. */
  readonly pageSize?: number;
};

export type SyncResult = {
  /** Numbers of written and removed items. */
  readonly upserts: number;
  readonly removes: number;
  /** Number of started snapshots; normally 0. */
  readonly snapshots: number;
};

export type Mirror = {
  /** Runs until the copy is current. Call it again for later changes, at most once a minute. */
  sync(options?: { readonly signal?: AbortSignal }): Promise<SyncResult>;
};

type ReadPage = (
  path: string,
  options: { readonly query: object; readonly signal?: AbortSignal | undefined },
) => Promise<unknown>;

/** Limit of snapshots per call, in case the service always requires another one. */
const SNAPSHOTS_MAX = 3;

export function openMirror(read: ReadPage, options: MirrorOptions): Mirror {
  const { store } = options;
  return {
    sync: async ({ signal } = {}) => {
      const totals = { upserts: 0, removes: 0, snapshots: 0 };
      let state = await store.load();
      let isNewSnapshot = state === null;
      for (;;) {
        if (isNewSnapshot) totals.snapshots += 1;
        try {
          const { isLast, ...commit }: MirrorStep = await readStep(
            read,
            options,
            state,
            isNewSnapshot,
            signal,
          );
          await store.commit(commit);
          totals.upserts += commit.upserts.length;
          totals.removes += commit.removes.length;
          state = commit.state;
          isNewSnapshot = false;
          if (isLast) return totals;
        } catch (error) {
          // The current copy stays until the new snapshot is complete.
          if (!isStale(error) || totals.snapshots >= SNAPSHOTS_MAX) throw error;
          isNewSnapshot = true;
        }
      }
    },
  };
}

type MirrorStep = MirrorCommit & { readonly isLast: boolean };

/** With `isNewSnapshot`, the step starts a new snapshot from any state. */
async function readStep(
  read: ReadPage,
  { fields = 'default', pageSize = 500 }: MirrorOptions,
  state: MirrorState | null,
  isNewSnapshot: boolean,
  signal: AbortSignal | undefined,
): Promise<MirrorStep> {
  if (state !== null && state.page === null && !isNewSnapshot) {
    const query = { cursor: state.cursor };
    const changes = (await read('/api/v1/selected/changes', { query, signal })) as ChangesPage;
    return {
      state: { ...state, cursor: changes.cursor },
      ...latestChanges(changes.changes),
      isComplete: false,
      isLast: !changes.hasMore,
    };
  }
  const page = isNewSnapshot ? undefined : (state?.page ?? undefined);
  const query = { fields, limit: pageSize, page };
  const snapshot = (await read('/api/v1/selected/snapshot', { query, signal })) as SnapshotPage;
  // All pages of a snapshot belong to the generation of its first page.
  const generation = (state?.generation ?? 0) + (isNewSnapshot ? 1 : 0);
  return {
    state: { generation, cursor: snapshot.cursor, page: snapshot.nextPage },
    upserts: snapshot.items,
    removes: [],
    isComplete: snapshot.nextPage === null,
    isLast: false,
  };
}

const isStale = (error: unknown) =>
  isProblem(error, 'snapshot_required') || isProblem(error, 'invalid_cursor');

/** If an item has several changes, the last change counts. */
function latestChanges(changes: ChangesPage['changes']) {
  const byId = new Map(
    changes.map((change) => [change.op === 'upsert' ? change.item.id : change.id, change]),
  );
  const newestChanges = [...byId.values()];
  return {
    upserts: newestChanges.flatMap((change) => (change.op === 'upsert' ? [change.item] : [])),
    removes: newestChanges.flatMap((change) => (change.op === 'remove' ? [change.id] : [])),
  };
}

/** A copy in memory, which ends with the program. It is also an example of a store. */
export function openMemoryStore(): MirrorStore & {
  /** Items by id. */
  readonly items: ReadonlyMap<string, MirroredItem | MinimalItem>;
} {
  const items = new Map<string, MirroredItem | MinimalItem>();
  const generations = new Map<string, number>();
  let current: MirrorState | null = null;
  const remove = (id: string) => {
    items.delete(id);
    generations.delete(id);
  };
  return {
    items,
    load: () => current,
    commit: ({ state, upserts, removes, isComplete }) => {
      for (const item of upserts) {
        items.set(item.id, item);
        generations.set(item.id, state.generation);
      }
      removes.forEach(remove);
      if (isComplete) {
        for (const [id, generation] of generations) {
          if (generation < state.generation) remove(id);
        }
      }
      current = state;
    },
  };
}
