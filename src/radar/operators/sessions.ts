// Being signed in as an operator: a token in the browser's cookie, its HMAC in the database.
// Guessing is slowed by the address it comes from, and over all addresses together, before
// anything is hashed.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Db } from '../../kernel/db.ts';
import { openLocalLimiter } from '../../kernel/limits/limiter.ts';
import { isPassword } from '../../kernel/password.ts';
import type { World } from '../../kernel/world.ts';
import {
  deleteOperatorSession,
  findOperatorSession,
  insertOperatorSession,
  operatorPasswordHash,
} from '../../store/operator-sessions.ts';
import { sharedSecret } from '../../store/secrets.ts';

export const SESSION_MS = 12 * 3_600_000;

/** Five at once, then one every twenty seconds. */
const BY_CLIENT = { perSecond: 1 / 20, burst: 5 };
/** Many addresses together: each guess costs 19 MiB and a quarter of a core for its time. */
const BY_ALL = { perSecond: 1, burst: 20 };

export type OperatorSession = {
  readonly id: string;
  /** In the record. */
  readonly name: string;
  readonly expiresAt: number;
};

export type SignedIn =
  /** `token`: for the cookie, and nowhere else. */
  | { readonly kind: 'signed_in'; readonly token: string }
  | { readonly kind: 'refused' }
  | { readonly kind: 'too_many'; readonly waitMs: number };

export type OperatorSessions = {
  /** `client`: the key of the address that asks. */
  signIn(asked: { password: string; name: string; client: string }): Promise<SignedIn>;
  /** Whose session a token is; null when it is nobody's (any more). */
  read(token: string): Promise<OperatorSession | null>;
  signOut(session: OperatorSession): Promise<void>;
  /** What only whoever holds `subject` (a session's id, a visitor's token) can put into a form. */
  formToken(subject: string): string;
  isFormToken(subject: string, token: string): boolean;
  newVisitor(): string;
};

export async function openOperatorSessions(world: World, db: Db): Promise<OperatorSessions> {
  const secret = await sharedSecret(world, db, 'operator sessions');
  const limiter = openLocalLimiter(world.clock);
  const digest = (what: string, text: string) =>
    createHmac('sha256', secret).update(`${what}\n${text}`).digest();
  const newToken = () => Buffer.from(world.random.bytes(32)).toString('base64url');
  const formToken = (subject: string) => digest('form', subject).toString('base64url');
  return {
    signIn: async ({ password, name, client }) => {
      for (const [key, rate] of [
        [`client ${client}`, BY_CLIENT],
        ['all', BY_ALL],
      ] as const) {
        const { isAllowed, waitMs } = limiter.takeNow(key, rate);
        if (!isAllowed) return { kind: 'too_many', waitMs };
      }
      if (!(await isPassword(await operatorPasswordHash(db), password))) return { kind: 'refused' };
      const token = newToken();
      const now = world.clock.now();
      await insertOperatorSession(db, {
        id: `opsess_${world.ids.next()}`,
        name: name.trim() === '' ? 'operator' : name.trim(),
        hash: digest('session', token),
        created_at: now,
        expires_at: now + SESSION_MS,
      });
      return { kind: 'signed_in', token };
    },
    read: async (token) => {
      const row = await findOperatorSession(db, digest('session', token), world.clock.now());
      return row === null ? null : { id: row.id, name: row.name, expiresAt: row.expires_at };
    },
    signOut: ({ id }) => deleteOperatorSession(db, id),
    formToken,
    isFormToken: (subject, token) => {
      const [given, right] = [token, formToken(subject)].map((text) => Buffer.from(text));
      return (
        given !== undefined &&
        right !== undefined &&
        given.length === right.length &&
        timingSafeEqual(given, right)
      );
    },
    newVisitor: newToken,
  };
}
