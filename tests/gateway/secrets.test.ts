// Searches for every key, password and token of a run in the log, all responses, the metrics and a
// COPY of every table. No secret may occur.
import { expect, test } from 'vitest';
import { suspendAccount } from '../../src/gateway/accounts/account.ts';
import { openAccountFactor } from '../../src/gateway/accounts/second-factor.ts';
import { openSecurityLog } from '../../src/gateway/accounts/security-log.ts';
import { openSessions } from '../../src/gateway/accounts/session.ts';
import { openSignIn } from '../../src/gateway/accounts/sign-in.ts';
import { makeKey, revokeKey, rotateKey } from '../../src/gateway/keys/change-keys.ts';
import { makeKeyText } from '../../src/gateway/keys/key-text.ts';
import { openKnownBrowsers } from '../../src/kernel/web/known-browser.ts';
import { dumpTables } from '../support/dump-tables.ts';
import { openTestGateway } from '../support/test-gateway.ts';

const gateway = await openTestGateway();
const { world, db, logged } = gateway;

test('logs, responses, metrics and database contain no key, password or token', async () => {
  const account = await gateway.newAccount();
  const { accountId } = account;
  const password = 'password 2 of a test';
  const secondFactor = await openAccountFactor(world, db);
  const browsers = openKnownBrowsers(world, Buffer.alloc(32, 7));
  const securityLog = openSecurityLog(world, db, null);
  const sessions = await openSessions(world, db, { browsers, securityLog });
  const signIn = await openSignIn(world, db, { sessions, secondFactor, browsers, securityLog });
  const from = { agent: 'A browser', address: '203.0.113.1', client: '203.0.113.1' };
  const credentials = { email: 'customer-2@example.com', from };
  const signedIn = await signIn.withPassword({ ...credentials, password });
  if (signedIn.kind !== 'signed_in') throw new Error(signedIn.kind);
  const session = await sessions.read(signedIn.token);
  if (session === null) throw new Error('no session');
  expect(session).toMatchObject({ accountId, email: credentials.email });
  expect(await signIn.withPassword({ ...credentials, password: 'a wrong password' })).toEqual({
    kind: 'refused',
  });
  const createdKey = await makeKey(world, db, {
    accountId,
    kind: 'sk',
    livemode: true,
    name: 'Canary',
  });
  const rotatedKey = await rotateKey(world, db, { id: createdKey.id, overlapMs: 60_000 });
  if (rotatedKey.kind !== 'rotated') throw new Error(rotatedKey.kind);
  const unknownKey = makeKeyText(world.random, { kind: 'sk', livemode: true });
  const secrets = [
    account.sk,
    account.skTest,
    account.ak,
    account.akTest,
    createdKey.text,
    rotatedKey.key.text,
    unknownKey,
    password,
    'a wrong password',
    signedIn.token,
  ];

  const texts: string[] = [];
  const collect = async (pending: Promise<{ text: string; headers: object }>) => {
    const { text, headers } = await pending;
    texts.push(text, JSON.stringify(headers));
  };
  for (const key of secrets) {
    for (const does of ['answer', 'fail', 'throw', 'insufficient']) {
      await collect(gateway.call('paid', { text: 'x', does }, { key, idempotencyKey: does }));
    }
    await collect(gateway.call('paid', '{"text":', { key }));
    await collect(gateway.readPath('/api/v1/account', key));
    await collect(gateway.readPath('/api/v1/calls', key));
    await collect(gateway.readPath(`/api/v1/nothing?key=${encodeURIComponent(key)}`, key));
  }
  await revokeKey(world, db, createdKey.id);
  await collect(gateway.sendRequest({ path: '/metrics' }));
  await sessions.signOut(session);
  expect(await sessions.read(signedIn.token)).toBeNull();

  const output = {
    log: logged.join('\n'),
    responses: texts.join('\n'),
    tables: await dumpTables(db),
  };
  for (const [place, text] of Object.entries(output)) {
    // An empty output would prove nothing. The last expectation finds the public end of a key.
    expect(text.length, place).toBeGreaterThan(1_000);
    for (const secret of secrets) {
      // Of a long secret, 24 characters of its random part are searched for.
      const randomPart = secret.length > 30 ? secret.slice(9, 33) : secret;
      expect(text.includes(randomPart), `${place} has a secret of ${secret.length} letters`).toBe(
        false,
      );
    }
  }
  expect(output.tables).toContain(createdKey.text.slice(-4));
});

test('limits password guesses per account, and refuses a suspended account', async () => {
  const account = await gateway.newAccount();
  const email = 'customer-3@example.com';
  const secondFactor = await openAccountFactor(world, db);
  const browsers = openKnownBrowsers(world, Buffer.alloc(32, 7));
  const securityLog = openSecurityLog(world, db, null);
  const sessions = await openSessions(world, db, { browsers, securityLog });
  const signIn = await openSignIn(world, db, { sessions, secondFactor, browsers, securityLog });
  const from = (client: string) => ({ agent: 'A browser', address: client, client });
  const guessPassword = (client: string) =>
    signIn.withPassword({ email, password: 'a guess at it', from: from(client) });
  for (const index of [1, 2, 3, 4, 5])
    expect(await guessPassword(`c${index}`)).toEqual({ kind: 'refused' });
  expect(await guessPassword('c6')).toEqual({ kind: 'too_many', waitMs: 20_000 });
  gateway.clock.advance(20_000);
  const password = 'password 3 of a test';
  const signedIn = await signIn.withPassword({ email, password, from: from('c7') });
  if (signedIn.kind !== 'signed_in') throw new Error(signedIn.kind);
  await suspendAccount(db, account.accountId);
  expect(await sessions.read(signedIn.token)).toBeNull();
  gateway.clock.advance(20_000);
  expect(await signIn.withPassword({ email, password, from: from('c8') })).toEqual({
    kind: 'suspended',
  });
});
