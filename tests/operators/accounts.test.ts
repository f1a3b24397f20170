// Operators search, credit, refund, limit and suspend accounts. Each action has a row in the audit
// log.
import { describe, expect, test } from 'vitest';
import { auditKinds } from '../../src/gateway/admin/audit-kinds.ts';
import { rotateKey } from '../../src/gateway/keys/change-keys.ts';
import { auditLedger } from '../../src/gateway/wallet/integrity/audit-ledger.ts';
import { listAuditLines } from '../../src/operators/audit-log.ts';
import { readFormFields } from '../support/form-browser.ts';
import { json } from '../support/http-request.ts';
import { openTestAdmin } from './test-admin.ts';

const admin = await openTestAdmin();
const ada = await admin.signIn('Ada');
const bo = await admin.signIn('Bo');

async function readLastRecord() {
  const filter = { kinds: auditKinds, subject: null, limit: 1, skip: 0 };
  const [line] = await listAuditLines(admin.db, filter);
  const {
    id: _id,
    at: _at,
    operatorId: _operatorId,
    address: _address,
    ...record
  } = line ?? {
    id: '',
    at: 0,
    operatorId: null,
    address: null,
  };
  return record;
}

const readAccount = async (key: string) =>
  json(await admin.readPath('/api/v1/account', key)) as {
    balance: { cash: string; vouchers: string };
    vouchers: object[];
    limits: object;
  };

describe('a search for accounts', () => {
  test('matches a part of the address or id, in capitals or small letters', async () => {
    const { accountId } = await admin.newAccount();
    const searchAccounts = async (q: string) => (await ada.get(`/admin/accounts?q=${q}`)).text;
    const link = `href="/admin/accounts/${accountId}"`;
    expect(await searchAccounts(accountId.toUpperCase())).toContain(link);
    expect(await searchAccounts('CUSTOMER-2%40')).toContain(link);
    expect(await searchAccounts('nobody%25_')).toContain('No account matches.');
  });

  test('finds addresses, but a page with an address in place of an id does not exist', async () => {
    const { status } = await ada.get('/admin/accounts/customer-1@example.com');
    expect(status).toBe(404);
  });
});

