// Deletes an account. The account's owner or an operator requests the deletion. One transaction
// erases the personal data and revokes all access. The ledger keeps its entries.
import { formatCny } from '../../kernel/money.ts';
import type { Db } from '../../kernel/ports/db.ts';
import { DAY_MS, MINUTE_MS } from '../../kernel/time/durations.ts';
import type { World } from '../../kernel/world.ts';
import { eraseAccountData } from '../../store/accounts/erase-account.ts';
import { type DeletedAccount, recordDeletedAccounts } from '../../store/backup/deleted-accounts.ts';
import {
  type AccountRow,
  findAccountRow,
  lockDueErasure,
  markAccountDeleted,
  planErasure,
} from '../../store/gateway/accounts.ts';
import { type Outbox, openOutbox } from '../../store/gateway/outgoing-mails.ts';
import { readAccountDebt } from '../../store/gateway/top-ups.ts';
import { readBalances } from '../../store/ledger/balances.ts';
import { inTransaction } from '../../store/platform/db.ts';
import type { Account } from './account.ts';
import type { MailSite } from './mail/mail-site.ts';
import { deletedAccountMail } from './mail/messages.ts';

/** The money that a deleted account has in live mode, in micro-fen. */
export type RemainingMoney = {
  readonly cash: bigint;
  readonly vouchers: bigint;
  /** Held for calls that still run. */
  readonly held: bigint;
  /** Debt for payments that were refunded or disputed. */
  readonly debt: bigint;
};

export type AccountDeletionResult =
  | { readonly kind: 'deleted'; readonly remaining: RemainingMoney }
  /** More money is left than the confirmation stated. */
  | { readonly kind: 'more_money' }
  | { readonly kind: 'not_found' };

type DeletionOrder = {
  readonly accountId: string;
  /** Cash and vouchers that the confirmation stated, in micro-fen. */
  readonly confirmedAmount: bigint;
};

export type AccountDeletion = {
  remainingMoney(accountId: string): Promise<RemainingMoney>;
  /** Runs in one transaction, or in the caller's transaction. */
  delete(db: Db, order: DeletionOrder): Promise<AccountDeletionResult>;
};

/** Reads from the form the amount, in micro-fen, that the deletion page showed. */
export function readConfirmedAmount(form: URLSearchParams): bigint {
  const text = form.get('left') ?? '';
  // A bigint of PostgreSQL has at most 19 digits.
  return /^\d{1,19}$/.test(text) ? BigInt(text) : 0n;
}

/** Calls that were running at the deletion can still write data for this long. */
const LATE_MS = 2 * DAY_MS;
/** A notice without a link expires after a day. */
const NOTICE_MS = DAY_MS;

/** `site` null: no mail is sent. */
export async function openAccountDeletion(
  world: World,
  db: Db,
  site: MailSite | null,
): Promise<AccountDeletion> {
  const mails = { outbox: await openOutbox(world, db), site };
  return {
    remainingMoney: (accountId) => readRemainingMoney(world, db, accountId),
    delete: (outer, input) =>
      inTransaction(outer, (tx) => deleteInTransaction(world, tx, input, mails)),
  };
}

async function deleteInTransaction(
  world: World,
  tx: Db,
  { accountId, confirmedAmount }: DeletionOrder,
  { outbox, site }: { readonly outbox: Outbox; readonly site: MailSite | null },
): Promise<AccountDeletionResult> {
  const account = await findAccountRow(tx, accountId, { lock: true });
  if (account === null || account.id !== accountId || account.status === 'deleted') {
    return { kind: 'not_found' };
  }
  const balance = await readRemainingMoney(world, tx, accountId);
  if (balance.cash + balance.vouchers > confirmedAmount) return { kind: 'more_money' };
  const now = world.clock.now();
  await eraseAccount(world, tx, account, {
    deletedAt: now,
    now,
    callsSince: now - LATE_MS,
    outbox,
  });
  // An unconfirmed address may belong to a stranger, so it receives no mail.
  if (site !== null && !account.awaits_verification) {
    const language = account.language ?? site.language;
    const mail = { to: account.email, site: site.name, language };
    const cash = balance.cash > 0n ? `CNY ${formatCny(balance.cash)}` : null;
    await outbox.enqueue(tx, deletedAccountMail(mail, { accountId, cash }), NOTICE_MS);
  }
  return { kind: 'deleted', remaining: balance };
}

