// The running publication of a node: its edition, kept within a second of the database by notice
// and by polling, and kept as it is while the database is away.
import type { Db } from '../../kernel/db.ts';
import { messageOf } from '../../kernel/fault.ts';
import type { World } from '../../kernel/world.ts';
import { inSnapshot } from '../../store/db.ts';
import { type NodeRow, nodeApplicationName, saveNode } from '../../store/nodes.ts';
import { listen } from '../../store/notifications.ts';
import { publicChangesSince, publicItemsSince } from '../../store/public-items.ts';
import { PUBLICATION_CHANNEL, publicationHead } from '../../store/publication-head.ts';
import { sharedSecret } from '../../store/secrets.ts';
import { applyInSlices } from './edition/build-edition.ts';
import { type Edition, emptyEdition } from './edition/edition.ts';
import { keptFrom } from './edition/window.ts';
import type { PublicItem } from './item.ts';
import { fromRow } from './public-row.ts';

export type Publication = {
  readonly db: Db;
  /** What is public now, as this node knows it. */
  edition(): Edition;
  /** Names the unbroken ledger that tokens of the selected set belong to. */
  readonly epoch: string;
  /** Seals cursors; the same on every node. */
  readonly cursorSecret: Uint8Array;
  /** Epoch ms of the last time the database confirmed that the edition is current. */
  confirmedAt(): number;
  /** Makes the edition current now; rejects while the database is away. */
  catchUp(): Promise<void>;
  close(): Promise<void>;
};

export type PublicationNode = Omit<NodeRow, 'edition_seq' | 'seen_at'>;

const POLL_MS = 1_000;
const PAGE = 2_000;

export async function openPublication(
  world: World,
  db: Db,
  node: PublicationNode,
): Promise<Publication> {
  const head = await publicationHead(world, db);
  const cursorSecret = await sharedSecret(world, db, 'cursor');
  let edition = await loadEdition(world, db);
  let confirmedAt = world.clock.now();
  const report = () =>
    saveNode(db, { ...node, edition_seq: edition.version, seen_at: world.clock.now() });
  await report();

  const stop = new AbortController();
  const bell = openBell();
  // One at a time: two at once could put an older edition in the place of a newer one.
  let last = Promise.resolve();
  const catchUp = () => {
    const next = last.then(advance);
    last = next.catch(() => {});
    return next;
  };
  const advance = async () => {
    const before = edition.version;
    edition = await nextEdition(world, db, edition);
    confirmedAt = world.clock.now();
    if (edition.version !== before) await report();
  };
  const listener = listen(
    world,
    db,
    { channel: PUBLICATION_CHANNEL, applicationName: nodeApplicationName(node.id) },
    bell.ring,
  );
  const following = follow(world, stop.signal, bell, catchUp);
  const beating = beat(world, stop.signal, report);
  return {
    db,
    edition: () => edition,
    epoch: head.epoch,
    cursorSecret,
    confirmedAt: () => confirmedAt,
    catchUp,
    close: async () => {
      stop.abort();
      bell.ring();
      await Promise.all([listener.close(), following, beating]);
    },
  };
}

async function loadEdition(world: World, db: Db): Promise<Edition> {
  return inSnapshot(db, async (tx) => {
    const { seq } = await publicationHead(world, tx);
    const now = world.clock.now();
    const upserts: PublicItem[] = [];
    let afterId = '';
    for (;;) {
      const rows = await publicItemsSince(tx, keptFrom(now), afterId, PAGE);
      for (const row of rows) upserts.push(fromRow(row));
      const last = rows.at(-1);
      if (!last) break;
      afterId = last.id;
    }
    return applyInSlices(emptyEdition(), { version: seq, upserts, removals: [] }, now);
  });
}

async function nextEdition(world: World, db: Db, edition: Edition): Promise<Edition> {
  const changes = await publicChangesSince(db, edition.version);
  const last = changes.at(-1);
  if (!last) return edition;
  return applyInSlices(
    edition,
    {
      version: last.seq,
      upserts: changes.flatMap((change) => (change.row ? [fromRow(change.row)] : [])),
      removals: changes.flatMap((change) => (change.row ? [] : [change.itemId])),
    },
    world.clock.now(),
  );
}

type Bell = { ring(): void; rung(): Promise<void> };

/** Rung while nobody waits, it wakes the next one who does: no notice is lost. */
function openBell(): Bell {
  let hasRung = false;
  let wake = () => {};
  return {
    ring: () => {
      hasRung = true;
      wake();
    },
    rung: async () => {
      if (!hasRung) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      hasRung = false;
    },
  };
}

async function follow(
  world: World,
  signal: AbortSignal,
  bell: Bell,
  catchUp: () => Promise<void>,
): Promise<void> {
  let isAway = false;
  while (!signal.aborted) {
    try {
      await catchUp();
      if (isAway) world.log.info({}, 'database is back, the edition is current');
      isAway = false;
    } catch (error) {
      if (!isAway) {
        const fields = { error: messageOf(error) };
        world.log.warn(fields, 'database is away, serving the last edition');
      }
      isAway = true;
    }
    await Promise.race([bell.rung(), world.clock.sleep(POLL_MS, signal).catch(() => {})]);
  }
}

const BEAT_MS = 10_000;

async function beat(world: World, signal: AbortSignal, report: () => Promise<void>) {
  while (!signal.aborted) {
    await world.clock.sleep(BEAT_MS, signal).catch(() => {});
    if (!signal.aborted) await report().catch(() => {});
  }
}