describe('an operator’s transfer', () => {
  test('appears in the audit log in words, without internal ids', async () => {
    const { accountId } = await admin.newAccount();
    const path = `/admin/accounts/${accountId}/credit`;
    await ada.submit(path, path, { amount: '3', reason: 'a prize' });
    const auditPage = await ada.get('/admin/audit');
    expect(auditPage.text).toContain('<span class="label">amount</span> <ins>¥3.00</ins>');
    expect(auditPage.text).toMatch(
      new RegExp(`href="/admin/accounts/${accountId}">customer-\\d+@example\\.com</a>`),
    );
    expect(auditPage.text).not.toContain('desk:');
  });

  test('is credited once, however often the form is sent, and audited', async () => {
    const { accountId, sk } = await admin.newAccount();
    const path = `/admin/accounts/${accountId}/credit`;
    const formFields: Record<string, string> = readFormFields((await ada.get(path)).text, path);
    const form = { ...formFields, amount: '12.5', reason: 'a gift' };
    const responses = await Promise.all([ada.post(path, form), ada.post(path, form)]);
    expect(responses.map(({ status }) => status)).toEqual([303, 303]);
    expect((await readAccount(sk)).balance.cash).toBe('12.5');
    expect(await readLastRecord()).toEqual({
      actor: 'Ada',
      action: 'credit',
      kind: 'account',
      subject: accountId,
      before: {},
      after: { amount: '¥12.50', mode: 'live', reference: `desk:${formFields.once}` },
      note: 'a gift',
    });
  });

  test('debits at most the cash, and keeps the typed text', async () => {
    const { accountId, sk } = await admin.newAccount();
    const path = `/admin/accounts/${accountId}/credit`;
    await ada.submit(path, path, { amount: '3', reason: 'first' });
    const refusal = await ada.submit(path, path, { amount: '-3.01', reason: 'too much' });
    expect(refusal.status).toBe(422);
    expect(refusal.text).toContain('The account has less cash than this amount.');
    expect(readFormFields(refusal.text, path)).toMatchObject({
      amount: '-3.01',
      reason: 'too much',
    });
    const hugeCredit = await ada.submit(path, path, { amount: '92233720368', reason: 'typo' });
    expect(hugeCredit.status).toBe(422);
    expect(hugeCredit.text).toContain('An amount in CNY of at most 10,000,000, such as 12.50.');
    await ada.submit(path, path, { amount: '−3', reason: 'all of it' });
    expect((await readAccount(sk)).balance.cash).toBe('0');
  });

  test.each([
    ['credit', { mode: 'TEST' }],
    ['credit', { mode: '' }],
    ['credit', { kind: '' }],
    ['voucher', { mode: 'TEST' }],
  ])('by a %s form with %j is refused', async (form, choice) => {
    const { accountId, sk } = await admin.newAccount();
    const path = `/admin/accounts/${accountId}/${form}`;
    const input = { amount: '3', name: 'Sorry', days: '7', reason: 'a gift', ...choice };
    const refusal = await ada.submit(path, path, input);
    expect(refusal.status).toBe(422);
    expect(refusal.text).toContain('This form is not from a page of this installation.');
    expect((await readAccount(sk)).balance).toMatchObject({ cash: '0', vouchers: '0' });
  });

  test('of a payment requires a reference, which counts once', async () => {
    const { accountId, sk } = await admin.newAccount();
    const path = `/admin/accounts/${accountId}/credit`;
    const payment = { amount: '50', reason: 'bank', kind: 'paid' };
    const pageWithoutReference = await ada.submit(path, path, payment);
    expect([
      pageWithoutReference.status,
      pageWithoutReference.text.includes('needs its reference'),
    ]).toEqual([422, true]);
    const reference = 'bank 2026-08-22 1';
    await ada.submit(path, path, { ...payment, reference });
    const repeatedReferencePage = await bo.submit(path, path, { ...payment, reference });
    expect(repeatedReferencePage.status).toBe(422);
    expect(repeatedReferencePage.text).toContain('This reference was already used, with ¥50.00.');
    expect((await readAccount(sk)).balance.cash).toBe('50');
  });

  test('can be a voucher', async () => {
    const { accountId, sk } = await admin.newAccount();
    const path = `/admin/accounts/${accountId}/voucher`;
    const input = { amount: '10', name: 'Sorry', days: '7', reason: 'an outage' };
    await ada.submit(path, path, input);
    expect((await readAccount(sk)).vouchers).toMatchObject([{ name: 'Sorry', amount: '10' }]);
  });

  test.each([
    ['voucher codes', '/admin/vouchers', { name: 'Fair', amount: '5', count: '2' }, 1],
    ['invitations', '/admin/invitations', { count: '2', note: 'Fair' }, 2],
  ])(
    'of %s is made once when the form is sent several times at once',
    async (_what, path, input, rows) => {
      const form = `${path}/make`;
      const formInput = { ...readFormFields((await ada.get(form)).text, form), ...input };
      const responses = await Promise.all([1, 2, 3].map(() => ada.post(form, formInput)));
      expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 303, 303]);
      const { text } = await ada.get(path);
      expect(text.match(/>\s*Fair/g)).toHaveLength(rows);
    },
  );

  test.each([
    ['voucher codes', '/admin/vouchers', { name: 'Fete', amount: '5', count: '2' }],
    ['invitations', '/admin/invitations', { count: '2', note: 'Fete' }],
  ])('of %s needs the id of its form', async (_what, path, input) => {
    const form = `${path}/make`;
    for (const once of ['', 'x y']) {
      const refusal = await ada.submit(form, form, { ...input, once });
      expect(refusal.status).toBe(422);
      expect(refusal.text).toContain('This form is not from a page of this installation.');
    }
    expect((await ada.get(path)).text).not.toContain('Fete');
  });

  test('refunds a call in parts, at most its charge', async () => {
    const { accountId, sk } = await admin.newAccount();
    const { request_id: id } = json(await admin.call('paid', { text: 'x' }, { key: sk }));
    const path = `/admin/accounts/${accountId}/calls/${id}/refund`;
    const refusal = await ada.submit(path, path, { amount: '0.04', reason: 'broken' });
    expect([refusal.status, refusal.text.includes('at most ¥0.036')]).toEqual([422, true]);
    const partialRefund = { amount: '0.016', reason: 'half of it was wrong' };
    expect((await bo.submit(path, path, partialRefund)).text).toContain(
      '¥0.00 as cash, ¥0.016 as a voucher',
    );
    const formInput = { ...readFormFields((await ada.get(path)).text, path) };
    expect(formInput.amount).toBe('¥0.02');
    const input = { ...formInput, reason: 'the post was another one' };
    const responses = await Promise.all([1, 2].map(() => ada.post(path, input)));
    expect(responses.map(({ status }) => status)).toEqual([303, 303]);
    // The allowance paid the call, so a voucher refunds it.
    const { balance, vouchers } = await readAccount(sk);
    expect([balance.cash, balance.vouchers, vouchers.length]).toEqual(['0', '0.036', 2]);
    expect((await ada.submit(path, path, { amount: '0.01', reason: 'more' })).status).toBe(422);
    expect(await readLastRecord()).toEqual({
      actor: 'Ada',
      action: 'refund',
      kind: 'call',
      subject: id,
      before: {},
      after: { account: accountId, amount: '¥0.02' },
      note: 'the post was another one',
    });
    expect((await auditLedger(admin.world, admin.db, 'full')).isIntact).toBe(true);
  });

  test('is not created when an account is only displayed', async () => {
    const { accountId } = await admin.newAccount();
    const { text } = await ada.get(`/admin/accounts/${accountId}`);
    expect(text).toContain('¥0.00 of ¥0.00');
    const { text: textAfter } = await ada.get(`/admin/accounts/${accountId}`);
    expect(textAfter).toContain('No transactions in this mode yet.');
  });
});

