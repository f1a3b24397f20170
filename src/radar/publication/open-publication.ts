// Opens the publication of a running node. Its read model follows the database within a second,
// by notifications and polling, and stays unchanged while the database is unavailable.

import { AsyncLocalStorage } from 'node:async_hooks';
import { createSecretKey, type KeyObject } from 'node:crypto';
import { messageOf } from '../../kernel/errors/fault.ts';
import { timeSection } from '../../kernel/observability/timed-section.ts';
import type { Db } from '../../kernel/ports/db.ts';
import type { Clock } from '../../kernel/time/clock.ts';
import type { World } from '../../kernel/world.ts';
import { inSnapshot } from '../../store/platform/db.ts';
import {
  deleteNodes,
  type NodeRow,
  nodeApplicationName,
  saveNode,
} from '../../store/platform/nodes.ts';
import { listen } from '../../store/platform/notifications.ts';
import { readSharedSecret } from '../../store/platform/secrets.ts';
import { listDocumentChangesSince } from '../../store/radar/publication/public-documents.ts';
import {
  listPublicChangesSince,
  listPublicItemsSince,
} from '../../store/radar/publication/public-items.ts';
import {
  beginEpoch,
  PUBLICATION_CHANNEL,
  type PublicationState,
  readPublicationHead,
  readPublicationState,
} from '../../store/radar/publication/publication-head.ts';
import { fromPublicRow } from './public-row.ts';
import { applyInSlices, buildReadModel } from './read-model/build-read-model.ts';
import { applyDocuments, documentFrom } from './read-model/documents.ts';
import { loadAllPages, loadDocuments, loadRankedStories } from './read-model/load-documents.ts';
import type { ReadModel } from './read-model/read-model.ts';
import { containsWindowAt, earliestKeptAt, isSameMinute } from './read-model/window.ts';

export type Publication = {
  readonly db: Db;
  /** The current public data of this node; inside `preview`, the data of the preview. */
  readModel(): ReadModel;
  /** The clock of the node; inside `preview`, the previewed instant. */
  readonly clock: Clock;
  /** Runs `work`, including its asynchronous parts, with the data and the clock of `moment`. */
  preview<T>(moment: PublicMoment, work: () => T): T;
  /**
   * `prepare` runs before a new read model replaces the current one, and delays it by at most
   * `PREPARE_TIMEOUT_MS`. When `prepare` rejects, the replacement follows immediately.
   */
  beforeReplacement(prepare: PrepareReplacement): void;
  /** Signs cursors; the key is the same on every node. */
  readonly cursorSecret: KeyObject;
  /** Epoch ms at which the database last confirmed that the read model is current. */
  confirmedAt(): number;
  /** Updates the read model now; rejects while the database is unavailable. */
  catchUp(): Promise<void>;
  close(): Promise<void>;
};

/** The state that a public response depends on, besides the request. */
export type PublicMoment = {
  readonly model: ReadModel;
  /** Epoch milliseconds. */
  readonly now: number;
};

/** `isLate` returns true when the replacement no longer waits for the preparation. */
export type PrepareReplacement = (next: ReadModel, isLate: () => boolean) => Promise<void>;

export type PublicationNode = Omit<NodeRow, 'edition_seq' | 'seen_at'>;

const POLL_MS = 1_000;
const PAGE_SIZE = 2_000;
/** A withdrawal is confirmed within a second, so preparation may take a quarter of a second. */
const PREPARE_TIMEOUT_MS = 250;

