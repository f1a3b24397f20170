// Creates the voucher codes that operators distribute, and redeems them for accounts. Only a hash
// of a code is stored. A code is redeemed once under any concurrency.
import { createHmac } from 'node:crypto';
import { Fault } from '../../../kernel/errors/fault.ts';
import { formatCny, MAX_AMOUNT, type MicroFen } from '../../../kernel/money.ts';
import type { Db } from '../../../kernel/ports/db.ts';
import { DAY_MS } from '../../../kernel/time/durations.ts';
import type { World } from '../../../kernel/world.ts';
import {
  hasRedeemedBatch,
  insertVoucherBatch,
  listVoucherBatchRows,
  lockVoucherCode,
  markRedeemed,
  type VoucherBatchRow,
  withdrawBatch,
} from '../../../store/gateway/voucher-codes.ts';
import { takeAttempts } from '../../../store/operators/sign-in-attempts.ts';
import { inTransaction } from '../../../store/platform/db.ts';
import { readSharedSecret } from '../../../store/platform/secrets.ts';
import { issueVoucher } from './post-transfer.ts';
import { makeVoucherCode, readVoucherCode } from './voucher-code-text.ts';
import { MAX_BATCH_CODES, MAX_VOUCHER_DAYS } from './voucher-limits.ts';

export type VoucherBatch = {
  readonly id: string;
  /** The voucher's name for its account. */
  readonly name: string;
  readonly amount: MicroFen;
  /** Number of codes, and how many of these are redeemed. */
  readonly count: number;
  readonly redeemed: number;
  /** Validity in days from the redemption. */
  readonly daysValid: number;
  /** Epoch milliseconds. */
  readonly redeemUntil: number;
  readonly onePerAccount: boolean;
  readonly madeAt: number;
  readonly madeBy: string;
  readonly withdrawnAt: number | null;
};

export type VoucherBatchInput = {
  readonly name: string;
  readonly amount: MicroFen;
  readonly count: number;
  readonly daysValid: number;
  readonly redeemUntil: number;
  readonly onePerAccount: boolean;
  readonly actor: string;
};

const NAME_MAX = 100;
/** Longer input is cut before it is parsed; a code has 26 characters with its dashes. */
const INPUT_MAX = 200;

/** Returns the codes, which are not stored. Throws a Fault that names the invalid field. */
export async function makeVoucherBatch(
  world: World,
  db: Db,
  input: VoucherBatchInput,
): Promise<{ readonly id: string; readonly codes: readonly string[] }> {
  checkBatchInput(input, world.clock.now());
  const hashOf = await openCodeHasher(world, db);
  const codes = new Set<string>();
  while (codes.size < input.count) codes.add(makeVoucherCode(world.random));
  const id = `vb_${world.ids.next()}`;
  const batch = {
    id,
    name: input.name.trim(),
    amount: input.amount,
    count: input.count,
    days_valid: input.daysValid,
    redeem_until: input.redeemUntil,
    one_per_account: input.onePerAccount,
    made_at: world.clock.now(),
    made_by: input.actor,
  };
  await inTransaction(db, (tx) => insertVoucherBatch(tx, batch, [...codes].map(hashOf)));
  return { id, codes: [...codes] };
}

function checkBatchInput(input: VoucherBatchInput, now: number): void {
  const isInRange = (value: number, max: number) =>
    Number.isInteger(value) && value >= 1 && value <= max;
  const name = input.name.trim();
  if (name === '' || [...name].length > NAME_MAX) {
    throw invalidRequest(`A name of 1 to ${NAME_MAX} characters is needed.`);
  }
  if (input.amount <= 0n || input.amount > MAX_AMOUNT) {
    throw invalidRequest(`The amount must be above zero and at most ${formatCny(MAX_AMOUNT)} CNY.`);
  }
  if (!isInRange(input.count, MAX_BATCH_CODES))
    throw invalidRequest(`A batch has 1 to ${MAX_BATCH_CODES} codes.`);
  if (!isInRange(input.daysValid, MAX_VOUCHER_DAYS)) {
    throw invalidRequest(`A voucher can be spent for 1 to ${MAX_VOUCHER_DAYS} days.`);
  }
  if (!(input.redeemUntil > now)) throw invalidRequest('The codes must expire in the future.');
}

const invalidRequest = (message: string) => new Fault('invalid_request', message);

