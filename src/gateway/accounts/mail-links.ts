// Sends links by mail that confirm an address or let the owner choose a password. A link works
// once, until it expires. Only the newest link of each kind works. Tokens of links are stored as
// hashes.
//
// A stranger can sign up with another person's address and wait until that person confirms the
// address. Therefore a confirmation keeps the password only in the browser that signed up, or in a
// session of the account. Any other browser chooses a password, which erases all earlier data. A
// second sign-up with another password invalidates both passwords; the mail then has a link to
// choose one.
import { createHmac } from 'node:crypto';
import { hashPassword } from '../../kernel/crypto/password.ts';
import { type PasswordProblem, passwordProblems } from '../../kernel/crypto/password-problem.ts';
import type { Db } from '../../kernel/ports/db.ts';
import { DAY_MS, HOUR_MS } from '../../kernel/time/durations.ts';
import type { World } from '../../kernel/world.ts';
import { eraseAccountData } from '../../store/accounts/erase-account.ts';
import {
  consumeMailToken,
  deleteMailTokens,
  findMailTokenOwner,
  putMailToken,
} from '../../store/gateway/account-mail-tokens.ts';
import { deleteSessions } from '../../store/gateway/account-sessions.ts';
import {
  type AccountRow,
  findAccountRow,
  findAccountRowByEmail,
  updateAccount,
} from '../../store/gateway/accounts.ts';
import type { MailMessage, Outbox } from '../../store/gateway/outgoing-mails.ts';
import { takeAttempt } from '../../store/operators/sign-in-attempts.ts';
import { inTransaction } from '../../store/platform/db.ts';
import { readSharedSecret } from '../../store/platform/secrets.ts';
import type { MailLanguage, MailSite } from './mail/mail-site.ts';
import {
  choosePasswordMail,
  resetMail,
  takenAddressMail,
  verificationMail,
} from './mail/messages.ts';
import type { EventOrigin } from './security-events.ts';
import type { SecurityLog } from './security-log.ts';
import type { SignUpBrowsers } from './sign-up-browser.ts';

const LIFETIMES_MS = { verify: DAY_MS, reset: HOUR_MS } as const;
/** A notice without a link expires after a day. */
const NOTICE_MS = DAY_MS;
/** Limit of mails per address: three at once, then one in ten minutes. */
const MAIL_RATE = { perSecond: 1 / 600, burst: 3 };
/** Limit of reset requests per client address. */
const RESET_RATE = { perSecond: 1 / 20, burst: 10 };

/** Stored instead of a hash; no password matches it. */
const NO_PASSWORD = '';

const paths = { verify: 'verify', reset: 'reset/new' } as const;

export type ResetResult = { readonly kind: 'accepted' } | RateLimited;
type RateLimited = { readonly kind: 'too_many'; readonly waitMs: number };

export type NewPasswordResult =
  | ConfirmedAccount<'set'>
  | { readonly kind: 'invalid'; readonly problems: readonly PasswordProblem[] }
  /** The link is used, expired, replaced by a newer link, or unknown. */
  | { readonly kind: 'no_link' };

/**
 * `canSignIn`: the account has no one-time codes. The link proves access to the mailbox, so no
 * password is needed.
 */
type ConfirmedAccount<Kind extends string> = {
  readonly kind: Kind;
  readonly accountId: string;
  readonly canSignIn: boolean;
};

/** The browser that opens a link. */
export type LinkBrowser = {
  /** The account of its session; null: not signed in. */
  readonly accountId: string | null;
  /** The cookie of its sign-up; empty: none. */
  readonly signUpToken: string;
};

/** `password`: this browser did not choose the account's password, so it chooses another one. */
export type VerifyNeed = 'button' | 'password' | 'no_link';

export type VerifyResult =
  | ConfirmedAccount<'verified'>
  | { readonly kind: 'password_needed' }
  | { readonly kind: 'no_link' };

export type PasswordReset = {
  readonly token: string;
  /** The kind of the link. Both kinds prove access to the mailbox. */
  readonly purpose: 'verify' | 'reset';
  readonly password: string;
  readonly origin: EventOrigin;
};