describe('limits', () => {
  test('of an account apply on every node within a second', async () => {
    const { accountId, sk } = await admin.newAccount();
    const otherNode = await admin.openNode();
    const path = `/admin/accounts/${accountId}/limits`;
    await admin.readPath('/api/v1/account', sk);
    const limits = { callsPerDay: '2', callsPerMonth: '9', perSecond: '1', burst: '3' };
    const savedPage = await ada.submit(path, path, limits);
    expect(savedPage.status).toBe(200);
    admin.clock.advance(1_000);
    const accountResponse = await admin.readPath('/api/v1/account', sk);
    expect((json(accountResponse) as { limits: object }).limits).toMatchObject({
      rate: { q: 1, w: 1 },
      quotas: { day: { limit: 2 }, month: { limit: 9 } },
    });
    expect(accountResponse.headers['ratelimit-policy']).toBe(
      '"key";q=1;w=1, "burst";q=3;w=3, "day";q=2;w=86400, "month";q=9;w=2678400',
    );
    for (const text of ['a', 'b']) await admin.call('free', { text }, { key: sk });
    admin.clock.advance(10_000);
    const thirdResponse = await fetch(`${otherNode.origin}/api/v1/capabilities/free`, {
      method: 'POST',
      headers: { authorization: `Bearer ${sk}`, 'content-type': 'application/json' },
      body: JSON.stringify({ text: 'c' }),
    });
    expect([thirdResponse.status, ((await thirdResponse.json()) as { code: string }).code]).toEqual(
      [...[429, 'quota_exceeded']],
    );
    await otherNode.close();
  });

  test('of a key precede those of its account', async () => {
    const { accountId } = await admin.newAccount();
    const { id, text } = await admin.newKey({ accountId, name: 'Nightly' });
    const path = `/admin/accounts/${accountId}/keys/${id}`;
    const incompleteRatePage = await ada.submit(path, path, { perSecond: '2', burst: '' });
    expect([
      incompleteRatePage.status,
      incompleteRatePage.text.includes('Fill in both fields of the rate, or neither.'),
    ]).toEqual([422, true]);
    await ada.submit(path, path, { perSecond: '2', burst: '2' });
    const responses = await Promise.all(
      [1, 2, 3].map(() => admin.readPath('/api/v1/account', text)),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 200, 429]);
    expect(await readLastRecord()).toMatchObject({ action: 'key_rate', note: id });
  });

  test('of a key apply to its successor', async () => {
    const { accountId } = await admin.newAccount();
    const { id } = await admin.newKey({ accountId, name: 'Nightly' });
    const path = `/admin/accounts/${accountId}/keys/${id}`;
    await ada.submit(path, path, { perSecond: '2', burst: '4' });
    const rotation = await rotateKey(admin.world, admin.db, { id, overlapMs: 0 });
    if (rotation.kind !== 'rotated') throw new Error(rotation.kind);
    const { headers } = await admin.readPath('/api/v1/account', rotation.key.text);
    expect(headers['ratelimit-policy']).toContain('"key";q=2;w=1, "burst";q=4;w=2');
  });

  test('that another operator changed are shown, and typed text is kept', async () => {
    const { accountId } = await admin.newAccount();
    const path = `/admin/accounts/${accountId}/limits`;
    const staleForm = readFormFields((await ada.get(path)).text, path);
    await bo.submit(path, path, { callsPerDay: '500' });
    const response = await ada.post(path, { ...staleForm, callsPerDay: '700' });
    expect(response.status).toBe(409);
    expect(response.text).toContain('Bo saved a change first.');
    expect(response.text).toMatch(/>500<\/td>\s*<td data-label="[^"]+">700<\/td>/);
    const secondForm = readFormFields(response.text, path);
    expect(secondForm.callsPerDay).toBe('700');
    expect((await ada.post(path, secondForm)).status).toBe(303);
    expect(await readLastRecord()).toMatchObject({
      actor: 'Ada',
      action: 'limits',
      subject: accountId,
      before: { callsPerDay: '500' },
      after: { callsPerDay: '700' },
    });
  });

  test.each(['null', '', '{'])(
    'are not saved when the form has %j as the limits that it showed',
    async (seen) => {
      const { accountId } = await admin.newAccount();
      const path = `/admin/accounts/${accountId}/limits`;
      const conflict = await ada.submit(path, path, { callsPerDay: '700', seen });
      expect(conflict.status).toBe(409);
      const { seen: current } = readFormFields(conflict.text, path);
      expect(current).toBe('{"callsPerDay":null,"callsPerMonth":null,"rate":null}');
    },
  );

  test('are whole numbers in range', async () => {
    const { accountId } = await admin.newAccount();
    const path = `/admin/accounts/${accountId}/limits`;
    const refusal = await ada.submit(path, path, {
      callsPerDay: '1.5',
      perSecond: '0',
      burst: '1',
    });
    expect(refusal.status).toBe(422);
    expect(refusal.text).toContain('A whole number from 0 to 1,000,000,000.');
    expect(refusal.text).toContain('A whole number from 1 to 10,000.');
  });
});