export async function openPublication(
  world: World,
  db: Db,
  node: PublicationNode,
): Promise<Publication> {
  const cursorSecret = createSecretKey(await readSharedSecret(world, db, 'cursor'));
  let currentModel = await loadReadModel(world, db);
  let confirmedAt = world.clock.now();
  const reportState = () =>
    saveNode(db, {
      ...node,
      edition_seq: currentModel.readModel.version,
      seen_at: world.clock.now(),
    });
  await reportState();

  const stop = new AbortController();
  const changeSignal = openChangeSignal();
  // Updates run in sequence, because a concurrent update could restore an older read model.
  let lastUpdate = Promise.resolve();
  const catchUp = () => {
    const nextUpdate = lastUpdate.then(advanceReadModel);
    lastUpdate = nextUpdate.catch(() => {});
    return nextUpdate;
  };
  let prepareReplacement: PrepareReplacement | null = null;
  const previewContext = new AsyncLocalStorage<PublicMoment>();
  const advanceReadModel = async () => {
    const previousVersion = currentModel.readModel.version;
    const nextModel =
      (await nextReadModel(world, db, currentModel)) ??
      (await reloadAfterReset(world, db, currentModel));
    if (prepareReplacement !== null && nextModel.readModel !== currentModel.readModel) {
      await prepareInTime(world, stop.signal, prepareReplacement, nextModel.readModel);
    }
    currentModel = nextModel;
    confirmedAt = world.clock.now();
    if (currentModel.readModel.version !== previousVersion) await reportState();
  };
  const listener = listen(
    world,
    db,
    { channel: PUBLICATION_CHANNEL, applicationName: nodeApplicationName(node.id) },
    changeSignal.notify,
  );
  const followTask = followDatabase(world, stop.signal, changeSignal, catchUp);
  const heartbeatTask = runHeartbeat(world, stop.signal, reportState);
  return {
    db,
    readModel: () => previewContext.getStore()?.model ?? currentModel.readModel,
    clock: { ...world.clock, now: () => previewContext.getStore()?.now ?? world.clock.now() },
    preview: (moment, work) => previewContext.run(moment, work),
    beforeReplacement: (addedPrepare) => {
      prepareReplacement = addedPrepare;
    },
    cursorSecret,
    confirmedAt: () => confirmedAt,
    catchUp,
    close: async () => {
      stop.abort();
      changeSignal.notify();
      await Promise.all([listener.close(), followTask, heartbeatTask]);
      await lastUpdate;
      // The process may open its servers again. The row of the closed node would then look like a
      // running node that never confirms a change. An unreachable database keeps the row.
      await deleteNodes(db, [node.id]).catch(() => {});
    },
  };
}

async function prepareInTime(
  world: World,
  stop: AbortSignal,
  prepare: PrepareReplacement,
  next: ReadModel,
): Promise<void> {
  const waitEnd = new AbortController();
  const signal = AbortSignal.any([waitEnd.signal, stop]);
  const timeout = world.clock.sleep(PREPARE_TIMEOUT_MS, signal).catch(() => {});
  const prepared = prepare(next, () => signal.aborted).catch((error: unknown) => {
    world.log.warn(
      { error: messageOf(error) },
      'responses were not prepared, so first requests take longer',
    );
  });
  await Promise.race([timeout, prepared]);
  waitEnd.abort();
}

type CurrentModel = {
  readonly readModel: ReadModel;
  /** Clock time of the last applied update, epoch milliseconds. An update may contain no change. */
  readonly appliedAt: number;
  /**
   * The greatest `appliedAt` so far; it exceeds the current one after the clock was set back. Items
   * that had expired at this time are no longer in memory.
   */
  readonly latestAt: number;
  /**
   * The database's state at this read model. A new epoch means another database, or a restored
   * earlier state.
   */
  readonly state: PublicationState;
};

async function loadReadModel(world: World, db: Db): Promise<CurrentModel> {
  const now = world.clock.now();
  // The first node creates the publication's head, which the read-only snapshot below cannot do.
  await readPublicationHead(world, db);
  const { state, items, documents } = await inSnapshot(db, async (tx) => {
    const { seq } = await readPublicationHead(world, tx);
    const state = await readPublicationState(tx, seq);
    const rows = await loadAllPages(
      (after) => listPublicItemsSince(tx, earliestKeptAt(now), after, PAGE_SIZE),
      idOf,
    );
    return { state, items: rows.map(fromPublicRow), documents: await loadDocuments(tx, now) };
  });
  const readModel = await buildReadModel(state.seq, items, now);
  return { readModel: { ...readModel, documents }, appliedAt: now, latestAt: now, state };
}

/**
 * Replaces the read model when the database lacks known changes: a lagging standby was promoted, or
 * a copy was restored. Cursors of the lost state must not be accepted later.
 */