export type MailLinks = {
  /**
   * Sends a confirmation link after `delayMs`. Sends no link when the address is already confirmed
   * or has received too many mails recently.
   */
  sendVerification(accountId: string, delayMs?: number): Promise<void>;
  /** Informs an account's owner of a second sign-up with the same address. */
  sendAddressTaken(email: string, delayMs?: number): Promise<void>;
  /**
   * Ends the sessions and the password of an unconfirmed account, whose address was used to sign up
   * with another password. A mail has a link to choose a password.
   */
  contestAccount(accountId: string, delayMs?: number): Promise<void>;
  /** What a confirmation link needs in this browser, without using the link up. */
  readVerifyNeed(token: string, browser: LinkBrowser): Promise<VerifyNeed>;
  verify(token: string, browser: LinkBrowser): Promise<VerifyResult>;
  /** The result does not depend on whether the account exists. */
  requestReset(email: string, client: string): Promise<ResetResult>;
  isResetLink(token: string): Promise<boolean>;
  /**
   * Ends every session and confirms the address: the link proves access to the mailbox. A stranger
   * may have created an unconfirmed account, so the keys and other data of such an account are
   * erased.
   */
  resetPassword(reset: PasswordReset): Promise<NewPasswordResult>;
};

type MailLinkDeps = {
  readonly site: MailSite;
  readonly outbox: Outbox;
  readonly securityLog: SecurityLog;
  readonly signUpBrowsers: SignUpBrowsers;
};

export async function openMailLinks(
  world: World,
  db: Db,
  { site, outbox, securityLog, signUpBrowsers }: MailLinkDeps,
): Promise<MailLinks> {
  const secret = await readSharedSecret(world, db, 'mail links');
  const hashOf = (token: string) => createHmac('sha256', secret).update(token).digest();
  const now = () => world.clock.now();
  const recipientOf = ({ email, language }: { email: string; language: MailLanguage | null }) => ({
    to: email,
    site: site.name,
    language: language ?? site.language,
  });
  /** Stores a link and enqueues its mail in one transaction. */
  const sendLink = (
    account: AccountRow,
    purpose: keyof typeof LIFETIMES_MS,
    mailOf: (url: string) => MailMessage,
    delayMs = 0,
  ) =>
    inTransaction(db, async (tx) => {
      const token = Buffer.from(world.random.bytes(32)).toString('base64url');
      await putMailToken(tx, {
        hash: hashOf(token),
        account_id: account.id,
        purpose,
        address: null,
        created_at: now(),
        expires_at: now() + LIFETIMES_MS[purpose],
      });
      const url = `${site.url}/console/${paths[purpose]}?token=${token}`;
      await outbox.enqueue(tx, mailOf(url), LIFETIMES_MS[purpose], delayMs);
    });
  const verifyLinkOf = (token: string): MailedLink => ({
    purpose: 'verify',
    tokenHash: hashOf(token),
    now: now(),
  });
  const choseThePassword = (account: AccountRow, { accountId, signUpToken }: LinkBrowser) =>
    accountId === account.id || signUpBrowsers.isOf(account, signUpToken);
  const sendVerificationLink = (account: AccountRow, delayMs: number) =>
    sendLink(account, 'verify', (url) => verificationMail(recipientOf(account), url), delayMs);
  return {
    sendVerification: async (accountId, delayMs = 0) => {
      const account = await findAccountRow(db, accountId);
      if (!account?.awaits_verification || !(await takeMailAttempt(db, now(), account.email)))
        return;
      await sendVerificationLink(account, delayMs);
    },
    sendAddressTaken: async (email, delayMs = 0) => {
      const account = await findAccountRowByEmail(db, email);
      if (account === null || !(await takeMailAttempt(db, now(), account.email))) return;
      const [signIn, reset] = [`${site.url}/console/sign-in`, `${site.url}/console/reset`];
      const mail = takenAddressMail(recipientOf(account), signIn, reset);
      await outbox.enqueue(db, mail, NOTICE_MS, delayMs);
    },
    contestAccount: async (accountId, delayMs = 0) => {
      const account = await endUnconfirmedAccess(db, accountId);
      if (account === null || !(await takeMailAttempt(db, now(), account.email))) return;
      const mailOf = (url: string) => choosePasswordMail(recipientOf(account), url);
      await sendLink(account, 'reset', mailOf, delayMs);
    },
    readVerifyNeed: async (token, browser) => {
      const account = await findOwner(db, verifyLinkOf(token));
      if (account === null) return 'no_link';
      return choseThePassword(account, browser) ? 'button' : 'password';
    },
    verify: (token, browser) =>
      inTransaction(db, async (tx): Promise<VerifyResult> => {
        const link = verifyLinkOf(token);
        const account = await findOwner(tx, link, { lock: true });
        if (account === null) return { kind: 'no_link' };
        if (!choseThePassword(account, browser)) return { kind: 'password_needed' };
        if (!(await consumeLink(tx, link))) return { kind: 'no_link' };
        await updateAccount(tx, account.id, { awaits_verification: false });
        return { kind: 'verified', accountId: account.id, canSignIn: canSignIn(account) };
      }),
    requestReset: async (email, client) => {
      const attempt = await takeAttempt(db, now(), `reset client ${client}`, RESET_RATE);
      if (!attempt.isAllowed) return { kind: 'too_many', waitMs: attempt.waitMs };
      const address = email.trim().toLowerCase();
      const account = await findAccountRowByEmail(db, address);
      // Attempts for unknown addresses are counted too, so that the response time is the same. They
      // send no mail, so a separate count keeps them from blocking the mail of a later sign-up.
      const recipient = account === null ? `unknown address ${address}` : account.email;
      const isWithinLimit = await takeMailAttempt(db, now(), recipient);
      if (account === null || account.status === 'suspended' || !isWithinLimit)
        return { kind: 'accepted' };
      await sendLink(account, 'reset', (url) => resetMail(recipientOf(account), url));
      return { kind: 'accepted' };
    },
    isResetLink: async (token) =>
      (await findMailTokenOwner(db, 'reset', hashOf(token), now())) !== null,
    resetPassword: (reset) =>
      resetPassword(world, db, securityLog, { ...reset, tokenHash: hashOf(reset.token) }),
  };
}

