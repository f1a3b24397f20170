// Keys in the console: they are created and shown once, rotated without a gap, revoked at once, and
// changed in two tabs.
import { expect, test } from 'vitest';
import { findAccount } from '../../../src/gateway/accounts/account.ts';
import {
  findKey,
  isEnded,
  listKeys,
  makeKey,
  revokeKey,
} from '../../../src/gateway/keys/change-keys.ts';
import { DAY_MS, HOUR_MS } from '../../../src/kernel/time/durations.ts';
import { eraseAccountData } from '../../../src/store/accounts/erase-account.ts';
import { findAccountRow } from '../../../src/store/gateway/accounts.ts';
import { changeDuring } from '../../support/change-during.ts';
import { readFormFields } from '../../support/form-browser.ts';
import { openTestConsole } from '../test-console.ts';

const NEW = '/console/keys/new';
const testConsole = await openTestConsole();

const keyIn = (page: string): string => /\b[as]k-(?:test-)?[a-z2-7]{38}\b/.exec(page)?.[0] ?? '';

test('creates a key, shows it once with an example call, and the API accepts it', async () => {
  const browser = await testConsole.signIn();
  await browser.submit('/console', '/console/mode', { livemode: 'false' });
  expect((await browser.get(`${NEW}?kind=sk`)).text).toContain('<h1>Create an API key</h1>');
  const createdPage = await browser.submit(NEW, NEW, { name: 'A <b>bold</b> name' });
  expect(createdPage.status).toBe(200);
  expect(createdPage.headers['cache-control']).toBe('no-store');
  const key = keyIn(createdPage.text);
  expect(key).toMatch(/^sk-test-/);
  expect(createdPage.text).toContain(
    'curl &#39;http://gateway.example/api/v1/capabilities/social&#39;',
  );
  expect(createdPage.text).toContain(`Bearer ${key}`);
  expect((await testConsole.call('paid', { text: 'x' }, { key })).status).toBe(200);
  const list = await browser.get('/console/keys');
  expect(list.text).toContain('A &lt;b&gt;bold&lt;/b&gt; name');
  expect(list.text).toContain(`${key.slice(0, 12)}…${key.slice(-4)}`);
  expect(list.text).not.toContain(key);
});

