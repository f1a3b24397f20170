// Changes a password: by the owner, who states the current password, or by an operator. All other
// sessions of the account end.

import { hashPassword, verifyPassword } from '../../kernel/crypto/password.ts';
import { type PasswordProblem, passwordProblems } from '../../kernel/crypto/password-problem.ts';
import type { Db } from '../../kernel/ports/db.ts';
import type { World } from '../../kernel/world.ts';
import { deleteMailTokens } from '../../store/gateway/account-mail-tokens.ts';
import { deleteSessions } from '../../store/gateway/account-sessions.ts';
import { findAccountRow, updateAccount } from '../../store/gateway/accounts.ts';
import {
  type AttemptKey,
  takeAttempts,
  undoAttempts,
} from '../../store/operators/sign-in-attempts.ts';
import { inTransaction } from '../../store/platform/db.ts';
import { type EventOrigin, SHELL_ORIGIN } from './security-events.ts';
import { openSecurityLog, type SecurityLog } from './security-log.ts';
import type { Session } from './session.ts';

/** Limits password guesses from a browser that was left signed in. */
const GUESS_RATE = { perSecond: 1 / 20, burst: 5 };

export type PasswordChangeResult =
  | { readonly kind: 'changed' }
  | { readonly kind: 'wrong' }
  | { readonly kind: 'invalid'; readonly problems: readonly PasswordProblem[] }
  | { readonly kind: 'too_many'; readonly waitMs: number };

export type PasswordCheck =
  | Exclude<PasswordChangeResult, { kind: 'changed' | 'invalid' }>
  | { kind: 'right' };

type HashCheck =
  | Exclude<PasswordCheck, { kind: 'right' }>
  | { readonly kind: 'right'; readonly hash: string };

export type Passwords = {
  /** Confirms the password before actions that only the owner may perform. */
  check(session: Session, password: string): Promise<PasswordCheck>;
  change(
    session: Session,
    change: { readonly current: string; readonly next: string; readonly origin: EventOrigin },
  ): Promise<PasswordChangeResult>;
};

export function openPasswords(world: World, db: Db, securityLog: SecurityLog): Passwords {
  const checkHash = async (accountId: string, password: string): Promise<HashCheck> => {
    const attemptKeys: readonly AttemptKey[] = [[`password of ${accountId}`, GUESS_RATE]];
    const waitMs = await takeAttempts(db, world.clock.now(), attemptKeys);
    if (waitMs > 0) return { kind: 'too_many', waitMs };
    const hash = (await findAccountRow(db, accountId))?.password_hash ?? null;
    const isRight = await verifyPassword(hash, password);
    if (hash === null || !isRight) return { kind: 'wrong' };
    await undoAttempts(db, attemptKeys);
    return { kind: 'right', hash };
  };
  return {
    check: async ({ accountId }, password) => {
      const hashCheck = await checkHash(accountId, password);
      return hashCheck.kind === 'right' ? { kind: 'right' } : hashCheck;
    },
    change: async (session, { current, next, origin }) => {
      const problems = await passwordProblems(next, session.email);
      if (problems.length > 0) return { kind: 'invalid', problems };
      const hashCheck = await checkHash(session.accountId, current);
      if (hashCheck.kind !== 'right') return hashCheck;
      const hash = await hashPassword(world, next);
      return inTransaction(db, async (tx): Promise<PasswordChangeResult> => {
        const account = await findAccountRow(tx, session.accountId, { lock: true });
        // Another session may have changed the password meanwhile, and has ended this session.
        if (account?.password_hash !== hashCheck.hash) return { kind: 'wrong' };
        await updateAccount(tx, session.accountId, { password_hash: hash });
        await deleteMailTokens(tx, session.accountId);
        await deleteSessions(tx, { accountId: session.accountId, exceptSession: session.id });
        const event = { kind: 'password_changed', subject: null } as const;
        await securityLog.append(tx, { accountId: session.accountId, origin }, event);
        return { kind: 'changed' };
      });
    },
  };
}

/**
 * Sets the password of an account on behalf of an operator, and ends its sessions. False: the
 * account does not exist.
 */
export async function setPassword(
  world: World,
  db: Db,
  { accountId, password }: { readonly accountId: string; readonly password: string },
): Promise<boolean> {
  const hash = await hashPassword(world, password);
  return inTransaction(db, async (tx) => {
    const isFound = await updateAccount(tx, accountId, { password_hash: hash });
    await deleteMailTokens(tx, accountId);
    await deleteSessions(tx, { accountId });
    if (isFound) {
      const event = { kind: 'password_set_by_operator', subject: null } as const;
      const owner = { accountId, origin: SHELL_ORIGIN };
      await openSecurityLog(world, tx, null).append(tx, owner, event);
    }
    return isFound;
  });
}
