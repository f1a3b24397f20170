// The ledger and a model execute the same random histories. After every step the ledger has the
// model's result and state. At the end every invariant holds.
import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { issueVoucher, topUp } from '../../src/gateway/wallet/credits/post-transfer.ts';
import { readAccountMoney } from '../../src/gateway/wallet/history/read-account.ts';
import { maintainLedger } from '../../src/gateway/wallet/integrity/maintain-ledger.ts';
import { batchTimeAt } from '../../src/gateway/wallet/ledger/batch-time.ts';
import { openWallet } from '../../src/gateway/wallet/ledger/open-wallet.ts';
import type { Wallet } from '../../src/gateway/wallet/ledger/wallet.ts';
import { sqlOf } from '../../src/store/platform/db.ts';
import { proofSeed, proofSize } from '../support/proof-size.ts';
import { openTestDatabase } from '../support/test-database.ts';
import { TEST_NOW, testWorld } from '../support/test-world.ts';
import { LedgerModel, type SourceKind } from './model.ts';
import { expectAuditsPass } from './test-wallet.ts';
import { authorizeRequestFor, CNY, captureRequestOf, PRICE } from './wallet-values.ts';

const { world, clock } = testWorld();
const { db } = await openTestDatabase();
const seed = proofSeed();
let histories = 0;

// An action that is listed several times is chosen more often.
const actions = [
  'pay',
  'voucher',
  'authorize',
  'authorize',
  'authorize',
  'measure',
  'measure',
  'capture',
  'capture',
  'release',
  'wait',
  'crash',
  'recover',
  'duplicate',
] as const;

type Step = {
  readonly action: (typeof actions)[number];
  readonly randomNumber: number;
  readonly units: number;
};

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    action: fc.constantFrom(...actions),
    randomNumber: fc.nat(1_000),
    units: fc.integer({ min: 1, max: 120 }),
  }),
  { minLength: 10, maxLength: 60, size: 'max' },
);

/** The state of one history in both ledgers. */
class LedgerPair {
  readonly model = new LedgerModel();
  readonly prefix: string;
  readonly ids: string[] = [];
  wallet: Wallet;

  constructor(wallet: Wallet, prefix: string) {
    this.wallet = wallet;
    this.prefix = prefix;
  }

  async applyStep({ action, randomNumber, units }: Step): Promise<void> {
    const account = `${this.prefix}_${randomNumber % 2}`;
    const wallet = { accountId: account, livemode: true };
    switch (action) {
      case 'pay': {
        const reference = `pay-${randomNumber % 5}`;
        const payment = { ...wallet, amount: CNY, reference, reason: null, actor: 'test' };
        const { kind } = await topUp(world, db, payment);
        if (kind === 'posted') this.model.addFunds(account, 'cash', CNY, Number.POSITIVE_INFINITY);
        return;
      }
      case 'voucher': {
        clock.advance(1);
        const expiresAt = world.clock.now() + (1 + (randomNumber % 6)) * 3_600_000;
        const voucherInput = { ...wallet, amount: CNY / 2n, name: 'V', expiresAt, reason: null };
        const voucher = await issueVoucher(world, db, {
          ...voucherInput,
          reference: null,
          actor: 'test',
        });
        this.model.addFunds(account, `voucher:${voucher.voucherId}`, CNY / 2n, expiresAt);
        return;
      }
      case 'authorize':
        return this.authorize(
          account,
          units,
          randomNumber % 3 === 0 ? `key-${randomNumber % 7}` : null,
        );
      case 'duplicate':
        return this.authorize(account, units, `key-${randomNumber % 7}`);
      case 'wait':
        clock.advance((1 + (randomNumber % 24)) * 30 * 60_000);
        return;
      case 'crash':
        // The wallet closes while the hold stays open in the database.
        await this.wallet.close();
        this.wallet = await openWallet(world, db);
        return;
      case 'recover':
        return this.recoverHolds();
      case 'measure':
        return this.measureHold(randomNumber, units);
      case 'capture':
      case 'release':
        return this.endHold(action, randomNumber, units);
    }
  }

  async authorize(account: string, units: number, key: string | null): Promise<void> {
    const now = world.clock.now();
    const { day, dayEndsAt } = batchTimeAt(now);
    const idempotency = key === null ? null : { key, fingerprint: 'f' };
    const authorizeRequest = authorizeRequestFor(world, units, {
      accountId: account,
      idempotency,
      deadlineAt: now + 3_600_000,
    });
    const authorized = await this.wallet.authorize(authorizeRequest);
    const holder = key === null ? undefined : this.model.findKeyHolder(account, key);
    if (holder) {
      expect(authorized.kind).toBe(holder.state === 'held' ? 'in_progress' : 'duplicate');
      return;
    }
    this.model.beginDay(account, day, dayEndsAt);
    const available = this.model.availableFunds(account, now);
    if (available < authorizeRequest.amount) {
      const expected = { kind: 'insufficient', required: authorizeRequest.amount, available };
      expect(authorized).toEqual({ ...expected, resetsAt: dayEndsAt });
      return;
    }
    this.model.authorize(
      authorizeRequest.requestId,
      { account, day, key },
      authorizeRequest.amount,
      now,
    );
    this.ids.push(authorizeRequest.requestId);
    const parts = this.model.holds.get(authorizeRequest.requestId)?.parts;
    if (authorized.kind !== 'authorized')
      throw new Error(`the model authorizes the call, and the ledger returns ${authorized.kind}`);
    expect(
      authorized.allocations.map(({ balance, amount }) => ({ name: balance, amount })),
    ).toEqual(parts);
    expect(authorized.quotas.day.used).toBe(this.model.calls.get(`${account} ${day}`));
  }

