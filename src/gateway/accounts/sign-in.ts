// The way in, a password and then, where it is set up, a one-time code. Guessing is slowed by the
// address that it comes from and by the account it aims at, before anything is hashed.
import type { Db } from '../../kernel/db.ts';
import { openLocalLimiter } from '../../kernel/limits/limiter.ts';
import { isPassword } from '../../kernel/password.ts';
import type { World } from '../../kernel/world.ts';
import { findAccountRow } from '../../store/accounts.ts';
import type { From, Sessions } from './session.ts';

/** Five at once, then one every twenty seconds. */
const SIGN_IN_RATE = { perSecond: 1 / 20, burst: 5 };

export type SignedIn =
  /** `token`: for the cookie, and nowhere else. */
  | { readonly kind: 'signed_in'; readonly token: string }
  | { readonly kind: 'refused' }
  | { readonly kind: 'suspended' }
  | { readonly kind: 'too_many'; readonly waitMs: number };

export type SignIn = {
  withPassword(asked: {
    readonly email: string;
    readonly password: string;
    readonly from: From;
  }): Promise<SignedIn>;
};

export function openSignIn(world: World, db: Db, sessions: Sessions): SignIn {
  const limiter = openLocalLimiter(world.clock);
  return {
    withPassword: async ({ email, password, from }) => {
      const address = email.trim().toLowerCase();
      for (const key of [`client ${from.client}`, `account ${address}`]) {
        const { isAllowed, waitMs } = limiter.takeNow(key, SIGN_IN_RATE);
        if (!isAllowed) return { kind: 'too_many', waitMs };
      }
      const account = await findAccountRow(db, address);
      const isRight = await isPassword(account?.password_hash ?? null, password);
      if (account === null || !isRight) return { kind: 'refused' };
      if (account.status === 'suspended') return { kind: 'suspended' };
      return { kind: 'signed_in', token: await sessions.begin(account.id, from) };
    },
  };
}