test('a form sent twice, or by two tabs at once, creates one key', async () => {
  const browser = await testConsole.signIn();
  const form = { ...readFormFields((await browser.get(NEW)).text, NEW), name: 'Only one' };
  const bothResponses = await Promise.all([browser.post(NEW, form), browser.post(NEW, form)]);
  expect(bothResponses.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect(bothResponses.filter(({ text }) => keyIn(text) !== '').length).toBe(1);
  const repeatedResponse = await browser.post(NEW, form);
  expect(repeatedResponse.status).toBe(409);
  expect(repeatedResponse.text).toContain('This form was already sent');
  expect(keyIn(repeatedResponse.text)).toBe('');
  const names = (await browser.get('/console/keys')).text.match(/Only one/g) ?? [];
  expect(names.length).toBe(1);
});

test('shows each error beside its field and keeps typed text', async () => {
  const browser = await testConsole.signIn();
  const rejection = await browser.submit(NEW, NEW, {
    name: '',
    networks: 'nowhere/99',
    budget: 'ten',
    period: 'day',
    expires: 'soon',
    scope: ['ocr', 'everything'],
  });
  expect(rejection.status).toBe(422);
  for (const name of ['name', 'networks', 'budget', 'expires']) {
    expect(rejection.text).toContain(`<p class="error" id="e-${name}">`);
  }
  expect(rejection.text).toContain('>\nnowhere/99</textarea>');
  expect(rejection.text).toContain('value="ten"');
  expect(rejection.text).toMatch(/value="ocr" checked/);
  const longNamePage = await browser.submit(NEW, NEW, { name: '长'.repeat(5_000) });
  expect([
    longNamePage.status,
    longNamePage.text.includes('A name has 1 to 100 characters.'),
  ]).toEqual([422, true]);
});

test('enforces the limits of a key', async () => {
  const browser = await testConsole.signIn();
  const fields = {
    name: 'Limited',
    scope: ['ocr'],
    networks: '203.0.113.0/24\n198.51.100.7',
    budget: '¥1.5',
    period: 'total',
    expires: '30',
  };
  const key = keyIn((await browser.submit(NEW, NEW, fields)).text);
  const list = (await browser.get('/console/keys')).text;
  const id = /href="\/console\/keys\/(key_\w+)">Limited/.exec(list)?.[1] ?? '';
  const page = (await browser.get(`/console/keys/${id}`)).text;
  expect(page).toContain('<dd>Image OCR</dd>');
  expect(page).toContain('<dd>¥1.5 in total</dd>');
  expect(page).toContain('203.0.113.0/24, 198.51.100.7');
  const refusal = await testConsole.call('free', { text: 'x' }, { key });
  expect([refusal.status, JSON.parse(refusal.text).code]).toEqual([403, 'key_not_allowed']);
  testConsole.clock.advance(31 * DAY_MS);
  expect((await testConsole.call('free', { text: 'x' }, { key })).status).toBe(401);
});

test('rotation creates a second key and keeps the first for the chosen time', async () => {
  const browser = await testConsole.signIn();
  const oldKey = keyIn((await browser.submit(NEW, NEW, { name: 'Rotated' })).text);
  const list = (await browser.get('/console/keys')).text;
  const id = /href="\/console\/keys\/(key_\w+)">Rotated/.exec(list)?.[1] ?? '';
  const [page, action] = [`/console/keys/${id}`, `/console/keys/${id}/rotate`];
  const form = { ...readFormFields((await browser.get(page)).text, action), overlap: '60' };
  // Two tabs submit at once.
  const bothResponses = await Promise.all([browser.post(action, form), browser.post(action, form)]);
  expect(bothResponses.map(({ status }) => status).sort()).toEqual([200, 409]);
  const newKey = keyIn(bothResponses.map(({ text }) => text).join());
  expect(bothResponses.find(({ status }) => status === 409)?.text).toContain('was already rotated');
  for (const key of [oldKey, newKey]) {
    expect((await testConsole.call('paid', { text: 'x' }, { key })).status).toBe(200);
  }
  testConsole.clock.advance(HOUR_MS);
  expect((await testConsole.call('paid', { text: 'x' }, { key: oldKey })).status).toBe(401);
  expect((await testConsole.call('paid', { text: 'x' }, { key: newKey })).status).toBe(200);
});

test('revokes a key within a second, once, and only in its own account', async () => {
  const browser = await testConsole.signIn();
  const key = keyIn((await browser.submit(NEW, NEW, { name: 'Short-lived' })).text);
  const list = (await browser.get('/console/keys')).text;
  const id = /href="\/console\/keys\/(key_\w+)">Short-lived/.exec(list)?.[1] ?? '';
  expect((await testConsole.call('paid', { text: 'x' }, { key })).status).toBe(200);
  const [page, action] = [`/console/keys/${id}`, `/console/keys/${id}/revoke`];
  const form = readFormFields((await browser.get(page)).text, action);

  await testConsole.newAccount();
  const otherBrowser = await testConsole.signIn('customer-2@example.com', 'password 2 of a test');
  expect((await otherBrowser.get(page)).status).toBe(404);
  const { token = '' } = readFormFields((await otherBrowser.get('/console')).text, '/console/mode');
  for (const actionPath of ['revoke', 'rotate']) {
    expect((await otherBrowser.post(`/console/keys/${id}/${actionPath}`, { token })).status).toBe(
      404,
    );
  }

  const revokedPage = await browser.submit(page, action);
  expect(revokedPage.text).toContain('Revoked. Within a second every node refuses the key.');
  testConsole.clock.advance(1_000);
  expect((await testConsole.call('paid', { text: 'x' }, { key })).status).toBe(401);
  expect((await browser.post(action, form)).status).toBe(303);
  const pageAfter = await browser.get(page);
  expect(pageAfter.text).toContain('revoked');
  expect(pageAfter.text).not.toContain(`action="${action}"`);
});

test('lists live and test keys separately', async () => {
  const browser = await testConsole.signIn();
  await browser.submit(NEW, NEW, { name: 'A live one' });
  expect((await browser.get('/console/keys')).text).toContain('A live one');
  await browser.submit('/console', '/console/mode', { livemode: 'false' });
  expect((await browser.get('/console/keys')).text).not.toContain('A live one');
});

test('changes name and limits of a key within a second, and never shows the key', async () => {
  const browser = await testConsole.signIn();
  const keyFields = { name: 'Before', expires: '30' };
  const key = keyIn((await browser.submit(NEW, NEW, keyFields)).text);
  const list = (await browser.get('/console/keys')).text;
  const page = /href="(\/console\/keys\/key_\w+)">Before/.exec(list)?.[1] ?? '';
  const edit = `${page}/edit`;
  const staleForm = readFormFields((await browser.get(edit)).text, edit);
  expect(staleForm.expires).toBe('keep');
  const rejection = await browser.submit(edit, edit, { name: 'After', budget: 'much' });
  expect([rejection.status, rejection.text.includes('value="much"')]).toEqual([422, true]);
  const fields = { name: 'After', scope: ['ocr'], budget: '7.5', period: 'day' };
  const savedPage = await browser.submit(edit, edit, {
    ...fields,
    networks: '127.0.0.1\n10.0.0.0/8',
  });
  for (const text of ['<h1>After</h1>', 'Saved.', 'Image OCR', '¥7.5 a day', '10.0.0.0/8']) {
    expect(savedPage.text).toContain(text);
  }
  expect(savedPage.text).not.toContain(key);
  testConsole.clock.advance(1_000);
  const refusal = await testConsole.call('paid', { text: 'x' }, { key });
  expect([refusal.status, JSON.parse(refusal.text).code]).toEqual([403, 'key_not_allowed']);
  // The edit did not change the expiry of the key.
  testConsole.clock.advance(31 * DAY_MS);
  expect((await browser.get(edit)).status).toBe(303);
  const newBrowser = await testConsole.signIn();
  expect((await newBrowser.get(edit)).status).toBe(409);
});

test('a key for chat can forbid continuation, also after a rotation', async () => {
  const { accountId } = testConsole.keys;
  const input = { accountId, kind: 'ak', livemode: true, name: 'Streams' } as const;
  const { id } = await makeKey(testConsole.world, testConsole.db, input);
  const browser = await testConsole.signIn();
  const [page, edit] = [`/console/keys/${id}`, `/console/keys/${id}/edit`];
  expect((await browser.get(page)).text).not.toContain('Never continue broken streams');
  const savedPage = await browser.submit(edit, edit, { name: 'Streams', never_continues: 'yes' });
  expect(savedPage.text).toContain(
    '<dt>Broken chat streams</dt><dd>Never continue broken streams</dd>',
  );
  expect((await browser.get(edit)).text).toContain('name="never_continues" value="yes" checked');
  const rotatePath = `${page}/rotate`;
  await browser.submit(page, rotatePath, { overlap: '60' });
  const successor = /href="(\/console\/keys\/key_\w+)">key_/.exec(
    (await browser.get(page)).text,
  )?.[1];
  expect((await browser.get(successor ?? '')).text).toContain('Never continue broken streams');
  const newKeyPage = (await browser.get('/console/keys/new')).text;
  expect(newKeyPage).not.toContain('Never continue broken streams');
});

test('keeps the models of a key unless they are deselected', async () => {
  const { accountId } = testConsole.keys;
  const input = { accountId, kind: 'ak', livemode: true, name: 'Models' } as const;
  const scopes = ['chat', 'model:gpt-5*'];
  const { id } = await makeKey(testConsole.world, testConsole.db, { ...input, scopes });
  const browser = await testConsole.signIn();
  const edit = `/console/keys/${id}/edit`;
  const editPage = (await browser.get(edit)).text;
  const checkedModels = [...editPage.matchAll(/value="([^"]*)" checked/g)].map(
    ([, value]) => value ?? '',
  );
  expect(checkedModels).toEqual(scopes);
  const form = { ...readFormFields(editPage, edit), scope: checkedModels };
  expect((await browser.post(edit, { ...form, name: 'Renamed' })).status).toBe(303);
  expect(await findKey(testConsole.db, id)).toMatchObject({ name: 'Renamed', scopes });
  const formAfter = readFormFields((await browser.get(edit)).text, edit);
  await browser.post(edit, { ...formAfter, scope: ['chat'] });
  expect(await findKey(testConsole.db, id)).toMatchObject({ scopes: ['chat'] });
});

