// An exact copy of the selected set: the snapshot once, then its changes. Every step is one commit
// of the store, with where to go on, so it may be stopped anywhere and goes on from there.
import { isProblem } from './errors.ts';
import type { ChangesPage, MinimalItem, MirroredItem, SnapshotPage } from './feed-answers.ts';

export type MirrorState = {
  /** Which snapshot the copy rests on: one more for each. */
  readonly generation: number;
  /** Where changes go on, once the snapshot is whole. */
  readonly cursor: string;
  /** Next page of a snapshot that is not yet whole; null: it is. */
  readonly page: string | null;
};

export type MirrorCommit = {
  readonly state: MirrorState;
  /** To write, or to write over, with the generation of the state. */
  readonly upserts: readonly (MirroredItem | MinimalItem)[];
  /** Ids to delete, if they are there. */
  readonly removes: readonly string[];
  /** The snapshot is whole: what has an older generation is to go. */
  readonly dropsOlder: boolean;
};

/** Where the copy lives. A commit is whole or not at all. */
export type MirrorStore = {
  load(): Promise<MirrorState | null> | MirrorState | null;
  commit(commit: MirrorCommit): Promise<void> | void;
};

export type MirrorOptions = {
  readonly store: MirrorStore;
  /** `minimal`: without texts. Another choice needs another store. */
  readonly fields?: 'default' | 'minimal';
  /** Of a snapshot; 500 by default. */
  readonly pageSize?: number;
};

export type SyncResult = {
  /** Items written and removed on the way. */
  readonly upserts: number;
  readonly removes: number;
  /** Snapshots that were begun: 0 on an ordinary day. */
  readonly snapshots: number;
};

export type Mirror = {
  /** Until nothing is left to read. Call it again for what is new, no more than once a minute. */
  sync(options?: { readonly signal?: AbortSignal }): Promise<SyncResult>;
};

type Read = (
  path: string,
  asked: { readonly query: object; readonly signal?: AbortSignal | undefined },
) => Promise<unknown>;

/** A service that asks for a new snapshot again and again is not one to go on asking. */
const SNAPSHOTS_MAX = 3;

export function openMirror(read: Read, options: MirrorOptions): Mirror {
  const { store } = options;
  return {
    sync: async ({ signal } = {}) => {
      const sum = { upserts: 0, removes: 0, snapshots: 0 };
      let state = await store.load();
      let begins = state === null;
      for (;;) {
        if (begins) sum.snapshots += 1;
        try {
          const { isLast, ...commit }: Step = await readStep(read, options, state, begins, signal);
          await store.commit(commit);
          sum.upserts += commit.upserts.length;
          sum.removes += commit.removes.length;
          state = commit.state;
          begins = false;
          if (isLast) return sum;
        } catch (error) {
          // What we hold stays until the new snapshot is whole.
          if (!isStale(error) || sum.snapshots >= SNAPSHOTS_MAX) throw error;
          begins = true;
        }
      }
    },
  };
}

type Step = MirrorCommit & { readonly isLast: boolean };

/** `begins`: with a new snapshot, whatever there is. */
async function readStep(
  read: Read,
  { fields = 'default', pageSize = 500 }: MirrorOptions,
  state: MirrorState | null,
  begins: boolean,
  signal: AbortSignal | undefined,
): Promise<Step> {
  if (state !== null && state.page === null && !begins) {
    const query = { cursor: state.cursor };
    const got = (await read('/api/v1/selected/changes', { query, signal })) as ChangesPage;
    return {
      state: { ...state, cursor: got.cursor },
      ...newestOf(got.changes),
      dropsOlder: false,
      isLast: !got.hasMore,
    };
  }
  const page = begins ? undefined : (state?.page ?? undefined);
  const query = { fields, limit: pageSize, page };
  const got = (await read('/api/v1/selected/snapshot', { query, signal })) as SnapshotPage;
  // Every page of one snapshot belongs to the generation of its first.
  const generation = (state?.generation ?? 0) + (begins ? 1 : 0);
  return {
    state: { generation, cursor: got.cursor, page: got.nextPage },
    upserts: got.items,
    removes: [],
    dropsOlder: got.nextPage === null,
    isLast: false,
  };
}

const isStale = (error: unknown) =>
  isProblem(error, 'snapshot_required') || isProblem(error, 'invalid_cursor');

/** Several changes of one item count as the last of them. */
function newestOf(changes: ChangesPage['changes']) {
  const byId = new Map(
    changes.map((change) => [change.op === 'upsert' ? change.item.id : change.id, change]),
  );
  const newest = [...byId.values()];
  return {
    upserts: newest.flatMap((change) => (change.op === 'upsert' ? [change.item] : [])),
    removes: newest.flatMap((change) => (change.op === 'remove' ? [change.id] : [])),
  };
}

/** A copy in memory: for programs that are content with one until they end, and as an example. */
export function openMemoryStore(): MirrorStore & {
  /** By id. */
  readonly items: ReadonlyMap<string, MirroredItem | MinimalItem>;
} {
  const items = new Map<string, MirroredItem | MinimalItem>();
  const generations = new Map<string, number>();
  let held: MirrorState | null = null;
  const remove = (id: string) => {
    items.delete(id);
    generations.delete(id);
  };
  return {
    items,
    load: () => held,
    commit: ({ state, upserts, removes, dropsOlder }) => {
      for (const item of upserts) {
        items.set(item.id, item);
        generations.set(item.id, state.generation);
      }
      removes.forEach(remove);
      if (dropsOlder) {
        for (const [id, generation] of generations) {
          if (generation < state.generation) remove(id);
        }
      }
      held = state;
    },
  };
}