test('a suspended account gets 403 on every node within a second, until it resumes', async () => {
  const { accountId, sk } = await admin.newAccount();
  const otherNode = await admin.openNode();
  const statusOn = async (origin: string) =>
    (await fetch(`${origin}/api/v1/account`, { headers: { authorization: `Bearer ${sk}` } }))
      .status;
  expect(await Promise.all([admin.origin, otherNode.origin].map(statusOn))).toEqual([200, 200]);
  const pathOf = (action: string) => `/admin/accounts/${accountId}/${action}`;
  const pageWithoutReason = await ada.submit(pathOf('suspend'), pathOf('suspend'));
  expect([pageWithoutReason.status, pageWithoutReason.text.includes('a short reason')]).toEqual([
    422,
    true,
  ]);
  await ada.submit(pathOf('suspend'), pathOf('suspend'), { reason: 'abuse' });
  admin.clock.advance(1_000);
  expect(await Promise.all([admin.origin, otherNode.origin].map(statusOn))).toEqual([403, 403]);
  expect(await readLastRecord()).toEqual({
    actor: 'Ada',
    action: 'suspend',
    kind: 'account',
    subject: accountId,
    note: 'abuse',
    before: { status: 'active' },
    after: { status: 'suspended' },
  });
  await bo.submit(pathOf('resume'), pathOf('resume'), { reason: 'a mistake' });
  admin.clock.advance(1_000);
  expect(await Promise.all([admin.origin, otherNode.origin].map(statusOn))).toEqual([200, 200]);
  await otherNode.close();
});