  async endHold(
    outcome: 'capture' | 'release',
    randomNumber: number,
    units: number,
  ): Promise<void> {
    const id = this.ids[randomNumber % Math.max(1, this.ids.length)];
    const hold = id === undefined ? undefined : this.model.holds.get(id);
    if (id === undefined || hold === undefined) return;
    const total = hold.parts.reduce((sum, { amount }) => sum + amount, 0n) / PRICE;
    const used = units % (Number(total) + 1);
    if (outcome === 'capture') {
      const { kind } = await this.wallet.capture(captureRequestOf(id, used));
      if (hold.state !== 'held') return;
      expect(kind).toBe('captured');
      this.model.capture(id, BigInt(used) * PRICE);
      return;
    }
    const isGatewayFailure = randomNumber % 2 === 0;
    await this.wallet.release({
      requestId: id,
      status: isGatewayFailure ? 502 : 422,
      code: 'failed',
    });
    if (hold.state === 'held') this.model.release(id, isGatewayFailure, world.clock.now());
  }

  /** A hold is adjusted to the measured amount, or released when the amount is not covered. */
  async measureHold(randomNumber: number, units: number): Promise<void> {
    const id = this.ids[randomNumber % Math.max(1, this.ids.length)];
    const hold = id === undefined ? undefined : this.model.holds.get(id);
    if (id === undefined || hold === undefined) return;
    const now = world.clock.now();
    const amount = BigInt(units) * PRICE;
    const adjustment = this.wallet.adjust(id, { quantity: units, amount });
    if (hold.state !== 'held') {
      await expect(adjustment).rejects.toThrow('took too long');
      return;
    }
    const result = await adjustment;
    const { day, dayEndsAt } = batchTimeAt(now);
    const heldBefore = hold.parts.reduce((sum, part) => sum + part.amount, 0n);
    if (amount > heldBefore) this.model.beginDay(hold.account, day, dayEndsAt);
    const available = heldBefore + this.model.availableFunds(hold.account, now);
    if (amount > heldBefore && available < amount) {
      const expected = { kind: 'insufficient', required: amount, available };
      expect(result).toEqual({ ...expected, resetsAt: dayEndsAt });
      this.model.release(id, false, now);
      return;
    }
    this.model.adjust(id, amount, now);
    if (result.kind !== 'held')
      throw new Error(`the model adjusts the hold, and the ledger returns ${result.kind}`);
    const parts = result.allocations.map((part) => ({ name: part.balance, amount: part.amount }));
    expect(parts).toEqual(hold.parts);
  }

  /** Recovery releases all overdue holds, as after a failure of the gateway. */
  async recoverHolds(): Promise<void> {
    const now = world.clock.now();
    const [idPattern, overdueAt] = [`${this.prefix}%`, new Date(now)];
    const { rows } = await sql<{ id: string }>`
      SELECT request_id AS id FROM calls
      WHERE state = 'held' AND account_id LIKE ${idPattern} AND deadline_at <= ${overdueAt}
      ORDER BY deadline_at`.execute(sqlOf(db));
    await maintainLedger(world, db);
    for (const { id } of rows) this.model.release(id, true, now);
  }

  async compareLedgers(): Promise<void> {
    const now = world.clock.now();
    const { day, dayEndsAt } = batchTimeAt(now);
    for (const index of [0, 1]) {
      const account = `${this.prefix}_${index}`;
      const money = await readAccountMoney(world, db, { accountId: account, livemode: true });
      this.model.beginDay(account, day, dayEndsAt);
      const sources = this.model.spendableSources(account, now);
      const remainingOf = (kind: SourceKind) =>
        sources.reduce((sum, source) => sum + (source.kind === kind ? source.remaining : 0n), 0n);
      expect(money.balance.cash).toBe(remainingOf('cash'));
      expect(money.balance.vouchers).toBe(remainingOf('voucher'));
      expect(money.allowance.remaining).toBe(remainingOf('allowance'));
      expect(money.quotas.day.used).toBe(this.model.calls.get(`${account} ${day}`) ?? 0);
      const heldTotal = [...this.model.holds.values()]
        .filter((hold) => hold.account === account && hold.state === 'held')
        .flatMap(({ parts }) => parts)
        .reduce((sum, { amount }) => sum + amount, 0n);
      expect(money.balance.held).toBe(heldTotal);
    }
  }
}

test(`the ledger equals its model (RADAR_SEED=${seed})`, {
  timeout: 3_600_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (history) => {
      histories += 1;
      clock.set(TEST_NOW + histories * 1_000);
      const pair = new LedgerPair(await openWallet(world, db), `acct_${histories}`);
      for (const step of history) {
        await pair.applyStep(step);
        await pair.compareLedgers();
      }
      await pair.wallet.close();
    }),
    { seed, numRuns: proofSize(40, 2_000), endOnFailure: true },
  );
  await expectAuditsPass(world, db);
});
