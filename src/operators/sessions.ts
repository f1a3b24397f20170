// Being signed in as an operator: a signed token in the browser's cookie, its HMAC in the database.
// Wrong passwords are limited by address and over all addresses together, by all processes and
// over their restarts, before anything is hashed. A browser that signed in before has its own
// budget.
import { createHmac } from 'node:crypto';
import { isPassword } from '../kernel/crypto/password.ts';
import { openTokenSigner } from '../kernel/crypto/token-signer.ts';
import type { Db } from '../kernel/ports/db.ts';
import { openFormTokens } from '../kernel/web/form-token.ts';
import { openKnownBrowsers } from '../kernel/web/known-browser.ts';
import type { AreaSessions } from '../kernel/web/operator-area.ts';
import type { World } from '../kernel/world.ts';
import {
  deleteOperatorSession,
  findOperatorSession,
  insertOperatorSession,
  operatorPasswordHash,
} from '../store/operators/operator-sessions.ts';
import { giveBackTries, type Try, takeTries } from '../store/operators/sign-in-attempts.ts';
import { sharedSecret } from '../store/platform/secrets.ts';

export const SESSION_MS = 12 * 3_600_000;

/** Five at once, then one every twenty seconds. */
const BY_CLIENT = { perSecond: 1 / 20, burst: 5 };
/** Many addresses together: each guess costs 19 MiB and a quarter of a core for its time. */
const BY_ALL = { perSecond: 1, burst: 20 };

/** All operators share one password. */
const SUBJECT = 'operators';

export type OperatorSession = {
  readonly id: string;
  /** In the record. */
  readonly name: string;
  readonly expiresAt: number;
};

export type OperatorSessions = AreaSessions<OperatorSession> & {
  /** The token of a new session without a password, after another proof of access. */
  signInAs(name: string): Promise<string>;
};

export async function openOperatorSessions(world: World, db: Db): Promise<OperatorSessions> {
  const secret = await sharedSecret(world, db, 'operator sessions');
  const digest = (what: string, text: string) =>
    createHmac('sha256', secret).update(`${what}\n${text}`).digest();
  const tokens = openFormTokens(world, secret);
  const browsers = openKnownBrowsers(world, secret);
  const signer = openTokenSigner(secret, 'session cookie');
  const openSession = async (name: string): Promise<string> => {
    const token = signer.sign(Buffer.from(world.random.bytes(32)).toString('base64url'));
    const now = world.clock.now();
    await insertOperatorSession(db, {
      id: `opsess_${world.ids.next()}`,
      name,
      hash: digest('session', token),
      created_at: now,
      expires_at: now + SESSION_MS,
    });
    return token;
  };
  return {
    ...tokens,
    signInAs: openSession,
    signIn: async ({ password, name, client, browserToken = null }) => {
      const browser = browsers.read(SUBJECT, browserToken);
      const tries: readonly Try[] =
        browser === null
          ? [
              [`operators client ${client}`, BY_CLIENT],
              ['operators all', BY_ALL],
            ]
          : [[`operators browser ${browser}`, BY_CLIENT]];
      const waitMs = await takeTries(db, world.clock.now(), tries);
      if (waitMs > 0) return { kind: 'too_many', waitMs };
      if (!(await isPassword(await operatorPasswordHash(db), password))) return { kind: 'refused' };
      await giveBackTries(db, tries);
      const token = await openSession(name.trim() === '' ? 'operator' : name.trim());
      return { kind: 'signed_in', token, browserToken: browsers.issue(SUBJECT) };
    },
    read: async (token) => {
      if (signer.read(token) === null) return null;
      const row = await findOperatorSession(db, digest('session', token), world.clock.now());
      return row === null ? null : { id: row.id, name: row.name, expiresAt: row.expires_at };
    },
    signOut: ({ id }) => deleteOperatorSession(db, id),
  };
}
