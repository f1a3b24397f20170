// Searches for the secrets of a whole visit in the log and in every table: passwords, session
// tokens, keys, codes and links. No secret may occur.
import { expect, test } from 'vitest';
import { makeInvites } from '../../src/gateway/accounts/invites.ts';
import { generateCode } from '../../src/kernel/crypto/one-time-code.ts';
import { decodeBase32 } from '../support/decode-base32.ts';
import { dumpTables } from '../support/dump-tables.ts';
import { readFormFields } from '../support/form-browser.ts';
import { openMailServer } from '../support/mail-server.ts';
import { openTestConsole } from './test-console.ts';

const mailServer = await openMailServer();
const smtp = { host: '127.0.0.1', port: mailServer.port, secure: false, requireTls: false };
const testConsole = await openTestConsole({
  smtp: { ...smtp, from: 'post@radar.example' },
  rules: { access: 'invite' },
});
const CODES = '/console/account/one-time-codes';

test('neither the log nor the database contains a secret of a visit', async () => {
  const { world, db, logged } = testConsole;
  const input = { count: 1, days: 7, note: 'canary', madeBy: 'Ada' };
  const [invitation] = await makeInvites(world, db, input);
  const code = invitation?.code ?? '';
  const email = 'canary@example.com';
  const password = 'canary in a coal mine';
  const visitor = testConsole.browser();
  const fields = { email, password, invite: code };
  await visitor.submit('/console/sign-up', '/console/sign-up', fields);
  const link = /token=([\w-]{43})/.exec((await mailServer.nextMail(email)).text)?.[1] ?? '';
  await visitor.submit(`/console/verify?token=${link}`, '/console/verify');
  await visitor.get(`/console/verify/nothing?token=${link}`);

  const browser = await testConsole.signIn(email, password);
  const session = browser.cookies.get('gateway_session') ?? '';
  const rejection = await testConsole.browser().submit('/console/sign-in', '/console/sign-in', {
    email,
    password: 'canary with a typo',
  });
  expect(rejection.status).toBe(401);
  const createdPage = await browser.submit('/console/keys/new', '/console/keys/new', {
    name: 'Canary',
  });
  const key = /\bsk-[a-z2-7]{38}\b/.exec(createdPage.text)?.[0] ?? '';
  const offerPage = await browser.get(CODES);
  const totp = (/secret-text">([A-Z2-7 ]+)</.exec(offerPage.text)?.[1] ?? '').replaceAll(' ', '');
  const form = readFormFields(offerPage.text, CODES);
  const currentCode = generateCode(
    decodeBase32(totp),
    Math.floor(testConsole.clock.now() / 30_000),
  );
  const enabledPage = await browser.post(CODES, { ...form, code: currentCode, password });
  const recovery = /\b[a-z2-7]{4}(?:-[a-z2-7]{4}){5}\b/.exec(enabledPage.text)?.[0] ?? '';
  await testConsole.browser().submit('/console/reset', '/console/reset', { email });
  let resetToken = '';
  // Notices about the sign-in, the key and the codes come first.
  while (resetToken === '') {
    resetToken =
      /reset\/new\?token=([\w-]{43})/.exec((await mailServer.nextMail(email)).text)?.[1] ?? '';
  }

  const secrets = { password, code, link, session, key, totp, recovery, reset: resetToken };
  const typo = 'canary with a typo';
  const output = { log: logged.join('\n'), tables: await dumpTables(db) };
  for (const [place, text] of Object.entries(output)) {
    expect(text.length, place).toBeGreaterThan(100);
    for (const [name, secret] of Object.entries({ ...secrets, typo })) {
      expect(secret.length, name).toBeGreaterThan(15);
      const randomPart = name === 'key' ? secret.slice(9, 33) : secret;
      expect(text.includes(randomPart), `${place} contains the ${name}`).toBe(false);
    }
    expect(text.includes(decodeBase32(totp).toString('hex')), `${place} contains the secret`).toBe(
      false,
    );
  }
  expect(output.tables).toContain(key.slice(-4));
});
