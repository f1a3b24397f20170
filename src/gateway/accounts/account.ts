// Creates, finds, suspends and resumes accounts of customers.
import { z } from 'zod';
import { hashPassword } from '../../kernel/crypto/password.ts';
import { passwordProblems, passwordProblemText } from '../../kernel/crypto/password-problem.ts';
import type { Db } from '../../kernel/ports/db.ts';
import type { World } from '../../kernel/world.ts';
import { deleteSessions } from '../../store/gateway/account-sessions.ts';
import {
  type AccountStatus,
  findAccountRow,
  hasAccounts,
  insertAccount,
  listAccountRows,
  updateAccount,
} from '../../store/gateway/accounts.ts';

export type Account = {
  readonly id: string;
  readonly email: string;
  readonly status: AccountStatus;
  /** Epoch ms. */
  readonly createdAt: number;
};

export type AddAccountResult =
  | { readonly kind: 'added'; readonly id: string }
  | { readonly kind: 'address_taken' }
  | { readonly kind: 'invalid'; readonly problem: string };

export type NewAccount = {
  /** Compared and stored in lower case; unique. */
  readonly email: string;
  readonly password: string;
  /** Language of mails and of the console; absent: the installation's. */
  readonly language?: 'en' | 'zh-CN';
  /** Key of the client address at sign-up; absent: an operator creates the account. */
  readonly network?: string;
  /** The address must be confirmed before the account gets live keys and an allowance. */
  readonly awaitsVerification?: boolean;
  /** The caller checked the strength of the password, or generated it. */
  readonly isPasswordChecked?: boolean;
};

/** Confirms the address without a mail, for an operator. False: the account does not exist. */
export const confirmAddress = (db: Db, id: string): Promise<boolean> =>
  updateAccount(db, id, { awaits_verification: false });

const emailShape = z.email().max(254);

export async function addAccount(
  world: World,
  db: Db,
  account: NewAccount,
): Promise<AddAccountResult> {
  const { email, password, language = null, network = null, awaitsVerification = false } = account;
  const address = email.trim().toLowerCase();
  if (!emailShape.safeParse(address).success) {
    return { kind: 'invalid', problem: `"${email}" is no e-mail address.` };
  }
  if (!account.isPasswordChecked) {
    const problems = await passwordProblems(password, address);
    if (problems.length > 0) return { kind: 'invalid', problem: passwordProblemText(problems) };
  }
  const id = `acct_${world.ids.next()}`;
  const isNew = await insertAccount(db, {
    id,
    email: address,
    password_hash: await hashPassword(world, password),
    status: 'active',
    calls_per_day: null,
    calls_per_month: null,
    created_at: world.clock.now(),
    awaits_verification: awaitsVerification,
    language,
    network,
    totp_secret: null,
    totp_step: null,
    alert_mails: false,
    deleted_at: null,
    erase_at: null,
  });
  return isNew ? { kind: 'added', id } : { kind: 'address_taken' };
}

/** Finds an account by its id or e-mail address. */
export async function findAccount(db: Db, idOrEmail: string): Promise<Account | null> {
  const row = await findAccountRow(db, idOrEmail.trim().toLowerCase());
  return row === null ? null : toAccount(row);
}

/** Oldest first. */
export async function listAccounts(db: Db): Promise<readonly Account[]> {
  return (await listAccountRows(db)).map(toAccount);
}

/**
 * Suspends an account: its keys receive a 403 within a second and its sessions end. False: the
 * account does not exist.
 */
export async function suspendAccount(db: Db, id: string): Promise<boolean> {
  const isFound = await updateAccount(db, id, { status: 'suspended' });
  if (isFound) await deleteSessions(db, { accountId: id });
  return isFound;
}

export async function resumeAccount(db: Db, id: string): Promise<boolean> {
  return updateAccount(db, id, { status: 'active' });
}

export async function setAccountLanguage(
  db: Db,
  id: string,
  language: 'en' | 'zh-CN',
): Promise<void> {
  await updateAccount(db, id, { language });
}

/** Whether the account receives alerts by mail. */
export async function hasAlertMails(db: Db, id: string): Promise<boolean> {
  return (await findAccountRow(db, id))?.alert_mails ?? false;
}

export async function setAlertMails(db: Db, id: string, isOn: boolean): Promise<void> {
  await updateAccount(db, id, { alert_mails: isOn });
}

/** Null: the installation's limit applies. Returns false when the account does not exist. */
export async function setCallLimits(
  db: Db,
  id: string,
  calls: { readonly perDay: number | null; readonly perMonth: number | null },
): Promise<boolean> {
  return updateAccount(db, id, { calls_per_day: calls.perDay, calls_per_month: calls.perMonth });
}

function toAccount(row: NonNullable<Awaited<ReturnType<typeof findAccountRow>>>): Account {
  return { id: row.id, email: row.email, status: row.status, createdAt: row.created_at };
}

/** Rejects when the database does not respond; for the readiness check. */
export async function checkDatabase(db: Db): Promise<void> {
  await hasAccounts(db);
}
