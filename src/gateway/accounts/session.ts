// Opens, reads and ends console sessions. The cookie contains a signed random token, and the
// database contains its HMAC. Every sign-in creates a new token, which prevents session fixation.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { openTokenSigner } from '../../kernel/crypto/token-signer.ts';
import type { Db } from '../../kernel/ports/db.ts';
import { DAY_MS } from '../../kernel/time/durations.ts';
import type { KnownBrowsers } from '../../kernel/web/known-browser.ts';
import type { World } from '../../kernel/world.ts';
import {
  deleteSessions,
  findSession,
  insertSession,
  listSessionRows,
  recordSessionUse,
  type SessionRow,
  setSessionMode,
} from '../../store/gateway/account-sessions.ts';
import { type AccountRow, findAccountRow } from '../../store/gateway/accounts.ts';
import { inTransaction } from '../../store/platform/db.ts';
import { readSharedSecret } from '../../store/platform/secrets.ts';
import { sessionLimits } from '../../store/platform/session-limits.ts';
import type { EventOrigin } from './security-events.ts';
import type { SecurityLog } from './security-log.ts';

export const SESSION_MS = 30 * DAY_MS;

/** "Last seen" is exact to a minute. */
const LAST_SEEN_PRECISION_MS = 60_000;
const AGENT_MAX = 200;

export type Session = {
  readonly id: string;
  readonly accountId: string;
  readonly email: string;
  /** Null: the installation's language. */
  readonly language: 'en' | 'zh-CN' | null;
  /** Whether the console shows live mode or test mode. */
  readonly livemode: boolean;
  /** The address must be confirmed before the account gets live keys and an allowance. */
  readonly awaitsVerification: boolean;
  readonly hasTotp: boolean;
  /** Epoch milliseconds. */
  readonly signedInAt: number;
};

/** The client that signs in. */
export type SessionOrigin = EventOrigin & {
  /** Key of the client address, by which attempts are limited. */
  readonly client: string;
  /** Token in the cookie of a browser with an earlier sign-in. */
  readonly browserToken?: string | null;
};

export type SessionSummary = {
  readonly id: string;
  readonly agent: string;
  readonly network: string;
  /** Epoch ms. */
  readonly createdAt: number;
  readonly seenAt: number | null;
};

export type Sessions = {
  /** Returns the token of a new session. Only the cookie stores the token. */
  begin(accountId: string, from: SessionOrigin, options?: SessionStart): Promise<string>;
  /** Null: the password has changed since `account` was read, which has ended all sessions. */
  beginWithPassword(
    account: Pick<AccountRow, 'id' | 'password_hash'>,
    from: SessionOrigin,
    options?: SessionStart,
  ): Promise<string | null>;
  /** The session of a token; null when the token is unknown or its session has ended. */
  read(token: string): Promise<Session | null>;
  /** Newest first. */
  list(accountId: string): Promise<readonly SessionSummary[]>;
  setMode(session: Session, livemode: boolean): Promise<void>;
  signOut(session: Session): Promise<void>;
  /** Ends one session of the same account. */
  end(session: Session, id: string, origin: EventOrigin): Promise<void>;
  endOthers(session: Session, origin: EventOrigin): Promise<void>;
};

export type SessionStart = {
  /** The mode of the session's first page; live when absent. */
  readonly livemode?: boolean;
  /** The account was created or confirmed in this request, so no mail announces a new browser. */
  readonly isFirst?: boolean;
};

type SessionDeps = {
  readonly browsers: KnownBrowsers;
  readonly securityLog: SecurityLog;
  /** A session ends after this time without a request; null or absent: only at its expiry. */
  readonly idleMs?: number | null;
};

export async function openSessions(
  world: World,
  db: Db,
  { browsers, securityLog, idleMs = null }: SessionDeps,
): Promise<Sessions> {
  const secret = await readSharedSecret(world, db, 'account sessions');
  const hashOf = (token: string) => createHmac('sha256', secret).update(token).digest();
  const signer = openTokenSigner(secret, 'session cookie');
  const now = () => world.clock.now();
  const limits = () => sessionLimits(now(), idleMs);
  const begin = async (
    tx: Db,
    accountId: string,
    from: SessionOrigin,
    { livemode = true, isFirst = false }: SessionStart,
  ): Promise<string> => {
    const token = signer.sign(Buffer.from(world.random.bytes(32)).toString('base64url'));
    const at = now();
    const browser = browsers.read(accountId, from.browserToken ?? null);
    const isKnownBrowser = isFirst || browser !== null;
    await insertSession(tx, {
      id: `sess_${world.ids.next()}`,
      account_id: accountId,
      hash: hashOf(token),
      created_at: at,
      expires_at: at + SESSION_MS,
      livemode,
      seen_at: at,
      agent: from.agent.slice(0, AGENT_MAX),
      network: from.client,
    });
    const kind = isKnownBrowser ? 'signed_in' : 'signed_in_new_browser';
    await securityLog.append(tx, { accountId, origin: from }, { kind, subject: null });
    return token;
  };
  return {
    begin: (accountId, from, start = {}) =>
      inTransaction(db, (tx) => begin(tx, accountId, from, start)),
    beginWithPassword: ({ id, password_hash: hash }, from, start = {}) =>
      inTransaction(db, async (tx) => {
        // A change of the password locks the account as well, and then ends all its sessions.
        const account = await findAccountRow(tx, id, { lock: true });
        return account?.password_hash === hash ? begin(tx, id, from, start) : null;
      }),
    read: async (token) => {
      if (signer.read(token) === null) return null;
      const hash = hashOf(token);
      const row = await findSession(db, hash, limits());
      if (row === null || !timingSafeEqual(row.hash, hash)) return null;
      if (row.seen_at === null || now() - row.seen_at >= LAST_SEEN_PRECISION_MS) {
        await recordSessionUse(db, row.id, now());
      }
      return {
        id: row.id,
        accountId: row.account_id,
        email: row.email,
        language: row.language,
        livemode: row.livemode,
        awaitsVerification: row.awaits_verification,
        hasTotp: row.has_totp,
        signedInAt: row.created_at,
      };
    },
    list: async (accountId) => (await listSessionRows(db, accountId, limits())).map(toSummary),
    setMode: ({ id }, livemode) => setSessionMode(db, id, livemode),
    signOut: ({ accountId, id }) => deleteSessions(db, { accountId, id }),
    end: ({ accountId }, id, origin) =>
      securityLog.record({ accountId, origin }, async (tx) => {
        await deleteSessions(tx, { accountId, id });
        return { outcome: undefined, event: { kind: 'session_ended', subject: null } };
      }),
    endOthers: ({ accountId, id }, origin) =>
      securityLog.record({ accountId, origin }, async (tx) => {
        await deleteSessions(tx, { accountId, exceptSession: id });
        return { outcome: undefined, event: { kind: 'other_sessions_ended', subject: null } };
      }),
  };
}

const toSummary = ({ id, agent, network, created_at, seen_at }: SessionRow): SessionSummary => ({
  id,
  agent,
  network,
  createdAt: created_at,
  seenAt: seen_at,
});
