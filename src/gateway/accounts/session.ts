// Being signed in: a token in the browser's cookie, its HMAC in the database. Guessing passwords is
// slowed by the address it comes from and by the account it aims at, before anything is hashed.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Db } from '../../kernel/db.ts';
import { openLocalLimiter } from '../../kernel/limits/limiter.ts';
import { isPassword } from '../../kernel/password.ts';
import type { World } from '../../kernel/world.ts';
import { deleteSessions, findSession, insertSession } from '../../store/account-sessions.ts';
import { findAccountRow } from '../../store/accounts.ts';
import { sharedSecret } from '../../store/secrets.ts';

const SESSION_MS = 30 * 24 * 3_600_000;

/** Five at once, then one every twenty seconds. */
const SIGN_IN_RATE = { perSecond: 1 / 20, burst: 5 };

export type SignedIn =
  /** `token`: for the cookie, and nowhere else. */
  | { readonly kind: 'signed_in'; readonly token: string; readonly accountId: string }
  | { readonly kind: 'refused' }
  | { readonly kind: 'suspended' }
  | { readonly kind: 'too_many'; readonly waitMs: number };

export type Sessions = {
  /** `client`: the key of the address that asks. */
  signIn(asked: {
    readonly email: string;
    readonly password: string;
    readonly client: string;
  }): Promise<SignedIn>;
  /** Whose session a token is; null when it is nobody's (any more). */
  read(token: string): Promise<{ readonly accountId: string; readonly email: string } | null>;
  signOut(token: string): Promise<void>;
};

export async function openSessions(world: World, db: Db): Promise<Sessions> {
  const secret = await sharedSecret(world, db, 'account sessions');
  const hashOf = (token: string) => createHmac('sha256', secret).update(token).digest();
  const limiter = openLocalLimiter(world.clock);
  return {
    signIn: async ({ email, password, client }) => {
      const address = email.trim().toLowerCase();
      for (const key of [`client ${client}`, `account ${address}`]) {
        const { isAllowed, waitMs } = limiter.takeNow(key, SIGN_IN_RATE);
        if (!isAllowed) return { kind: 'too_many', waitMs };
      }
      const account = await findAccountRow(db, address);
      const isRight = await isPassword(account?.password_hash ?? null, password);
      if (account === null || !isRight) return { kind: 'refused' };
      if (account.status === 'suspended') return { kind: 'suspended' };
      const token = Buffer.from(world.random.bytes(32)).toString('base64url');
      const now = world.clock.now();
      await insertSession(db, {
        id: `sess_${world.ids.next()}`,
        account_id: account.id,
        hash: hashOf(token),
        created_at: now,
        expires_at: now + SESSION_MS,
      });
      return { kind: 'signed_in', token, accountId: account.id };
    },
    read: async (token) => {
      const hash = hashOf(token);
      const session = await findSession(db, hash, world.clock.now());
      if (session === null || !timingSafeEqual(session.hash, hash)) return null;
      return { accountId: session.accountId, email: session.email };
    },
    signOut: (token) => deleteSessions(db, { hash: hashOf(token) }),
  };
}