type Erasure = {
  readonly deletedAt: number;
  /** Time of this erasure. The worker's first erasure is also due at this time. */
  readonly now: number;
  /** Data of calls since this time is erased; null: of all calls. */
  readonly callsSince: number | null;
  readonly outbox: Outbox;
};

async function eraseAccount(
  world: World,
  tx: Db,
  { id, email: address }: AccountRow,
  { deletedAt, now, callsSince, outbox }: Erasure,
): Promise<void> {
  const email = `${world.ids.next()}@deleted.invalid`.toLowerCase();
  await markAccountDeleted(tx, id, { email, now: deletedAt, eraseAt: now });
  await eraseAccountData(tx, { id, now, callsSince });
  await outbox.deleteMailsTo(tx, address);
}

/**
 * Deletes an account again after the restore of an older backup has brought it back. Returns the
 * entry for the audit log. Null: the account is missing or already deleted in the backup.
 */
export async function deleteAgain(
  world: World,
  tx: Db,
  { id, deletedAt }: DeletedAccount,
  outbox: Outbox,
) {
  const account = await findAccountRow(tx, id, { lock: true });
  if (account?.id !== id || account.status === 'deleted') return null;
  const remainingMoney = await readRemainingMoney(world, tx, id);
  await eraseAccount(world, tx, account, {
    deletedAt,
    now: world.clock.now(),
    callsSince: null,
    outbox,
  });
  return deletionRecord(
    account,
    { kind: 'deleted', remaining: remainingMoney },
    'deleted again after a restore',
  );
}

async function readRemainingMoney(
  world: World,
  db: Db,
  accountId: string,
): Promise<RemainingMoney> {
  const now = world.clock.now();
  const balances = await readBalances(db, { accountId, livemode: true }, now);
  const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n);
  const available = (kind: 'cash' | 'voucher') =>
    sum(
      balances
        .filter((balance) => balance.kind === kind && (balance.expiresAt ?? Infinity) > now)
        .map((balance) => balance.available),
    );
  return {
    cash: available('cash'),
    vouchers: available('voucher'),
    held: sum(balances.map(({ held }) => held)),
    debt: await readAccountDebt(db, accountId),
  };
}

/** The entry of the audit log about a deletion; null: nothing was deleted. */
export function deletionRecord(
  { id: subject, status }: Pick<Account, 'id' | 'status'>,
  result: AccountDeletionResult,
  note: string,
) {
  if (result.kind !== 'deleted') return null;
  const { cash } = result.remaining;
  const after = { status: 'deleted', ...(cash > 0n && { cash: formatCny(cash) }) };
  return { action: 'delete', kind: 'account', subject, before: { status }, after, note } as const;
}

/**
 * Erases the older calls of deleted accounts, and data of calls that were running at the deletion.
 * The pause between two erasures of an account doubles, from a minute to more than a day. A worker
 * calls this function once a minute. The worker's first erasure of an account is due directly after
 * the deletion. After an erasure the list of deleted accounts in `folder` is written.
 */
export async function eraseLateData(world: World, db: Db, folder: string | null): Promise<void> {
  const now = world.clock.now();
  let erasedCount = 0;
  for (let hasMore = true; hasMore; ) {
    hasMore = await inTransaction(db, async (tx) => {
      const dueErasure = await lockDueErasure(tx, now);
      if (dueErasure === null) return false;
      const { id, deletedAt, eraseAt } = dueErasure;
      // The worker erases all older calls once. The deletion page does not, because the erasure of
      // 300,000 calls took seven seconds.
      const callsSince = eraseAt === deletedAt ? null : deletedAt - LATE_MS;
      await eraseAccountData(tx, { id, now, callsSince });
      const age = now - deletedAt;
      await planErasure(tx, id, age >= LATE_MS ? null : now + Math.max(MINUTE_MS, age));
      return true;
    });
    if (hasMore) erasedCount += 1;
  }
  if (erasedCount > 0 && folder !== null) await recordDeletedAccounts(db, folder);
}
