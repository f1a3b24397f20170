// Operators as accounts: invitations, roles, second factors and recent sign-ins.
import { expect, test } from 'vitest';
import { generateCode } from '../../src/kernel/crypto/one-time-code.ts';
import { MINUTE_MS } from '../../src/kernel/time/durations.ts';
import { SHELL } from '../../src/operators/audit-log.ts';
import {
  changeRole,
  findOperatorAccount,
  listOperators,
  removeOperator,
} from '../../src/operators/operators.ts';
import { operatorRoutes } from '../../src/operators/pages/routes.ts';
import { type OperatorRole, operatorRoles } from '../../src/operators/roles.ts';
import { adminRoutes } from '../../src/radar/admin/routes.ts';
import { decodeBase32 } from '../support/decode-base32.ts';
import { type Browser, readFormFields } from '../support/form-browser.ts';
import { openTestAdmin } from './admin-session.ts';

const admin = await openTestAdmin();
const { world, db } = admin;

const secretOf = (page: string): Buffer =>
  decodeBase32(/class="secret-text"[^>]*>\s*([A-Z2-7 ]+)</.exec(page)?.[1] ?? '');

const currentCode = (secret: Buffer) =>
  generateCode(secret, Math.floor(world.clock.now() / 30_000));

/** Sets up one-time codes for the operator of a browser, and returns the contents of the pages. */
async function switchOnCodes(browser: Browser) {
  const page = await browser.get('/admin/profile/codes');
  const secret = secretOf(page.text);
  const response = await browser.post('/admin/profile/codes', {
    ...readFormFields(page.text, '/admin/profile/codes'),
    code: currentCode(secret),
    current: admin.password,
  });
  const recovery = response.text.match(/[a-z2-7]{4}(-[a-z2-7]{4}){5}/g) ?? [];
  return { secret, response, recovery };
}

test('an invited operator chooses a password once and acts under the invited name', async () => {
  const owner = await admin.signIn('Ada');
  const page = await owner.submit('/admin/operators', '/admin/operators/invite', {
    name: 'Grace',
    role: 'editor',
  });
  const path = /\/admin\/invitation\?invitation=[\w-]+/.exec(page.text)?.[0] ?? '';
  const grace = admin.browser();
  const choosePassword = async (fields: Record<string, string>) => {
    const form = readFormFields((await grace.get(path)).text, '/admin/invitation');
    return grace.post('/admin/invitation', { ...form, ...fields });
  };
  const mismatchPage = await choosePassword({
    password: 'a long password',
    again: 'another password',
  });
  expect([mismatchPage.status, mismatchPage.text.includes('The two passwords differ.')]).toEqual([
    422,
    true,
  ]);
  const weakPasswordPage = await choosePassword({
    password: 'abcabcabcabc',
    again: 'abcabcabcabc',
  });
  expect([
    weakPasswordPage.status,
    weakPasswordPage.text.includes('It repeats the same characters.'),
  ]).toEqual([422, true]);
  const setPage = await choosePassword({ password: 'a long password', again: 'a long password' });
  expect([setPage.status, setPage.text.includes('Your password is set.')]).toEqual([200, true]);
  const usedInvitation = await grace.get(path);
  expect([usedInvitation.status, usedInvitation.text.includes('was accepted, withdrawn')]).toEqual([
    404,
    true,
  ]);
  const signedInPage = await grace.submit('/admin/sign-in', '/admin/sign-in', {
    name: 'GRACE',
    password: 'a long password',
  });
  expect(signedInPage.text).toContain('Signed in as Grace');
  const auditPage = await owner.get('/admin/audit?kind=operator');
  expect(auditPage.text).toContain('accepted the invitation');
});

test('an invitation ends after seven days and when its operator is removed', async () => {
  const owner = await admin.signIn('Ada');
  const invitationPathOf = async (name: string) => {
    const fields = { name, role: 'auditor' };
    const page = await owner.submit('/admin/operators', '/admin/operators/invite', fields);
    return /\/admin\/invitation\?invitation=[\w-]+/.exec(page.text)?.[0] ?? '';
  };
  const [latePath, removedPath] = [
    await invitationPathOf('Late'),
    await invitationPathOf('Removed'),
  ];
  const { id = '' } = (await findOperatorAccount(db, 'Removed')) ?? {};
  await removeOperator(world, db, { id, by: SHELL });
  expect((await admin.browser().get(removedPath)).status).toBe(404);
  expect((await admin.browser().get(latePath)).status).toBe(200);
  admin.setClock(world.clock.now() + 7 * 24 * 60 * MINUTE_MS);
  expect((await admin.browser().get(latePath)).status).toBe(404);
});