/** Newest first. */
export async function listVoucherBatches(db: Db): Promise<readonly VoucherBatch[]> {
  return (await listVoucherBatchRows(db)).map((row) => ({
    id: row.id,
    name: row.name,
    amount: row.amount,
    count: row.count,
    redeemed: row.redeemed,
    daysValid: row.days_valid,
    redeemUntil: row.redeem_until,
    onePerAccount: row.one_per_account,
    madeAt: row.made_at,
    madeBy: row.made_by,
    withdrawnAt: row.withdrawn_at,
  }));
}

/** Issued vouchers stay. False: the batch was already withdrawn, or does not exist. */
export async function withdrawVoucherBatch(world: World, db: Db, id: string): Promise<boolean> {
  return withdrawBatch(db, id, world.clock.now());
}

export type RedeemResult =
  | {
      readonly kind: 'redeemed';
      readonly voucherId: string;
      readonly name: string;
      readonly amount: MicroFen;
      /** Epoch milliseconds. */
      readonly expiresAt: number;
    }
  /** The text does not have the form of a code. */
  | { readonly kind: 'malformed' }
  | { readonly kind: 'unknown' }
  /** Another account, or the same account, has redeemed the code. */
  | { readonly kind: 'used' | 'used_by_you' }
  /** The account has redeemed another code of the batch. */
  | { readonly kind: 'once_per_account' }
  | { readonly kind: 'expired' }
  | { readonly kind: 'too_many'; readonly waitMs: number };

export type VoucherRedeemer = {
  /** `client`: the client address. Its limit stops a client that guesses with many accounts. */
  redeem(attempt: { accountId: string; client: string; input: string }): Promise<RedeemResult>;
};

/** Ten attempts at once, then one a minute. Guessing 80 random bits is hopeless at this rate. */
const ATTEMPTS_PER_ACCOUNT = { perSecond: 1 / 60, burst: 10 };
const ATTEMPTS_PER_CLIENT = { perSecond: 1 / 15, burst: 40 };

export function openVoucherRedeemer(world: World, db: Db): VoucherRedeemer {
  return {
    redeem: async ({ accountId, client, input }) => {
      const waitMs = await takeAttempts(db, world.clock.now(), [
        [`voucher codes account ${accountId}`, ATTEMPTS_PER_ACCOUNT],
        [`voucher codes client ${client}`, ATTEMPTS_PER_CLIENT],
      ]);
      if (waitMs > 0) return { kind: 'too_many', waitMs };
      return redeemCode(world, db, { accountId, input });
    },
  };
}

/** Redeems a code without a rate limit. Entry points call a `VoucherRedeemer` instead. */
export async function redeemCode(
  world: World,
  db: Db,
  { accountId, input }: { readonly accountId: string; readonly input: string },
): Promise<RedeemResult> {
  const text = readVoucherCode(input.slice(0, INPUT_MAX));
  if (text === null) return { kind: 'malformed' };
  const hash = (await openCodeHasher(world, db))(text);
  return inTransaction(db, async (tx): Promise<RedeemResult> => {
    const voucherCode = await lockVoucherCode(tx, hash);
    if (voucherCode === null) return { kind: 'unknown' };
    const { code, batch } = voucherCode;
    if (code.redeemed_by !== null) {
      return { kind: code.redeemed_by === accountId ? 'used_by_you' : 'used' };
    }
    const now = world.clock.now();
    if (batch.withdrawn_at !== null || batch.redeem_until <= now) return { kind: 'expired' };
    if (batch.one_per_account && (await hasRedeemedBatch(tx, batch.id, accountId))) {
      return { kind: 'once_per_account' };
    }
    const { name, amount } = batch;
    const expiresAt = now + batch.days_valid * DAY_MS;
    const { voucherId } = await issueVoucher(world, tx, {
      accountId,
      livemode: true,
      amount,
      name,
      expiresAt,
      reference: referenceOf(batch, hash),
      reason: batch.id,
      actor: 'voucher code',
    });
    await markRedeemed(tx, hash, { accountId, voucherId, at: now });
    return { kind: 'redeemed', voucherId, name, amount, expiresAt };
  });
}

/** The journal refers to a code without disclosing it. */
const referenceOf = ({ id }: VoucherBatchRow, hash: Buffer) =>
  `code:${id}:${hash.toString('hex').slice(0, 16)}`;

async function openCodeHasher(world: World, db: Db): Promise<(text: string) => Buffer> {
  const pepper = await readSharedSecret(world, db, 'voucher codes');
  return (text) => createHmac('sha256', pepper).update(text).digest();
}
