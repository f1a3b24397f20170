// Sign-up on a public installation: a proof of work that is accepted once over all nodes, or a
// delayed mail without a proof.
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { findAccount } from '../../../src/gateway/accounts/account.ts';
import { LATE_MAIL_MS } from '../../../src/gateway/accounts/sign-up.ts';
import { MINUTE_MS } from '../../../src/kernel/time/durations.ts';
import { sqlOf } from '../../../src/store/platform/db.ts';
import { readFormFields } from '../../support/form-browser.ts';
import { openMailServer } from '../../support/mail-server.ts';
import { openTestConsole } from '../test-console.ts';

const SIGN_UP = '/console/sign-up';
const password = 'twelve letters';
const mailServer = await openMailServer();
const { smtp } = mailServer;
const rules = { needsConfirmation: true, newPerNetwork: 1_000, proofBits: 8 };
const publicConsole = await openTestConsole({ smtp, rules });
const otherNode = await publicConsole.openNode();

/** Finds the smallest correct number of a challenge, and a wrong number. */
function solve(challenge: string): { readonly right: string; readonly wrong: string } {
  const [bits, , nonce] = (challenge.split('.')[0] ?? '').split(':');
  const isRight = (number: number) => {
    const hash = createHash('sha256').update(`${nonce}:${number}`).digest();
    return Math.clz32(hash.readInt32BE(0)) >= Number(bits);
  };
  let number = 0;
  while (!isRight(number)) number += 1;
  return { right: String(number), wrong: String(isRight(number + 1) ? number + 2 : number + 1) };
}

async function openForm(app = publicConsole, origin = app.origin) {
  const browser = app.browser({}, origin);
  const { text } = await browser.get(SIGN_UP);
  return { browser, text, form: readFormFields(text, SIGN_UP) };
}

const pendingMails = async () => {
  const { rows } = await sql<{ delay: number }>`
    SELECT extract(epoch FROM due_at - created_at) * 1000 AS delay FROM outgoing_mails`.execute(
    sqlOf(publicConsole.db),
  );
  return rows.map(({ delay }) => Number(delay));
};

test('a solved challenge creates one account over all nodes', async () => {
  const { browser, form } = await openForm();
  const proof = solve(form.challenge ?? '').right;
  const solvedForm = { ...form, proof, password, email: 'a@example.com' };
  expect((await browser.post(SIGN_UP, solvedForm)).headers.location).toBe('/console/sign-up/sent');
  expect((await mailServer.nextMail('a@example.com')).subject).toContain('Confirm your address');
  // The same challenge from another browser on another node.
  const secondPage = await openForm(publicConsole, otherNode.origin);
  const copiedForm = { ...secondPage.form, challenge: form.challenge ?? '', proof, password };
  const repeatedResponse = await secondPage.browser.post(SIGN_UP, {
    ...copiedForm,
    email: 'b@example.com',
  });
  expect(repeatedResponse.status).toBe(422);
  expect(repeatedResponse.text).toContain('This form was open for too long, or was sent before.');
  expect(readFormFields(repeatedResponse.text, SIGN_UP).challenge).not.toBe(form.challenge);
  expect(await findAccount(publicConsole.db, 'b@example.com')).toBe(null);
});

test('refuses wrong numbers, changed difficulties, forged and old challenges', async () => {
  const { browser, form } = await openForm();
  const challenge = form.challenge ?? '';
  const { right, wrong } = solve(challenge);
  const easyChallenge = challenge.replace(/^8:/, '0:');
  const attempts = [
    [challenge, wrong],
    [challenge, 'x'],
    [easyChallenge, '1'],
    ['', '1'],
    [challenge.replace(/\..*/, '.x'), right],
  ] as const;
  for (const [challenge, proof] of attempts) {
    const fields = { ...form, challenge, proof, password, email: 'c@example.com' };
    const { status } = await browser.post(SIGN_UP, fields);
    expect([challenge, proof, status]).toEqual([challenge, proof, 422]);
  }
  publicConsole.clock.advance(60 * MINUTE_MS);
  const lateForm = { ...form, proof: right, password, email: 'c@example.com' };
  expect((await browser.post(SIGN_UP, lateForm)).status).toBe(422);
  expect(await findAccount(publicConsole.db, 'c@example.com')).toBe(null);
});

test('an error in another field does not consume the proof', async () => {
  const { browser, form } = await openForm();
  const proof = solve(form.challenge ?? '').right;
  const shortPasswordForm = { ...form, proof, password: 'short', email: 'd@example.com' };
  expect((await browser.post(SIGN_UP, shortPasswordForm)).status).toBe(422);
  const acceptedResponse = await browser.post(SIGN_UP, { ...shortPasswordForm, password });
  expect(acceptedResponse.headers.location).toBe('/console/sign-up/sent');
});

test('without a script the mail is delayed, and few sign-ups are accepted', async () => {
  const statuses: number[] = [];
  for (let index = 0; index < 12; index += 1) {
    const { browser, text, form } = await openForm(
      publicConsole,
      index % 2 === 0 ? publicConsole.origin : otherNode.origin,
    );
    expect(text).toContain(
      '<noscript><p class="explains">Without scripts, the mail with the link is sent ten ' +
        'minutes later',
    );
    // A new and a known address look the same.
    const email = index === 1 ? 'a@example.com' : `slow-${index}@example.com`;
    const response = await browser.post(SIGN_UP, { ...form, password, email });
    statuses.push(response.status);
    if (response.status !== 303) continue;
    expect(response.headers.location).toBe('/console/sign-up/sent?late');
    const page = await browser.get('/console/sign-up/sent?late');
    expect(page.text).toContain('the mail is sent in ten minutes');
  }
  expect(statuses).toEqual([...Array(10).fill(303), 429, 429]);
  expect(await pendingMails()).toEqual(Array(10).fill(LATE_MAIL_MS));
  publicConsole.clock.advance(LATE_MAIL_MS);
  const { browser, form } = await openForm();
  await browser.post(SIGN_UP, { ...form, password, email: 'slow-20@example.com' });
  expect((await mailServer.nextMail('slow-3@example.com')).subject).toContain(
    'Confirm your address',
  );
});

test('a proof is required when no mail can be sent', async () => {
  const consoleWithoutMail = await openTestConsole({ rules });
  const { browser, text, form } = await openForm(consoleWithoutMail);
  expect(text).toContain('<noscript><p class="explains">To sign up here');
  const fields = { ...form, password, email: 'e@example.com' };
  const refusal = await browser.post(SIGN_UP, fields);
  expect(refusal.status).toBe(422);
  expect(refusal.text).toContain('ask the operator for an account.');
  const proof = solve(readFormFields(refusal.text, SIGN_UP).challenge ?? '').right;
  const solvedForm = {
    ...readFormFields(refusal.text, SIGN_UP),
    proof,
    password,
    email: 'e@example.com',
  };
  expect((await browser.post(SIGN_UP, solvedForm)).headers.location).toBe('/console');
});

test.each([
  ['on this machine only', { needsConfirmation: false, proofBits: 8 }],
  ['by invitation', { access: 'invite', needsConfirmation: true, proofBits: 8 }],
  ['switched off', { needsConfirmation: true, proofBits: 0 }],
] as const)('requires no proof: %s', async (_case, changedRules) => {
  const app = await openTestConsole({ rules: changedRules });
  expect((await openForm(app)).text).not.toContain('name="challenge"');
});
