// Operators search top-ups, read descriptions of their problems, sync them with the provider, waive
// debts and close top-ups. Each action has a row in the audit log, and fails after a concurrent
// change.
import { afterAll, expect, test } from 'vitest';
import {
  checkoutKey,
  checkoutSecret,
  openCheckoutServer,
} from '../../demo/upstream/checkout/open-checkout-server.ts';
import { creditAccount } from '../../src/gateway/wallet/credits/post-transfer.ts';
import { openTopUps } from '../../src/gateway/wallet/top-ups/open-top-ups.ts';
import { topUpsSchema } from '../../src/gateway/wallet/top-ups/top-ups-config.ts';
import { listAuditLines } from '../../src/operators/audit-log.ts';
import { readFormFields } from '../support/form-browser.ts';
import { openTestAdmin } from './test-admin.ts';

const CNY = 100_000_000n;
let origin = '';
const checkout = await openCheckoutServer({
  webhookUrl: () => `${origin}/webhooks/stripe`,
  clock: { now: () => admin?.clock.now() ?? 0, sleep: async () => {} },
  retryMs: 0,
  slowMs: 0,
});
afterAll(() => checkout.close());
const config = {
  checkout: { url: checkout.url, key: checkoutKey, webhookSecrets: [checkoutSecret] },
};
const admin: Awaited<ReturnType<typeof openTestAdmin>> = await openTestAdmin({ topUps: config });
origin = admin.origin;
const topUps = await openTopUps(admin.world, admin.db, {
  siteUrl: () => 'http://gateway.example',
  siteName: 'Content Radar',
  config: topUpsSchema.parse(config),
});
const operator = await admin.signIn('Ada');
const otherOperator = await admin.signIn('Bo');

async function beginTopUp() {
  const { accountId } = await admin.newAccount();
  const input = { accountId, amount: 100n * CNY, email: null, language: 'en' } as const;
  const { id, sessionId } = await topUps.begin(input);
  return { accountId, id, session: sessionId ?? '', path: `/admin/top-ups/${id}` };
}

async function payTopUp(spent = 0n) {
  const topUp = await beginTopUp();
  await checkout.performAction(topUp.session, 'pay');
  const wallet = { accountId: topUp.accountId, livemode: true, reference: null };
  const debit = { ...wallet, amount: -spent * CNY, reason: 'spent', actor: 'test' };
  if (spent > 0n) await creditAccount(admin.world, admin.db, debit);
  return topUp;
}

const readRecords = async (subject: string) =>
  (await listAuditLines(admin.db, { kinds: ['top_up'], subject, limit: 9, skip: 0 })).map(
    ({ actor, action, before, after, note }) => ({
      actor,
      action,
      before,
      after,
      note,
    }),
  );

test('lists no task while payments match their requests', async () => {
  const { id, accountId } = await payTopUp();
  const taskList = await operator.get('/admin/top-ups');
  expect(taskList.text).toContain('No payment needs an operator.');
  for (const query of [id, accountId.toUpperCase(), 'Customer-', 'CS_TEST']) {
    const { text } = await operator.get(
      `/admin/top-ups?show=credited&q=${encodeURIComponent(query)}`,
    );
    expect(text).toContain(`href="/admin/top-ups/${id}"`);
  }
  expect((await operator.get('/admin/top-ups?q=100%25')).text).toContain('No top-up matches.');
  expect((await operator.get('/admin/top-ups?show=troubled')).text).toContain(
    'No top-up needs an operator.',
  );
});

test('describes a spent payment in dispute, and its debt can be waived', async () => {
  const { id, session, path, accountId } = await payTopUp(60n);
  await checkout.performBankAction(session, 'dispute');
  const taskList = (await operator.get('/admin/top-ups?show=troubled')).text;
  expect(taskList).toContain('One needs an operator. ¥60.00 is owed.');
  expect((await operator.get('/admin')).text).toContain('A top-up needs an operator.');
  const page = (await operator.get(path)).text;
  expect(page).toContain('The customer’s bank disputes ¥100.00. ');
  expect(page).toContain('Answer the dispute at the provider, by ');
  expect(page).toContain('¥60.00 of the reclaimed amount were already spent.');
  expect((await operator.get(`/admin/accounts/${accountId}`)).text).toMatch(
    /Debt from reclaimed payments<\/th><td class="number">¥60\.00/,
  );
  const actionPath = `${path}/settle`;
  const pageWithoutReason = await operator.submit(actionPath, actionPath, { reason: ' ' });
  expect([pageWithoutReason.status, pageWithoutReason.text.includes('href="#f-reason"')]).toEqual([
    422,
    true,
  ]);
  expect(
    (await operator.submit(actionPath, actionPath, { reason: 'a good customer' })).text,
  ).toContain('Forgiven:');
  const debtBefore = { state: 'credited', refunded: '¥0.00', disputed: '¥100.00' };
  expect(await readRecords(id)).toEqual([
    {
      actor: 'Ada',
      action: 'forgive',
      note: 'a good customer',
      before: { ...debtBefore, forgiven: '¥0.00', owed: '¥60.00' },
      after: { ...debtBefore, forgiven: '¥60.00', owed: '¥0.00' },
    },
  ]);
  // A waived debt does not return; only money that was really reclaimed returns.
  await checkout.performBankAction(session, 'won');
  expect(await topUps.find(id, accountId)).toMatchObject({
    forgiven: 0n,
    unreclaimed: 0n,
    disputed: 0n,
  });
});

