// Signs an account in with a password and, if it has a second factor, a one-time code. Attempts are
// limited per client address and per account before any hash is computed. All processes share the
// limits, which survive a restart.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { verifyPassword } from '../../kernel/crypto/password.ts';
import type { SecondFactor } from '../../kernel/crypto/second-factor.ts';
import type { Db } from '../../kernel/ports/db.ts';
import type { KnownBrowsers } from '../../kernel/web/known-browser.ts';
import type { World } from '../../kernel/world.ts';
import {
  type AccountRow,
  findAccountRow,
  findAccountRowByEmail,
} from '../../store/gateway/accounts.ts';
import {
  type AttemptKey,
  takeAttempts,
  undoAttempts,
} from '../../store/operators/sign-in-attempts.ts';
import { readSharedSecret } from '../../store/platform/secrets.ts';
import type { SecurityLog } from './security-log.ts';
import type { SessionOrigin, SessionStart, Sessions } from './session.ts';

/** Limit of attempts: five at once, then one every twenty seconds. */
const SIGN_IN_RATE = { perSecond: 1 / 20, burst: 5 };
/**
 * Limit of wrong passwords from all clients together. Each verification takes 19 MiB of memory and
 * tens of milliseconds of processor time.
 */
const RATE_OF_ALL_CLIENTS = { perSecond: 5, burst: 60 };
/** Longest time between the password and the code. */
const PENDING_MS = 10 * 60_000;

type SignInRefusal =
  | { readonly kind: 'refused' }
  | { readonly kind: 'suspended' }
  | { readonly kind: 'too_many'; readonly waitMs: number };

export type PasswordSignInResult =
  /** `token` is stored only in the cookie. */
  | { readonly kind: 'signed_in'; readonly token: string }
  /** The password is correct. `pending` must be sent with the code. */
  | { readonly kind: 'code_needed'; readonly pending: string }
  | SignInRefusal;

export type CodeSignInResult =
  | { readonly kind: 'signed_in'; readonly token: string }
  /** The password must be entered again: it was entered too long ago, or has changed. */
  | { readonly kind: 'password_needed' }
  | SignInRefusal;

export type SignIn = {
  withPassword(request: {
    readonly email: string;
    readonly password: string;
    readonly from: SessionOrigin;
    readonly start?: SessionStart;
  }): Promise<PasswordSignInResult>;
  withCode(request: {
    readonly pending: string;
    readonly code: string;
    readonly from: SessionOrigin;
    readonly start?: SessionStart;
  }): Promise<CodeSignInResult>;
};

type SignInDeps = {
  readonly sessions: Sessions;
  readonly secondFactor: SecondFactor;
  readonly browsers: KnownBrowsers;
  readonly securityLog: SecurityLog;
};

export async function openSignIn(
  world: World,
  db: Db,
  { sessions, secondFactor, browsers, securityLog }: SignInDeps,
): Promise<SignIn> {
  const secret = await readSharedSecret(world, db, 'sign-in with a code');
  // `pending` has the account's id, an expiry and a proof, so nothing is stored. The proof is an
  // HMAC of both and the password hash.
  const proofOf = ({ id, password_hash: hash }: AccountRow, validUntil: number) =>
    createHmac('sha256', secret).update(`${id}\n${validUntil}\n${hash}`).digest();
  const accountOf = async (pending: string): Promise<AccountRow | null> => {
    const [, id = '', until = '', proof = ''] = /^(\w+)\.(\d+)\.([\w-]+)$/.exec(pending) ?? [];
    if (id === '' || Number(until) <= world.clock.now()) return null;
    const account = await findAccountRow(db, id);
    if (account === null) return null;
    const [received, expected] = [Buffer.from(proof, 'base64url'), proofOf(account, Number(until))];
    return received.length === expected.length && timingSafeEqual(received, expected)
      ? account
      : null;
  };
  const browserOf = (account: AccountRow | null, { browserToken = null }: SessionOrigin) =>
    account === null ? null : browsers.read(account.id, browserToken);
  return {
    withPassword: async ({ email, password, from, start }) => {
      const address = email.trim().toLowerCase();
      const account = await findAccountRowByEmail(db, address);
      const browser = browserOf(account, from);
      // A browser with an earlier sign-in has a limit of its own, so that attempts by others do not
      // lock its owner out.
      const attemptKeys: readonly AttemptKey[] =
        browser === null
          ? [
              [`console client ${from.client}`, SIGN_IN_RATE],
              [`console account ${address}`, SIGN_IN_RATE],
              ['console all', RATE_OF_ALL_CLIENTS],
            ]
          : [[`console browser ${browser}`, SIGN_IN_RATE]];
      const waitMs = await takeAttempts(db, world.clock.now(), attemptKeys);
      if (waitMs > 0) {
        const accountId = account?.id ?? null;
        await securityLog.recordLockedSignIn(address, { accountId, origin: from });
        return { kind: 'too_many', waitMs };
      }
      const isRight = await verifyPassword(account?.password_hash ?? null, password);
      if (account === null || !isRight) return { kind: 'refused' };
      await undoAttempts(db, attemptKeys);
      if (account.status === 'suspended') return { kind: 'suspended' };
      if (account.totp_secret !== null) {
        const until = world.clock.now() + PENDING_MS;
        const proof = proofOf(account, until).toString('base64url');
        return { kind: 'code_needed', pending: `${account.id}.${until}.${proof}` };
      }
      const token = await sessions.beginWithPassword(account, from, start);
      return token === null ? { kind: 'refused' } : { kind: 'signed_in', token };
    },
    withCode: async ({ pending, code, from, start }) => {
      const account = await accountOf(pending);
      if (account === null) return { kind: 'password_needed' };
      if (account.status === 'suspended') return { kind: 'suspended' };
      const codeResult = await secondFactor.consumeCode(account.id, code, browserOf(account, from));
      if (codeResult.kind === 'too_many') {
        await securityLog.recordLockedSignIn(account.email, {
          accountId: account.id,
          origin: from,
        });
      }
      if (codeResult.kind !== 'accepted') return codeResult;
      const token = await sessions.beginWithPassword(account, from, start);
      return token === null ? { kind: 'password_needed' } : { kind: 'signed_in', token };
    },
  };
}
