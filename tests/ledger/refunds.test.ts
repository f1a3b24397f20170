// Partial refunds of calls, with random amounts, order and repetition. A refund splits into cash
// and a voucher.
import { afterEach, describe, expect, test } from 'vitest';
import {
  creditAccount,
  issueVoucher,
  topUp,
} from '../../src/gateway/wallet/credits/post-transfer.ts';
import { findRefunds, refundCall } from '../../src/gateway/wallet/credits/refund-call.ts';
import { readAccountMoney } from '../../src/gateway/wallet/history/read-account.ts';
import { seededRandom } from '../../src/kernel/crypto/random.ts';
import { DAY_MS } from '../../src/kernel/time/durations.ts';
import { proofSeed } from '../support/proof-size.ts';
import { openTestDatabase } from '../support/test-database.ts';
import { testWorld } from '../support/test-world.ts';
import { expectAuditsPass, openTestWallet } from './test-wallet.ts';
import { authorizeRequestFor, CNY, captureRequestOf, PRICE } from './wallet-values.ts';

const { world, clock } = testWorld();
const { db } = await openTestDatabase();
const wallet = await openTestWallet(world, db);
const record = { reason: 'test', actor: 'test' };

/** Makes a call of `units` by an account that has these funds and the allowance of the day. */
async function makeCall(units: number, funds: { voucher: bigint; cash: bigint }) {
  const accountId = `acct_${world.ids.next()}`;
  const owner = { accountId, livemode: true };
  if (funds.voucher > 0n) {
    const expiresAt = clock.now() + DAY_MS;
    const voucher = { ...owner, ...record, amount: funds.voucher, name: 'V', expiresAt };
    await issueVoucher(world, db, { ...voucher, reference: null });
  }
  if (funds.cash > 0n) {
    await topUp(world, db, { ...owner, ...record, amount: funds.cash, reference: 'pay' });
  }
  const authorizeRequest = authorizeRequestFor(world, units, { accountId });
  expect(await wallet.authorize(authorizeRequest)).toMatchObject({ kind: 'authorized' });
  await wallet.capture(captureRequestOf(authorizeRequest.requestId, units));
  return { ...owner, requestId: authorizeRequest.requestId };
}

const balanceOf = async (owner: { accountId: string; livemode: boolean }) =>
  (await readAccountMoney(world, db, owner)).balance;

describe('a refund of a call', () => {
  test('in two parts credits the part paid in cash first, and then a voucher', async () => {
    // The charge of 3.6 CNY consists of 2 from the allowance and 1.6 from cash.
    const call = await makeCall(100, { voucher: 0n, cash: 2n * CNY });
    const refundInput = { ...call, ...record };
    const firstRefund = await refundCall(world, db, {
      ...refundInput,
      amount: CNY,
      reference: null,
    });
    expect(firstRefund).toMatchObject({
      kind: 'posted',
      cash: CNY,
      voucher: 0n,
      refundable: 260_000_000n,
    });
    const repeatedRefund = await refundCall(world, db, {
      ...refundInput,
      amount: CNY,
      reference: null,
    });
    expect(repeatedRefund).toMatchObject({ kind: 'known', amount: CNY, refundable: 260_000_000n });
    const finalRefund = await refundCall(world, db, {
      ...refundInput,
      amount: 260_000_000n,
      reference: 'rest',
    });
    expect(finalRefund).toMatchObject({ cash: 60_000_000n, voucher: 2n * CNY, refundable: 0n });
    await expect(
      refundCall(world, db, { ...refundInput, amount: 1n, reference: 'x' }),
    ).rejects.toThrow('Nothing of');
    const { cash, vouchers } = await balanceOf(call);
    expect([cash, vouchers]).toEqual([2n * CNY, 2n * CNY]);
    expect((await findRefunds(db, call, [call.requestId])).get(call.requestId)).toMatchObject([
      { cash: CNY, voucher: 0n },
      { cash: 60_000_000n, voucher: 2n * CNY },
    ]);
  });

  test('of an allowance charge credits no cash', async () => {
    const call = await makeCall(1, { voucher: 0n, cash: 5n * CNY });
    await refundCall(world, db, { ...call, ...record, amount: PRICE, reference: null });
    const { cash, vouchers } = await balanceOf(call);
    expect([cash, vouchers]).toEqual([5n * CNY, PRICE]);
  });

  test('above the charge or of an unknown call is refused', async () => {
    const call = await makeCall(1, { voucher: 0n, cash: 0n });
    const input = { ...call, ...record, reference: null };
    const tooLargeRefund = refundCall(world, db, { ...input, amount: CNY });
    await expect(tooLargeRefund).rejects.toThrow(
      `At most 0.036 CNY of ${call.requestId} can still`,
    );
    const unknownCall = refundCall(world, db, { ...input, requestId: 'req_x', amount: 1n });
    await expect(unknownCall).rejects.toMatchObject({ code: 'not_found' });
    const foreignCall = refundCall(world, db, { ...input, accountId: 'acct_other', amount: 1n });
    await expect(foreignCall).rejects.toMatchObject({ code: 'not_found' });
  });

  test('is posted once for each reference; refunds never exceed the charge', async () => {
    const call = await makeCall(100, { voucher: CNY, cash: CNY });
    const input = { ...call, ...record, amount: 2n * CNY };
    const parallelRefunds = ['a', 'a', 'a', 'b', 'b'].map((reference) =>
      refundCall(world, db, { ...input, reference }).then(
        ({ kind }) => kind,
        () => 'refused',
      ),
    );
    const kinds = await Promise.all(parallelRefunds);
    expect(kinds.filter((kind) => kind === 'posted')).toHaveLength(1);
    const refunds = (await findRefunds(db, call, [call.requestId])).get(call.requestId);
    expect(refunds).toMatchObject([{ cash: 60_000_000n, voucher: 140_000_000n }]);
  });
});

