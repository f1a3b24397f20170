// A mirror reads the snapshot, and then changes until `hasMore` is false. It then has exactly the
// selected set, in any interleaving of its requests with changes.
import { createSecretKey } from 'node:crypto';
import { expect, test } from 'vitest';
import { seededRandom } from '../../src/kernel/crypto/random.ts';
import type { PublicItem } from '../../src/radar/publication/item.ts';
import type { Publication } from '../../src/radar/publication/open-publication.ts';
import { fromPublicRow } from '../../src/radar/publication/public-row.ts';
import { toSelectedItem } from '../../src/radar/publication/selected-item.ts';
import { addSource } from '../../src/radar/sources/add-source.ts';
import { inTransaction, sqlOf } from '../../src/store/platform/db.ts';
import { readSharedSecret } from '../../src/store/platform/secrets.ts';
import { proofSeed, proofSize } from '../support/proof-size.ts';
import { openTestDatabase } from '../support/test-database.ts';
import { testWorld } from '../support/test-world.ts';
import { openMirror } from './mirror.ts';
import { openRandomHistory } from './random-history.ts';

const { db } = await openTestDatabase();
const { world, clock } = testWorld();
const sourceIds = await Promise.all(
  (['T1', 'T1_5', 'T2'] as const).map(async (tier) => {
    const id = tier.toLowerCase().replace('_', '-');
    const commonFields = { id, name: id, owner: id, tier, language: 'en', intervalMinutes: 30 };
    await addSource(world, db, {
      ...commonFields,
      kind: 'push',
      participation: 'editorial',
      settings: {},
    });
    return id;
  }),
);
const publication = {
  db,
  cursorSecret: createSecretKey(await readSharedSecret(world, db, 'cursor')),
} as Publication;

async function serverSet(): Promise<Map<string, PublicItem>> {
  const rows = await sqlOf(db)
    .selectFrom('public_items')
    .selectAll()
    .where('selected', '=', true)
    .execute();
  return new Map(rows.map((row) => [row.id, fromPublicRow(row)]));
}

const comparable = (items: Map<string, PublicItem>) =>
  [...items.values()]
    .map((item) => toSelectedItem(item))
    .sort((a, b) => (String(a.id) < String(b.id) ? -1 : 1));

async function runSchedule(seed: number) {
  const random = seededRandom(seed);
  const history = openRandomHistory(world, db, sourceIds, seed);
  const mirrors = [1, 3, 100].map((limit) => openMirror(world, publication, limit));
  const steps = 10 + Math.floor(random.next() * 40);
  for (let step = 0; step < steps; step += 1) {
    clock.advance(1_000);
    if (random.next() < 0.5) await history.step();
    else await mirrors[Math.floor(random.next() * mirrors.length)]?.step();
  }
  for (const mirror of mirrors) while (!(await mirror.step()));
  const server = comparable(await serverSet());
  const replicas = mirrors.map((mirror) => comparable(mirror.items));
  await history.withdrawAll();
  return { server, replicas };
}

const seed = proofSeed();
const scheduleCount = proofSize(100, 1_000);

test(`a mirror equals the server in ${scheduleCount} random schedules (seed ${seed})`, async () => {
  let largestSet = 0;
  for (let schedule = 0; schedule < scheduleCount; schedule += 1) {
    const { server, replicas } = await runSchedule(seed * 10_000 + schedule);
    largestSet = Math.max(largestSet, server.length);
    for (const replica of replicas) {
      expect(replica, `schedule ${schedule} of seed ${seed}`).toEqual(server);
    }
  }
  expect(largestSet).toBeGreaterThan(3);
}, 600_000);

test('a mirror that reads while several writers write misses no change', async () => {
  const histories = [1, 2, 3, 4].map((writer) =>
    openRandomHistory(world, db, sourceIds, seed * 100 + writer),
  );
  const mirror = openMirror(world, publication, 2);
  let isWriting = true;
  const pendingReads = (async () => {
    while (isWriting) await mirror.step();
  })();
  await Promise.all(
    histories.map(async (history) => {
      for (let step = 0; step < 25; step += 1) await history.step();
    }),
  );
  isWriting = false;
  await pendingReads;
  while (!(await mirror.step()));
  expect(comparable(mirror.items)).toEqual(comparable(await serverSet()));
  for (const history of histories) await history.withdrawAll();
});

test('the comparison detects when a removal is lost', async () => {
  const history = openRandomHistory(world, db, sourceIds, 7);
  const mirror = openMirror(world, publication, 10);
  for (let step = 0; step < 12; step += 1) await history.step();
  while (!(await mirror.step()));
  expect(mirror.items.size).toBeGreaterThan(0);
  await history.withdrawAll();
  await inTransaction(db, async (tx) => {
    const [lostRemoval] = await sqlOf(tx)
      .selectFrom('selected_ledger')
      .select('seq')
      .where('op', '=', 'remove')
      .where('item_id', 'in', [...mirror.items.keys()])
      .execute();
    await sqlOf(tx)
      .deleteFrom('selected_ledger')
      .where('seq', '=', lostRemoval?.seq ?? -1)
      .execute();
  });
  while (!(await mirror.step()));
  expect(comparable(mirror.items)).not.toEqual(comparable(await serverSet()));
});