test('shows the change of the first tab to the second tab and keeps the typed text', async () => {
  const browser = await testConsole.signIn();
  await browser.submit(NEW, NEW, { name: 'Shared' });
  const list = (await browser.get('/console/keys')).text;
  const page = /href="(\/console\/keys\/key_\w+)">Shared/.exec(list)?.[1] ?? '';
  const edit = `${page}/edit`;
  const staleForm = readFormFields((await browser.get(edit)).text, edit);
  await browser.submit(edit, edit, { name: 'First', budget: '1' });
  // Validation errors come first and do not renew the version of an old form.
  const rejection = await browser.post(edit, { ...staleForm, name: '' });
  expect([rejection.status, readFormFields(rejection.text, edit).version]).toEqual([
    422,
    staleForm.version,
  ]);
  const staleSave = await browser.post(edit, { ...staleForm, name: 'Second' });
  expect(staleSave.status).toBe(409);
  expect(staleSave.text).toMatch(
    /<td data-label="[^"]*">First<\/td>\s*<td data-label="[^"]*">Second/,
  );
  expect(readFormFields(staleSave.text, edit)).toMatchObject({ name: 'Second', budget: '' });
  const retryForm = readFormFields(staleSave.text, edit);
  expect((await browser.post(edit, retryForm)).status).toBe(303);
  expect((await browser.get(page)).text).toContain('<h1>Second</h1>');

  const otherBrowser = await testConsole.signIn('customer-2@example.com', 'password 2 of a test');
  const { token = '' } = readFormFields((await otherBrowser.get('/console')).text, '/console/mode');
  expect((await otherBrowser.get(edit)).status).toBe(404);
  expect((await otherBrowser.post(edit, { ...retryForm, token })).status).toBe(404);
  await browser.submit(page, `${page}/rotate`, { overlap: '60' });
  expect((await browser.post(edit, readFormFields(staleSave.text, edit))).status).toBe(409);
});

