// Sign-in of operators. The browser's cookie has a signed token, and the database has its HMAC.
// Failed attempts are limited per address and over all addresses, before any password is hashed.
// The limits are in the database, so all processes share them. A browser that signed in before has
// a separate limit.
import { createHmac } from 'node:crypto';
import { verifyPassword } from '../kernel/crypto/password.ts';
import type { SecondFactor } from '../kernel/crypto/second-factor.ts';
import { openTokenSigner } from '../kernel/crypto/token-signer.ts';
import { Fault } from '../kernel/errors/fault.ts';
import type { Db } from '../kernel/ports/db.ts';
import { HOUR_MS, MINUTE_MS } from '../kernel/time/durations.ts';
import { openFormTokens } from '../kernel/web/form-token.ts';
import { openKnownBrowsers } from '../kernel/web/known-browser.ts';
import type { AreaSessions } from '../kernel/web/operator-area.ts';
import type { World } from '../kernel/world.ts';
import {
  deleteOperatorSession,
  deleteOperatorSessions,
  findOperatorSession,
  insertOperatorSession,
  listOperatorSessions,
  recordOperatorSessionUse,
} from '../store/operators/operator-sessions.ts';
import {
  findOperatorByName,
  findOperatorRow,
  lockOperator,
  type OperatorRole,
} from '../store/operators/operators.ts';
import {
  type AttemptKey,
  takeAttempts,
  undoAttempts,
} from '../store/operators/sign-in-attempts.ts';
import { inTransaction } from '../store/platform/db.ts';
import { readSharedSecret } from '../store/platform/secrets.ts';
import { sessionLimits } from '../store/platform/session-limits.ts';
import { withAudit } from './audit-log.ts';
import {
  acceptOperatorInvitation,
  FIRST_OWNER,
  listOperators,
  readInvitation,
} from './operators.ts';
import { requiresSecondFactor } from './roles.ts';
import { openOperatorFactor } from './second-factor.ts';

export const SESSION_MS = 12 * HOUR_MS;

/** Limit per address: five at once, then one every twenty seconds. */
const CLIENT_RATE = { perSecond: 1 / 20, burst: 5 };
/**
 * Limit over all addresses. The verification of one guess takes 19 MiB of memory and tens of
 * milliseconds of processor time.
 */
const TOTAL_RATE = { perSecond: 1, burst: 20 };

/** A browser in which one operator signed in is known for all operators and both admin areas. */
const BROWSER_SUBJECT = 'operators';

export type OperatorSession = {
  readonly id: string;
  readonly operatorId: string;
  /** The name of the operator, which the audit log records. */
  readonly name: string;
  readonly role: OperatorRole;
  readonly hasTotp: boolean;
  /** The address of the current client, for the audit log. */
  readonly address: string;
  readonly signedInAt: number;
  readonly expiresAt: number;
};

export type OpenOperatorSession = {
  readonly id: string;
  readonly client: string;
  readonly signedInAt: number;
};

export type OperatorSessions = AreaSessions<OperatorSession> & {
  readonly factor: SecondFactor;
  /** Whether the operator must set up a second factor before using other pages. */
  needsFactor(session: OperatorSession): boolean;
  /** Opens a session of an owner without a password. The caller has checked the access before. */
  signInAsOwner(): Promise<string>;
  /** Whether this is the password of the session's operator; attempts are limited by session. */
  isPassword(session: OperatorSession, password: string): Promise<boolean>;
  /** Sessions of the session's operator, newest first. */
  list(session: OperatorSession): Promise<readonly OpenOperatorSession[]>;
  endOthers(session: OperatorSession): Promise<void>;
};

export type OperatorSessionOptions = {
  /** Other machines reach the admin areas, so owners and treasurers need a second factor. */
  readonly isPublic?: boolean;
  /** A session ends after this time without a request; null or absent: only at its expiry. */
  readonly idleMs?: number | null;
};

/** The time of a session's last request is stored at most once in this period. */
const TOUCH_MS = MINUTE_MS;

