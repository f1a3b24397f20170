// Forged cookies are refused without a query, so many forged cookies cause no load on the database.
// The database is closed before the requests.
import { expect, test } from 'vitest';
import { openSecurityLog } from '../../src/gateway/accounts/security-log.ts';
import { openSessions } from '../../src/gateway/accounts/session.ts';
import { openKnownBrowsers } from '../../src/kernel/web/known-browser.ts';
import { createFirstOwner } from '../../src/operators/operators.ts';
import { openOperatorSessions } from '../../src/operators/sessions.ts';
import { closeDb, openDb } from '../../src/store/platform/db.ts';
import { openTestDatabase } from '../support/test-database.ts';
import { testWorld } from '../support/test-world.ts';

const { world } = testWorld();
const { connection } = await openTestDatabase();
const db = openDb(world.log, connection, { applicationName: 'radar test' });
const sessions = await openSessions(world, db, {
  browsers: openKnownBrowsers(world, Buffer.alloc(32, 7)),
  securityLog: openSecurityLog(world, db, null),
});
const operators = await openOperatorSessions(world, db);
await createFirstOwner(world, db, () => {});
const signedCookie = await operators.signInAsOwner();
await closeDb(db);

test.each(['x'.repeat(43), `${'x'.repeat(43)}.${'y'.repeat(43)}`])(
  'a forged cookie is refused: %s',
  async (token) => {
    expect(await sessions.read(token)).toBeNull();
    expect(await operators.read(token, '127.0.0.1')).toBeNull();
  },
);

test('a cookie that a server issued is looked up in the database', async () => {
  await expect(operators.read(signedCookie, '127.0.0.1')).rejects.toThrow();
});