test('limits the active keys of an account, also for creations at once', async () => {
  const limitedConsole = await openTestConsole({ limits: { keysPerAccount: 3 } });
  const { accountId } = await limitedConsole.newAccount();
  const signIn = () => limitedConsole.signIn('customer-2@example.com', 'password 2 of a test');
  let browser = await signIn();
  const activeKeys = async () =>
    (await listKeys(limitedConsole.db, accountId)).filter(
      (key) => key.livemode && !isEnded(key, limitedConsole.clock.now()),
    );
  const startCount = (await activeKeys()).length;
  const nextForm = async () => {
    const fields = readFormFields((await browser.get(NEW)).text, NEW);
    return { ...fields, name: 'One of many' };
  };
  const forms = [await nextForm(), await nextForm(), await nextForm(), await nextForm()];
  const pages = await Promise.all(forms.map((form) => browser.post(NEW, form)));
  const createdCount = pages.filter(({ text }) => keyIn(text) !== '').length;
  expect([startCount + createdCount, (await activeKeys()).length]).toEqual([3, 3]);
  const refusedPage = pages.find(({ status }) => status === 409);
  expect(refusedPage?.text).toContain('An account has at most 3 active live keys');
  expect(refusedPage?.text).toContain('Revoke a key that you no longer use');
  await browser.submit(NEW, '/console/mode', { livemode: 'false' });
  expect(keyIn((await browser.post(NEW, await nextForm())).text)).toMatch(/^sk-test-/);
  await browser.submit(NEW, '/console/mode', { livemode: 'true' });

  // Rotated keys work on, so rotations may double the number.
  for (const { id } of await activeKeys()) {
    const path = `/console/keys/${id}`;
    expect(keyIn((await browser.submit(path, `${path}/rotate`)).text)).not.toBe('');
  }
  const unrotated = (await activeKeys()).find(({ replacedBy }) => replacedBy === null);
  const path = `/console/keys/${unrotated?.id}`;
  const fullPage = await browser.submit(path, `${path}/rotate`);
  expect(fullPage.text).toContain('Together with rotated keys that still work, 6 keys are active.');
  limitedConsole.clock.advance(DAY_MS);
  browser = await signIn();
  for (const { id } of (await activeKeys()).slice(1)) {
    await browser.submit(`/console/keys/${id}`, `/console/keys/${id}/revoke`);
  }
  expect(keyIn((await browser.post(NEW, await nextForm())).text)).not.toBe('');
});

test('a key counts for an hour, so revoked keys give no further bursts', async () => {
  const { world, db } = testConsole;
  const { accountId } = await testConsole.newAccount();
  const input = { accountId, kind: 'sk', livemode: true, name: 'Short' } as const;
  const { id } = await makeKey(world, db, input, 3);
  await revokeKey(world, db, id);
  await expect(makeKey(world, db, input, 3)).rejects.toMatchObject({
    code: 'key_not_allowed',
    message: expect.stringContaining('a key counts for an hour at least'),
  });
  testConsole.clock.advance(HOUR_MS);
  await makeKey(world, db, input, 3);
});

test('an edit of a key and the erasure of its account do not wait for each other', async () => {
  const { db, clock } = testConsole;
  const { accountId } = await testConsole.newAccount();
  const { email = '' } = (await findAccount(db, accountId)) ?? {};
  const [number] = /\d+/.exec(email) ?? [];
  const browser = await testConsole.signIn(email, `password ${number} of a test`);
  const key = (await listKeys(db, accountId)).find(({ livemode }) => livemode);
  const path = `/console/keys/${key?.id}/edit`;
  const form = { ...readFormFields((await browser.get(path)).text, path), name: 'Late' };
  const statuses: number[] = [];
  await changeDuring(
    db,
    (tx) => findAccountRow(tx, accountId, { lock: true }),
    async () => statuses.push((await browser.post(path, form)).status),
    (tx) => eraseAccountData(tx, { id: accountId, now: clock.now(), callsSince: null }),
  );
  expect(statuses).toEqual([409]);
});