test('an invitation is refused with a taken name, a bad name or an unknown role', async () => {
  const owner = await admin.signIn('Ada');
  const invite = (name: string, role: string) =>
    owner.submit('/admin/operators', '/admin/operators/invite', { name, role });
  for (const [name, role, problem] of [
    ['ada', 'editor', 'An operator has that name already.'],
    ['<b>CEO</b>', 'editor', 'A name has 1 to 60 characters'],
    [' ', 'editor', 'A name has 1 to 60 characters'],
    ['Bo', 'king', 'Choose one of the roles.'],
  ] as const) {
    const response = await invite(name, role);
    expect([name, response.status, response.text.includes(problem)]).toEqual([name, 422, true]);
  }
});

const rights: Readonly<Record<OperatorRole, readonly string[]>> = {
  owner: ['sign_in', 'read_radar', 'edit_radar', 'configure', 'read_operators', 'manage_operators'],
  editor: ['sign_in', 'read_radar', 'edit_radar'],
  treasurer: ['sign_in'],
  support: ['sign_in'],
  auditor: ['sign_in', 'read_radar', 'read_operators'],
};

test.each(operatorRoles)(
  'the role %s opens its own pages of the radar and no other',
  async (role) => {
    const browser = await admin.signIn(`role ${role}`, role);
    const token =
      readFormFields((await browser.get('/admin/profile')).text, '/admin/sign-out').token ?? '';
    for (const { method, path, right } of adminRoutes) {
      const address = path.replace(/:\w+/g, 'x');
      if (address === '/admin/sign-out' || address.startsWith('/admin/profile')) continue;
      const isAllowed = rights[role].includes(right);
      if (isAllowed && method === 'POST') continue;
      const response =
        method === 'GET'
          ? await browser.get(address)
          : await browser.post(address, { token, name: 'x' });
      expect([role, method, address, response.status === 403]).toEqual([
        role,
        method,
        address,
        !isAllowed,
      ]);
    }
  },
);

test('operators cannot remove themselves, and one owner always remains', async () => {
  const owner = await admin.signIn('Ada');
  const { id = '' } = (await findOperatorAccount(db, 'Ada')) ?? {};
  const token = readFormFields(
    (await owner.get('/admin/operators')).text,
    '/admin/operators/invite',
  ).token;
  const selfRemoval = await owner.post(`/admin/operators/${id}/remove`, { token: token ?? '' });
  expect([selfRemoval.status, selfRemoval.text.includes('You cannot remove yourself')]).toEqual([
    422,
    true,
  ]);
  const by = SHELL;
  const owners = (await listOperators(db)).filter(({ role }) => role === 'owner');
  const results = await Promise.all(
    owners.map((owner) => removeOperator(world, db, { id: owner.id, by })),
  );
  expect(results.filter(({ kind }) => kind === 'refused')).toEqual([
    { kind: 'refused', problem: 'last_owner' },
  ]);
  const lastOwner = (await listOperators(db)).find(({ role }) => role === 'owner');
  const demotion = { id: lastOwner?.id ?? '', role: 'auditor', by } as const;
  expect(await changeRole(world, db, demotion)).toEqual({
    kind: 'refused',
    problem: 'last_owner',
  });
});

test('a removed operator is signed out, and a new role applies from the next request', async () => {
  const browser = await admin.signIn('Hedy', 'editor');
  const { id = '' } = (await findOperatorAccount(db, 'Hedy')) ?? {};
  const by = SHELL;
  expect((await browser.get('/admin/operators')).status).toBe(403);
  await changeRole(world, db, { id, role: 'owner', by });
  expect((await browser.get('/admin/operators')).status).toBe(200);
  await removeOperator(world, db, { id, by });
  expect((await browser.get('/admin/operators')).status).toBe(303);
});

test('one-time codes are required beside the password, and each works once', async () => {
  const browser = await admin.signIn('Joan');
  const otherBrowser = await admin.signIn('Joan');
  const { secret, response, recovery } = await switchOnCodes(browser);
  expect([response.status, recovery.length]).toEqual([200, 10]);
  expect((await otherBrowser.get('/admin/sources')).status).toBe(303);
  const signIn = (code: string) =>
    admin.browser().submit('/admin/sign-in', '/admin/sign-in', {
      name: 'Joan',
      password: admin.password,
      code,
    });
  const pageWithoutCode = await signIn('');
  expect([
    pageWithoutCode.status,
    pageWithoutCode.text.includes('the one-time code of your device'),
  ]).toEqual([401, true]);
  expect((await signIn(currentCode(secret))).text).toContain('not a valid one-time code');
  admin.setClock(world.clock.now() + MINUTE_MS);
  expect((await signIn(currentCode(secret))).text).toContain('Signed in as Joan');
  expect((await signIn(recovery[0] ?? '')).text).toContain('Signed in as Joan');
  expect((await signIn(recovery[0] ?? '')).text).toContain('not a valid one-time code');
});

