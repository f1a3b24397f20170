// Operators set a cap on the free allowance of all accounts. It is exact under concurrency, equal
// on every node, and shown when it is reached.
import { expect, test } from 'vitest';
import { auditLedger } from '../../src/gateway/wallet/integrity/audit-ledger.ts';
import { DAY_MS } from '../../src/kernel/time/durations.ts';
import { readFormFields } from '../support/form-browser.ts';
import { json } from '../support/http-request.ts';
import { problemIn } from '../support/test-gateway.ts';
import { openTestAdmin } from './test-admin.ts';

const PATH = '/admin/prices/allowance';
const admin = await openTestAdmin();
const ada = await admin.signIn('Ada');

const makePaidCall = (key: string) => admin.call('paid', { text: 'x' }, { key });
const createAccounts = (count: number) =>
  Promise.all(Array.from({ length: count }, () => admin.newAccount()));

test('grants concurrent accounts exactly as many allowances as the cap permits', async () => {
  await ada.submit(PATH, PATH, { amount: '7' });
  const otherNode = await admin.openNode();
  const customers = await createAccounts(12);
  const statuses = await Promise.all(
    customers.map(async ({ sk }, index) => {
      if (index % 2 === 0) return (await makePaidCall(sk)).status;
      const response = await fetch(`${otherNode.origin}/api/v1/capabilities/paid`, {
        method: 'POST',
        headers: { authorization: `Bearer ${sk}`, 'content-type': 'application/json' },
        body: JSON.stringify({ text: 'x' }),
      });
      return response.status;
    }),
  );
  // Each allowance is 2 CNY, so three fit into the cap of 7 CNY, and a fourth does not.
  expect(statuses.filter((status) => status === 200)).toHaveLength(3);
  expect(statuses.filter((status) => status === 402)).toHaveLength(9);
  expect((await auditLedger(admin.world, admin.db, 'full')).isIntact).toBe(true);
  expect((await ada.get('/admin/prices')).text).toContain('¥6.00');
  expect((await ada.get('/admin')).text).toContain('is reached: no account gets an allowance');
  await otherNode.close();
});

test('a 402 states that no allowance was available, and the account shows none', async () => {
  const { sk, skTest, accountId } = await admin.newAccount();
  expect(problemIn(await makePaidCall(sk))).toMatchObject({
    status: 402,
    detail:
      'The wallet does not cover this call, and the free allowance that this installation gives ' +
      'to all accounts together is used up for today. Nothing was charged, and nothing was run.',
    required: '0.036',
    available: '0',
  });
  expect(json(await admin.readPath('/api/v1/account', sk))).toMatchObject({
    free_quota: { amount: '0', remaining: '0' },
  });
  // Test mode has its own limit.
  expect((await makePaidCall(skTest)).status).toBe(200);
  // Other balances are not affected.
  const creditPath = `/admin/accounts/${accountId}/credit`;
  await ada.submit(creditPath, creditPath, { amount: '1', reason: 'to go on' });
  expect(json(await makePaidCall(sk))).toMatchObject({
    charge: { free_quota: '0', cash: '0.036' },
  });
});

test('grants the allowance on the next day within the cap of that day', async () => {
  const { sk } = await admin.newAccount();
  expect((await makePaidCall(sk)).status).toBe(402);
  admin.clock.advance(DAY_MS);
  expect(json(await makePaidCall(sk))).toMatchObject({ charge: { free_quota: '0.036' } });
});

test('a cap set during a day also counts the allowances granted earlier that day', async () => {
  admin.clock.advance(DAY_MS);
  const operator = await admin.signIn('Ada');
  await operator.submit(PATH, PATH, { amount: '' });
  const earlyAccounts = await createAccounts(4);
  for (const { sk } of earlyAccounts) expect((await makePaidCall(sk)).status).toBe(200);
  await operator.submit(PATH, PATH, { amount: '9' });
  const [lateAccount] = await createAccounts(1);
  expect((await makePaidCall(lateAccount?.sk ?? '')).status).toBe(402);
  await operator.submit(PATH, PATH, { amount: '10' });
  const [lastAccount, accountWithoutAllowance] = await createAccounts(2);
  expect((await makePaidCall(lastAccount?.sk ?? '')).status).toBe(200);
  expect((await makePaidCall(accountWithoutAllowance?.sk ?? '')).status).toBe(402);
});

test('shows the current cap to the second of two concurrent editors', async () => {
  const bo = await admin.signIn('Bo');
  const carol = await admin.signIn('Carol');
  const staleForm = readFormFields((await bo.get(PATH)).text, PATH);
  await carol.submit(PATH, PATH, { amount: '20' });
  const response = await bo.post(PATH, { ...staleForm, amount: '30' });
  expect(response.status).toBe(409);
  expect(response.text).toContain('Carol saved a change first.');
  expect(response.text).toMatch(/>¥20\.00<\/td>\s*<td data-label="[^"]+">¥30\.00<\/td>/);
});