async function reloadAfterReset(
  world: World,
  db: Db,
  current: CurrentModel,
): Promise<CurrentModel> {
  const hasBegunEpoch = await beginEpoch(world, db, 'earlier_state', current.state.epoch);
  const reloadedModel = await loadReadModel(world, db);
  const fields = { before: current.readModel.version, now: reloadedModel.readModel.version };
  if (hasBegunEpoch)
    world.log.error(fields, 'the database has an earlier state: a new epoch begins');
  else world.log.warn(fields, 'the database has another epoch: the read model was loaded anew');
  return reloadedModel;
}

const idOf = ({ id }: { readonly id: string }) => id;

/**
 * Applies new changes. Once a minute it also runs without changes, to drop expired items. Null: the
 * database does not continue the history of the current read model.
 */
async function nextReadModel(
  world: World,
  db: Db,
  current: CurrentModel,
): Promise<CurrentModel | null> {
  const now = world.clock.now();
  // After the clock was set back, the window needs items that were dropped.
  if (!containsWindowAt(now, current.latestAt)) return loadReadModel(world, db);
  const { readModel } = current;
  const snapshot = await inSnapshot(db, async (tx) => {
    const state = await readPublicationState(tx, readModel.version);
    if (!canContinue(current.state, state)) return null;
    const documents = await listDocumentChangesSince(tx, readModel.version);
    return {
      items: await listPublicChangesSince(tx, readModel.version),
      documents,
      rankedStories: await loadRankedStories(tx, documents),
      state: await readPublicationState(tx, state.seq),
    };
  });
  if (snapshot === null) return null;
  const { items, documents, rankedStories, state } = snapshot;
  const isUnchanged = items.length + documents.length === 0;
  if (isUnchanged && isSameMinute(now, current.appliedAt)) return current;
  const itemChanges = timeSection('rows of the database to items', () => ({
    version: state.seq,
    upserts: items.flatMap((change) => (change.row ? [fromPublicRow(change.row)] : [])),
    removals: items.flatMap((change) => (change.row ? [] : [change.itemId])),
  }));
  const documentChanges = {
    upserts: [...documents.flatMap(({ document }) => document ?? []), ...rankedStories].map(
      documentFrom,
    ),
    removals: documents.filter(({ document }) => document === null),
  };
  return {
    readModel: {
      ...(await applyInSlices(readModel, itemChanges, now)),
      documents: timeSection('read model: documents', () =>
        applyDocuments(readModel.documents, documentChanges, now),
      ),
    },
    appliedAt: now,
    latestAt: Math.max(now, current.latestAt),
    state,
  };
}

/**
 * True when `current` continues the history of `before`. `current.change` is the change that now
 * has the number `before.seq` in the log. A different change belongs to another history.
 */
const canContinue = (before: PublicationState, current: PublicationState): boolean =>
  current.epoch === before.epoch && current.seq >= before.seq && current.change === before.change;

type ChangeSignal = { notify(): void; nextChange(): Promise<void> };

/** A notification without a waiter is kept for the next waiter. */
function openChangeSignal(): ChangeSignal {
  let hasNotification = false;
  let wakeWaiter = () => {};
  return {
    notify: () => {
      hasNotification = true;
      wakeWaiter();
    },
    nextChange: async () => {
      if (!hasNotification) {
        await new Promise<void>((resolve) => {
          wakeWaiter = resolve;
        });
      }
      hasNotification = false;
    },
  };
}

async function followDatabase(
  world: World,
  signal: AbortSignal,
  changeSignal: ChangeSignal,
  catchUp: () => Promise<void>,
): Promise<void> {
  let isUnavailable = false;
  while (!signal.aborted) {
    try {
      await catchUp();
      if (isUnavailable) world.log.info({}, 'database is back, the read model is current');
      isUnavailable = false;
    } catch (error) {
      if (!isUnavailable) {
        const fields = { error: messageOf(error) };
        world.log.warn(fields, 'database is unreachable, serving the last read model');
      }
      isUnavailable = true;
    }
    await Promise.race([
      changeSignal.nextChange(),
      world.clock.sleep(POLL_MS, signal).catch(() => {}),
    ]);
  }
}

const HEARTBEAT_MS = 10_000;

async function runHeartbeat(world: World, signal: AbortSignal, report: () => Promise<void>) {
  while (!signal.aborted) {
    await world.clock.sleep(HEARTBEAT_MS, signal).catch(() => {});
    if (!signal.aborted) await report().catch(() => {});
  }
}