export async function openOperatorSessions(
  world: World,
  db: Db,
  { isPublic = false, idleMs = null }: OperatorSessionOptions = {},
): Promise<OperatorSessions> {
  const secret = await readSharedSecret(world, db, 'operator sessions');
  const digest = (purpose: string, text: string) =>
    createHmac('sha256', secret).update(`${purpose}\n${text}`).digest();
  const tokens = openFormTokens(world, secret);
  const browsers = openKnownBrowsers(world, secret);
  const signer = openTokenSigner(secret, 'session cookie');
  const factor = await openOperatorFactor(world, db);
  const limitsNow = () => sessionLimits(world.clock.now(), idleMs);
  const openSession = async (tx: Db, operatorId: string, client: string): Promise<string> => {
    const token = signer.sign(Buffer.from(world.random.bytes(32)).toString('base64url'));
    const now = world.clock.now();
    await insertOperatorSession(tx, {
      id: `opsess_${world.ids.next()}`,
      operator_id: operatorId,
      hash: digest('session', token),
      client,
      created_at: now,
      expires_at: now + SESSION_MS,
      seen_at: now,
    });
    return token;
  };
  return {
    ...tokens,
    factor,
    needsFactor: ({ role, hasTotp }) => isPublic && !hasTotp && requiresSecondFactor(role),
    signInAsOwner: async () => {
      const owners = (await listOperators(db)).filter(({ role }) => role === 'owner');
      const owner = owners.find(({ invitedUntil }) => invitedUntil === null);
      if (owner === undefined) throw new Fault('not_found', 'There is no owner.');
      return openSession(db, owner.id, '');
    },
    signIn: async ({ password, name, code = '', client, browserToken = null }) => {
      const browser = browsers.read(BROWSER_SUBJECT, browserToken);
      const attemptKeys: readonly AttemptKey[] =
        browser === null
          ? [
              [`operators client ${client}`, CLIENT_RATE],
              ['operators all', TOTAL_RATE],
            ]
          : [[`operators browser ${browser}`, CLIENT_RATE]];
      const waitMs = await takeAttempts(db, world.clock.now(), attemptKeys);
      if (waitMs > 0) return { kind: 'too_many', waitMs };
      const operator = await findOperatorByName(db, name.trim() || FIRST_OWNER);
      if (!(await verifyPassword(operator?.hash ?? null, password)) || operator === null) {
        return { kind: 'refused' };
      }
      if (operator.totp_secret !== null) {
        if (code.trim() === '') {
          await undoAttempts(db, attemptKeys);
          return { kind: 'code_needed' };
        }
        const codeCheck = await factor.consumeCode(operator.id, code, browser);
        if (codeCheck.kind === 'too_many') return codeCheck;
        if (codeCheck.kind === 'refused') return { kind: 'code_refused' };
      }
      await undoAttempts(db, attemptKeys);
      const token = await inTransaction(db, async (tx) => {
        // A change of the password locks the operator as well, and then ends all sessions.
        const current = await lockOperator(tx, operator.id);
        return current?.hash === operator.hash ? openSession(tx, operator.id, client) : null;
      });
      if (token === null) return { kind: 'refused' };
      return { kind: 'signed_in', token, browserToken: browsers.issue(BROWSER_SUBJECT) };
    },
    read: async (token, address) => {
      if (signer.read(token) === null) return null;
      const limits = limitsNow();
      const row = await findOperatorSession(db, digest('session', token), limits);
      if (row === null) return null;
      if (limits.now - (row.seen_at ?? 0) >= TOUCH_MS)
        await recordOperatorSessionUse(db, row.id, limits.now);
      return {
        id: row.id,
        operatorId: row.operator_id,
        name: row.name,
        role: row.role,
        hasTotp: row.hasTotp,
        address,
        signedInAt: row.created_at,
        expiresAt: row.expires_at,
      };
    },
    signOut: ({ id }) => deleteOperatorSession(db, id),
    isPassword: async ({ id, operatorId }, password) => {
      const attemptKeys: readonly AttemptKey[] = [[`operator password ${id}`, CLIENT_RATE]];
      if ((await takeAttempts(db, world.clock.now(), attemptKeys)) > 0) return false;
      const isCorrect = await verifyPassword(
        (await findOperatorRow(db, operatorId))?.hash ?? null,
        password,
      );
      if (isCorrect) await undoAttempts(db, attemptKeys);
      return isCorrect;
    },
    list: async ({ operatorId }) => {
      const rows = await listOperatorSessions(db, operatorId, limitsNow());
      return rows.map(({ id, client, created_at }) => ({ id, client, signedInAt: created_at }));
    },
    endOthers: (session) =>
      withAudit(world, db, session, async (tx) => {
        await deleteOperatorSessions(tx, session.operatorId, session.id);
        const entry = { action: 'end_sessions', kind: 'operator', subject: session.name };
        return { outcome: undefined, entry: { ...entry, before: {}, after: {}, note: null } };
      }),
    readInvitation: async (token) => (await readInvitation(world, db, token))?.name ?? null,
    acceptInvitation: (input) => acceptOperatorInvitation(world, db, input),
  };
}
