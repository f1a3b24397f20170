// DATABASE_URL is the address of PgBouncer, and DATABASE_DIRECT_URL that of the server itself. The
// processes are real.
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { addAccount } from '../../src/gateway/accounts/account.ts';
import { makeKey } from '../../src/gateway/keys/change-keys.ts';
import { json, sendRequest } from '../support/http-request.ts';
import { openLoopbackSite, rssOf } from '../support/loopback-site.ts';
import { openPooler } from '../support/pooler.ts';
import { runRadarCommand, startServing, temporaryDataDir } from '../support/radar-process.ts';
import { openTestDatabase, urlOf } from '../support/test-database.ts';
import { testWorld } from '../support/test-world.ts';
import { requireTool } from '../support/tools.ts';
import { until } from '../support/until.ts';

const NOW = '2026-08-22T04:00:00Z';
const pgbouncer = requireTool('pgbouncer');
const program = pgbouncer.kind === 'found' ? pgbouncer.path : '';

describe.skipIf(pgbouncer.kind === 'missing')('a pooler in front of the database', () => {
  test('in transaction mode, it serves reads, paid calls, jobs and commands', async () => {
    const { world } = testWorld(11, Date.parse(NOW));
    const { db, connection } = await openTestDatabase();
    const DATA_DIR = temporaryDataDir();
    const env = {
      DATA_DIR,
      RADAR_NOW: NOW,
      DATABASE_URL: await openPooler(connection, { program, mode: 'transaction' }),
      DATABASE_DIRECT_URL: urlOf(connection),
    };
    const serving = await startServing(env);

    const site = await openLoopbackSite();
    const publishedAt = Date.parse('2026-08-22T03:00:00Z');
    const title = 'Lantern Works opens a laboratory';
    const link = `${site.url}/articles/1`;
    const entry = { id: '1', title, text: `${title} with forty people.`, link, at: publishedAt };
    site.respond('/feed.xml', { body: rssOf('Lantern Works', [entry]) });
    expect(await runRadarCommand(['source', 'add', `${site.url}/feed.xml`], env)).toMatchObject({
      code: 0,
    });
    const items = await until(async () => {
      const page = await sendRequest(serving.url, { path: '/api/v1/items?mode=all' });
      const { items } = json(page) as { items: { title: string }[] };
      return items.length > 0 ? items : null;
    });
    expect(items).toMatchObject([{ title }]);

    const account = await addAccount(world, db, {
      email: 'pooler@example.com',
      password: 'p4ss 0ne x',
    });
    if (account.kind !== 'added') throw new Error(account.kind);
    const keyInput = { accountId: account.id, kind: 'sk', livemode: false, name: 'x' } as const;
    const { text: key } = await makeKey(world, db, keyInput);
    const responses = await Promise.all(
      Array.from({ length: 40 }, () =>
        sendRequest(serving.gatewayUrl, {
          method: 'POST',
          path: '/api/v1/capabilities/social',
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
          body: '{"platform":"douyin","action":"search","params":{"keyword":"lantern"}}',
        }),
      ),
    );
    const statuses = responses.map(({ status }) => status);
    const paidCount = statuses.filter((status) => status === 200).length;
    expect(paidCount).toBeGreaterThan(0);
    expect(statuses.filter((status) => status !== 200 && status !== 429)).toEqual([]);
    const audit = await runRadarCommand(['ledger', 'audit'], env);
    expect(audit).toMatchObject({ code: 0 });

    const file = join(DATA_DIR, 'copy.radar');
    expect(await runRadarCommand(['backup', file], env)).toMatchObject({ code: 0 });
    expect(await serving.end('SIGTERM')).toBe(0);
    expect(serving.text.err).not.toMatch(/prepared statement|LISTEN/);
  });

  test('in session mode, it serves without a second address', async () => {
    const { connection } = await openTestDatabase();
    const settings = ['ignore_startup_parameters = statement_timeout'];
    const DATABASE_URL = await openPooler(connection, { program, mode: 'session', settings });
    const serving = await startServing({ DATA_DIR: temporaryDataDir(), DATABASE_URL });
    expect((await sendRequest(serving.url, { path: '/readyz' })).status).toBe(200);
    expect(serving.text.err).toContain('the pooler drops statement_timeout');
  });

  test.each([
    ['a pooler without a second address', 'transaction', [], 'Set DATABASE_DIRECT_URL'],
    [
      'a pooler that also drops parameters',
      'transaction',
      ['ignore_startup_parameters = statement_timeout'],
      'is a pooler that shares sessions between transactions. Set DATABASE_DIRECT_URL',
    ],
  ] as const)('a failing start states the remedy: %s', async (_name, mode, settings, problem) => {
    const { connection } = await openTestDatabase();
    const DATABASE_URL = await openPooler(connection, { program, mode, settings });
    const refusal = await runRadarCommand(['serve'], {
      DATA_DIR: temporaryDataDir(),
      DATABASE_URL,
    });
    expect(refusal.code).toBe(1);
    expect(refusal.err).toContain(problem);
  });

  test('refuses a second address of another database or of a pooler', async () => {
    const [firstDatabase, secondDatabase] = [await openTestDatabase(), await openTestDatabase()];
    const DATABASE_URL = await openPooler(firstDatabase.connection, {
      program,
      mode: 'transaction',
    });
    const startWith = (direct: string) =>
      runRadarCommand(['serve'], {
        DATA_DIR: temporaryDataDir(),
        DATABASE_URL,
        DATABASE_DIRECT_URL: direct,
      });
    const otherDatabase = await startWith(urlOf(secondDatabase.connection));
    expect(otherDatabase).toMatchObject({ code: 1 });
    expect(otherDatabase.err).toContain('are different databases');
    const samePooler = await startWith(DATABASE_URL);
    expect(samePooler).toMatchObject({ code: 1 });
    expect(samePooler.err).toContain('DATABASE_DIRECT_URL');
  });
});
