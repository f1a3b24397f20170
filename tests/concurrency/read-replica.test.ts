// DATABASE_READ_URL is the address of a streaming standby. The servers are real, and the test moves
// the clock.
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { addAccount } from '../../src/gateway/accounts/account.ts';
import { readWalletUsage } from '../../src/gateway/wallet/history/read-usage.ts';
import type { Db } from '../../src/kernel/ports/db.ts';
import { renderReplicaNotice } from '../../src/kernel/web/replica-notice.ts';
import { migrate } from '../../src/store/platform/migrate.ts';
import { openDatabase } from '../../src/store/platform/open-database.ts';
import { replicaLagMs } from '../../src/store/platform/replica.ts';
import { atEnd } from '../support/at-end.ts';
import { openReplicatedServer } from '../support/replicated-server.ts';
import { testWorld } from '../support/test-world.ts';
import { requireTool } from '../support/tools.ts';
import { until } from '../support/until.ts';

const initdb = requireTool('initdb');
const DAY = '2026-08-22';

describe.skipIf(initdb.kind === 'missing')('a replica for reads', async () => {
  const program = initdb.kind === 'found' ? initdb.path : '';

  test('serves lists and sums with its age, and the primary serves them in an outage', async () => {
    const server = await openReplicatedServer(program);
    const { world, clock, logged } = testWorld(7);
    const { db, close } = await openDatabase(world, {
      databaseUrl: server.primaryUrl,
      databaseReadUrl: server.standbyUrl,
      dataDir: '',
      isDurable: false,
    });
    atEnd(close);
    await migrate(world, db);
    const standby = await connectTo(server.standbyUrl);
    const primary = await connectTo(server.primaryUrl);
    const owner = { email: 'reader@example.com', password: 'p4ss 0ne xy' };
    const account = await addAccount(world, db, owner);
    if (account.kind !== 'added') throw new Error(account.kind);
    const countCalls = () => countUsage(db, account.id);
    const addUsage = () =>
      primary.query(
        `INSERT INTO usage_days (account_id, livemode, day, key_id, capability, calls, succeeded,
           units, allowance, voucher, cash) VALUES ($1, true, $2, $3, 'ocr', 1, 1, 1, 0, 0, 0)`,
        [account.id, DAY, randomUUID()],
      );
    await addUsage();
    await measureUntil(() => replicaLagMs(db) === 0 && countCalls().then((count) => count === 1));

    await standby.query('SELECT pg_wal_replay_pause()');
    await addUsage();
    expect(await countCalls()).toBe(1);
    await measureUntil(() => replicaLagMs(db) > 10_000);
    expect(String(renderReplicaNotice(replicaLagMs(db), 'en'))).toMatch(/are \d+ seconds old/);
    expect(await countCalls()).toBe(1);

    await standby.query('SELECT pg_wal_replay_resume()');
    await measureUntil(() => replicaLagMs(db) === 0 && countCalls().then((count) => count === 2));
    expect(renderReplicaNotice(replicaLagMs(db), 'en')).toBe(false);

    server.stopStandby();
    await addUsage();
    expect(await countCalls()).toBe(3);
    await measureUntil(() =>
      logged.some((line) => line.includes('the read replica is not in use')),
    );
    expect(await countCalls()).toBe(3);

    server.startStandby();
    const linesBefore = logged.length;
    await measureUntil(() => containsLine(logged.slice(linesBefore), 'the read replica is in use'));
    server.promoteStandby();
    await measureUntil(() => containsLine(logged, 'no longer a standby'));
    await addUsage();
    expect(await countCalls()).toBe(4);

    /**
     * Advances the clock until a measurement satisfies the condition. The standby follows the
     * primary in real time.
     */
    async function measureUntil(condition: () => boolean | Promise<boolean>): Promise<void> {
      await until(async () => {
        clock.advance(5_000);
        return (await condition()) || null;
      });
    }
  });

  test('is not used when it belongs to another database', async () => {
    const [server, otherServer] = [
      await openReplicatedServer(program),
      await openReplicatedServer(program),
    ];
    const { world, logged } = testWorld(8);
    const { close } = await openDatabase(world, {
      databaseUrl: server.primaryUrl,
      databaseReadUrl: otherServer.standbyUrl,
      dataDir: '',
      isDurable: false,
    });
    await close();
    expect(containsLine(logged, 'are different databases')).toBe(true);
  });
});

const containsLine = (lines: readonly string[], text: string) =>
  lines.some((line) => line.includes(text));

async function connectTo(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString });
  client.on('error', () => {});
  await client.connect();
  atEnd(() => client.end().catch(() => {}));
  return client;
}

async function countUsage(db: Db, accountId: string): Promise<number> {
  const rows = await readWalletUsage(db, {
    accountId,
    livemode: true,
    from: DAY,
    to: DAY,
    groupBy: 'day',
  });
  return rows[0]?.calls ?? 0;
}