test('shows each refund, including failed refunds', async () => {
  const { path, session, accountId } = await payTopUp();
  await checkout.refund(session, 3_000);
  await checkout.refund(session, 2_000);
  await checkout.failRefund(session);
  const page = (await operator.get(path)).text;
  expect(page.match(/<code>re_\w{24}<\/code>/g)).toHaveLength(2);
  expect(page).toContain('refunded');
  expect(page).toMatch(
    /failed: the money is in the wallet again<\/span><span class="meta below">the card has expired/,
  );
  expect(page).toMatch(/Refunded at the provider<\/dt><dd>¥30\.00/);
  const accountPage = (await operator.get(`/admin/accounts/${accountId}`)).text;
  expect(accountPage).toContain('Returned: the refund failed');
});

test('shows a debt that changed while the form was open, and waives nothing', async () => {
  const { id, path, session, accountId } = await payTopUp(90n);
  await checkout.refund(session, 10_000);
  const actionPath = `${path}/settle`;
  const formBefore: Record<string, string> = readFormFields(
    (await operator.get(actionPath)).text,
    actionPath,
  );
  const goodwillCredit = {
    accountId,
    livemode: true,
    reference: null,
    reason: 'gift',
    actor: 'test',
  };
  await creditAccount(admin.world, admin.db, { ...goodwillCredit, amount: 20n * CNY });
  const staleSave = await operator.post(actionPath, { ...formBefore, reason: 'too late' });
  expect(staleSave.status).toBe(409);
  expect(staleSave.text).toContain('¥70.00');
  expect(readFormFields(staleSave.text, actionPath)).toMatchObject({
    reason: 'too late',
    seen: String(70n * CNY),
  });
  expect(await readRecords(id)).toEqual([]);
  // Both operators open the form before they send it.
  const forms = [
    readFormFields((await otherOperator.get(actionPath)).text, actionPath),
    readFormFields((await operator.get(actionPath)).text, actionPath),
  ];
  await Promise.all([
    otherOperator.post(actionPath, { ...forms[0], reason: 'one' }),
    operator.post(actionPath, { ...forms[1], reason: 'two' }),
  ]);
  expect((await readRecords(id)).length).toBe(1);
});

test('shows why a payment was refused, closes it once, and never credits it', async () => {
  const { id, path, session, accountId } = await beginTopUp();
  Object.assign(checkout.sessions.get(session) ?? {}, { amount: 1 });
  await checkout.performAction(session, 'pay');
  expect((await operator.get(path)).text).toContain(
    'The payment differs from the request: it is for 0.01 CNY.',
  );
  await operator.submit(`${path}/settle`, `${path}/settle`, { reason: 'given back by hand' });
  Object.assign(checkout.sessions.get(session) ?? {}, { amount: 10_000 });
  expect((await operator.submit(path, `${path}/look`, {})).text).toContain(
    'Synced with the provider.',
  );
  expect(await topUps.find(id, accountId)).toMatchObject({ state: 'closed', creditedAt: null });
  expect((await readRecords(id)).map(({ action }) => action)).toEqual(['look', 'close']);
});

test('synchronizes with the provider on an operator’s request', async () => {
  const { id, path, session } = await beginTopUp();
  await checkout.performAction(session, 'pay', 'silent');
  expect((await operator.submit(path, `${path}/look`, {})).text).toContain(
    'Synced with the provider.',
  );
  expect(await readRecords(id)).toMatchObject([
    { actor: 'Ada', action: 'look', before: { state: 'open' }, after: { state: 'credited' } },
  ]);
  checkout.setFault('broken');
  expect((await operator.submit(path, `${path}/look`, {})).status).toBe(503);
  checkout.setFault(null);
});