/** Counts a mail to an address. False: the limit is reached, so no mail may be sent. */
async function takeMailAttempt(db: Db, now: number, email: string): Promise<boolean> {
  return (await takeAttempt(db, now, `mails to ${email}`, MAIL_RATE)).isAllowed;
}

/** Returns the account; null: it does not exist, or its address is confirmed. */
const endUnconfirmedAccess = (db: Db, accountId: string): Promise<AccountRow | null> =>
  inTransaction(db, async (tx) => {
    const account = await findAccountRow(tx, accountId, { lock: true });
    if (!account?.awaits_verification) return null;
    await updateAccount(tx, accountId, { password_hash: NO_PASSWORD });
    await deleteSessions(tx, { accountId });
    await deleteMailTokens(tx, accountId, 'verify');
    return account;
  });

type MailedLink = {
  readonly purpose: 'verify' | 'reset';
  readonly tokenHash: Uint8Array;
  readonly now: number;
};

/**
 * Returns the account of a valid link. All changes of passwords and addresses lock the account
 * before its links, so that no two of them wait for each other.
 */
async function findOwner(
  db: Db,
  { purpose, tokenHash, now }: MailedLink,
  { lock = false } = {},
): Promise<AccountRow | null> {
  const ownerId = await findMailTokenOwner(db, purpose, tokenHash, now);
  return ownerId === null ? null : findAccountRow(db, ownerId, { lock });
}

/** False: another request has used up the link, or a newer link has replaced it. */
const consumeLink = async (tx: Db, { purpose, tokenHash, now }: MailedLink): Promise<boolean> =>
  (await consumeMailToken(tx, purpose, tokenHash, now)) !== null;

const canSignIn = (account: Pick<AccountRow, 'status' | 'totp_secret'>): boolean =>
  account.status === 'active' && account.totp_secret === null;

async function resetPassword(
  world: World,
  db: Db,
  securityLog: SecurityLog,
  {
    tokenHash,
    purpose,
    password,
    origin,
  }: Omit<PasswordReset, 'token'> & { readonly tokenHash: Uint8Array },
): Promise<NewPasswordResult> {
  const now = world.clock.now();
  const link: MailedLink = { purpose, tokenHash, now };
  const owner = await findOwner(db, link);
  if (owner === null) return { kind: 'no_link' };
  const problems = await passwordProblems(password, owner.email);
  if (problems.length > 0) return { kind: 'invalid', problems };
  const hash = await hashPassword(world, password);
  return inTransaction(db, async (tx): Promise<NewPasswordResult> => {
    const account = await findOwner(tx, link, { lock: true });
    if (account === null || !(await consumeLink(tx, link))) return { kind: 'no_link' };
    const { id: accountId, status, awaits_verification: isUnconfirmed } = account;
    if (isUnconfirmed) {
      await eraseAccountData(tx, { id: accountId, now, callsSince: null });
      await updateAccount(tx, accountId, { totp_secret: null, totp_step: null });
    }
    await updateAccount(tx, accountId, { password_hash: hash, awaits_verification: false });
    await deleteMailTokens(tx, accountId);
    await deleteSessions(tx, { accountId });
    const event = { kind: 'password_reset', subject: null } as const;
    await securityLog.append(tx, { accountId, origin }, event);
    const secret = isUnconfirmed ? null : account.totp_secret;
    return { kind: 'set', accountId, canSignIn: canSignIn({ status, totp_secret: secret }) };
  });
}