const seed = proofSeed();

test(`refunds credit the cash part of a charge first, then vouchers (seed ${seed})`, async () => {
  const random = seededRandom(seed);
  const randomBelow = (maxUnits: number) => Math.floor(random.next() * maxUnits);
  for (let round = 0; round < 25; round += 1) {
    const voucher = BigInt(randomBelow(3)) * CNY;
    const cash = BigInt(randomBelow(400)) * 1_000_000n + 1n;
    const maxUnits = Number((2n * CNY + voucher + cash) / PRICE);
    const units = 1 + randomBelow(maxUnits);
    const call = await makeCall(units, { voucher, cash });
    const chargedAmount = BigInt(units) * PRICE;
    const promotionalShare = 2n * CNY + voucher;
    const cashShare = chargedAmount > promotionalShare ? chargedAmount - promotionalShare : 0n;
    let remaining = chargedAmount;
    for (let part = 0; part < 6; part += 1) {
      const amount = BigInt(1 + randomBelow(Number(chargedAmount)));
      const request = { ...call, ...record, amount, reference: String(randomBelow(4)) };
      const outcome = await refundCall(world, db, request).catch(() => null);
      if (outcome?.kind === 'posted') remaining -= amount;
      if (outcome !== null) expect(outcome.refundable).toBe(remaining);
      else expect(amount).toBeGreaterThan(remaining);
    }
    const refunds = (await findRefunds(db, call, [call.requestId])).get(call.requestId) ?? [];
    const cashBack = refunds.reduce((sum, refund) => sum + refund.cash, 0n);
    const voucherBack = refunds.reduce((sum, refund) => sum + refund.voucher, 0n);
    expect(cashBack + voucherBack).toBe(chargedAmount - remaining);
    expect(cashBack).toBe(
      chargedAmount - remaining < cashShare ? chargedAmount - remaining : cashShare,
    );
    expect((await balanceOf(call)).cash).toBe(cash - cashShare + cashBack);
  }
});

test('a refund’s voucher cannot be debited as cash', async () => {
  const call = await makeCall(1, { voucher: 0n, cash: 0n });
  await refundCall(world, db, { ...call, ...record, amount: PRICE, reference: null });
  const debit = { ...call, ...record, amount: -PRICE, reference: null };
  expect(await creditAccount(world, db, debit)).toEqual({ kind: 'insufficient' });
});

afterEach(() => expectAuditsPass(world, db));