test('an owner switches the codes of another operator off, which ends all sessions', async () => {
  const lockedOutBrowser = await admin.signIn('Lise');
  await switchOnCodes(lockedOutBrowser);
  const owner = await admin.signIn('Ada');
  const { id = '' } = (await findOperatorAccount(db, 'Lise')) ?? {};
  const offPage = await owner.submit('/admin/operators', `/admin/operators/${id}/factor-off`);
  expect(offPage.text).toContain('One-time codes are off for that operator');
  expect((await lockedOutBrowser.get('/admin/sources')).status).toBe(303);
  const secondSession = await admin.signIn('Lise');
  expect((await secondSession.get('/admin/sources')).status).toBe(200);
  const lines = (await owner.get('/admin/audit.ndjson?kind=operator')).text.trimEnd().split('\n');
  expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({
    operator: 'Ada',
    action: 'factor_off',
    subject: 'Lise',
  });
});

test('a new password or code needs the current password and ends other sessions', async () => {
  const [browser, otherBrowser] = [await admin.signIn('Rosa'), await admin.signIn('Rosa')];
  const sendForm = (path: string, fields: Record<string, string>) =>
    browser.submit('/admin/profile', `/admin/profile/${path}`, fields);
  const nextPassword = 'slate canyon jelly 77';
  const refusedPage = await sendForm('password', {
    current: 'not the password',
    password: nextPassword,
  });
  expect([refusedPage.status, (await otherBrowser.get('/admin/profile')).status]).toEqual([
    422, 200,
  ]);
  const changedPage = await sendForm('password', {
    current: admin.password,
    password: nextPassword,
  });
  expect(changedPage.text).toContain('Your password is changed');
  expect((await otherBrowser.get('/admin/profile')).status).toBe(303);

  const page = await browser.get('/admin/profile/codes');
  const form = {
    ...readFormFields(page.text, '/admin/profile/codes'),
    code: currentCode(secretOf(page.text)),
  };
  const wrongPasswordPage = await browser.post('/admin/profile/codes', {
    ...form,
    current: 'not it',
  });
  expect(wrongPasswordPage.status).toBe(422);
  const confirmedPage = await browser.post('/admin/profile/codes', {
    ...form,
    current: nextPassword,
  });
  expect(confirmedPage.text).toContain('Recovery codes');
  for (const [path, field] of [
    ['codes/renew', 'renew'],
    ['codes/off', 'off'],
  ] as const) {
    expect([path, (await sendForm(path, { [field]: 'not it' })).status]).toEqual([path, 422]);
  }
  expect((await sendForm('codes/off', { off: nextPassword })).text).toContain(
    'Your one-time codes are off.',
  );
});

test('changing operators needs a sign-in of the last ten minutes; the form is kept', async () => {
  const browser = await admin.signIn('Mary');
  const form = readFormFields(
    (await browser.get('/admin/operators')).text,
    '/admin/operators/invite',
  );
  admin.setClock(world.clock.now() + 10 * MINUTE_MS);
  const fields = { ...form, name: 'Kept', role: 'support' };
  const oldSessionPage = await browser.post('/admin/operators/invite', fields);
  expect([
    oldSessionPage.status,
    oldSessionPage.text.includes('a sign-in within the last ten minutes'),
  ]).toEqual([401, true]);
  expect(await findOperatorAccount(db, 'Kept')).toBeNull();
  const confirmedPage = await browser.post('/admin/sign-in', {
    ...readFormFields(oldSessionPage.text, '/admin/sign-in'),
    password: admin.password,
  });
  expect(confirmedPage.text).toContain('<dd>Kept</dd>');
  await browser.post(
    '/admin/operators/invite',
    readFormFields(confirmedPage.text, '/admin/operators/invite'),
  );
  expect(await findOperatorAccount(db, 'Kept')).toMatchObject({ name: 'Kept', role: 'support' });
});

test('on a public installation an owner sets up one-time codes before anything else', async () => {
  const openAdmin = await openTestAdmin({ isPublic: true });
  const owner = await openAdmin.signIn('Ada');
  const refusal = await owner.get('/admin/sources');
  expect([refusal.status, refusal.headers.location]).toEqual([303, '/admin/profile/codes']);
  const page = await owner.get('/admin/profile/codes');
  expect(page.text).toContain('owners and treasurers need one-time codes');
  const secret = secretOf(page.text);
  await owner.post('/admin/profile/codes', {
    ...readFormFields(page.text, '/admin/profile/codes'),
    code: generateCode(secret, Math.floor(openAdmin.world.clock.now() / 30_000)),
    current: openAdmin.password,
  });
  expect((await owner.get('/admin/sources')).status).toBe(200);
  expect((await (await openAdmin.signIn('Ed', 'editor')).get('/admin/sources')).status).toBe(200);
});

test('only the listed networks can open the area, including the sign-in page', async () => {
  const closedAdmin = await openTestAdmin({ networks: ['203.0.113.0/24'] });
  for (const path of ['/admin', '/admin/sign-in', '/admin/invitation']) {
    expect((await closedAdmin.browser().get(path)).status).toBe(403);
  }
  const openAdmin = await openTestAdmin({ networks: ['loopback'] });
  expect((await openAdmin.browser().get('/admin/sign-in')).status).toBe(200);
});

test('every page about operators is part of the area', () => {
  for (const route of operatorRoutes) expect(adminRoutes).toContain(route);
});
