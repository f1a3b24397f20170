// Writes and reads the security log of an account. The transaction of a change also inserts its
// event. The owner receives a mail about events that another person could have caused.
import type { Db } from '../../kernel/ports/db.ts';
import { DAY_MS } from '../../kernel/time/durations.ts';
import type { World } from '../../kernel/world.ts';
import {
  deleteSecurityEvents,
  insertSecurityEvent,
  listSecurityEvents,
  type SecurityEventRow,
  type SecurityLogPosition,
} from '../../store/accounts/security-log.ts';
import { findAccountRow, lockAccount } from '../../store/gateway/accounts.ts';
import type { Outbox } from '../../store/gateway/outgoing-mails.ts';
import { takeAttempt } from '../../store/operators/sign-in-attempts.ts';
import { inTransaction } from '../../store/platform/db.ts';
import type { MailSite } from './mail/mail-site.ts';
import { securityMail } from './mail/security-mail.ts';
import type {
  EventOrigin,
  SecurityEvent,
  SecurityEventKind,
  SecurityLogEntry,
} from './security-events.ts';

type EventOwner = { readonly accountId: string; readonly origin: EventOrigin };

export type SecurityLog = {
  /** Runs in the caller's transaction. */
  append(tx: Db, owner: EventOwner, event: SecurityEvent): Promise<void>;
  /** Runs `work` in one transaction with its event; `event` null: nothing was changed. */
  record<T>(
    owner: EventOwner,
    work: (tx: Db) => Promise<{ readonly outcome: T; readonly event: SecurityEvent | null }>,
  ): Promise<T>;
  /**
   * Records a sign-in that was refused after too many attempts, at a limited rate. `accountId`
   * null: no account has this address; the call then takes the same time.
   */
  recordLockedSignIn(
    email: string,
    owner: { accountId: string | null } & Omit<EventOwner, 'accountId'>,
  ): Promise<void>;
};

/** Limit of recorded events per address: three at once, then one an hour. */
const LOCK_EVENT_RATE = { perSecond: 1 / 3_600, burst: 3 };
const NOTICE_MS = DAY_MS;
const RETENTION_MS = 365 * DAY_MS;
const AGENT_MAX = 200;
const SUBJECT_MAX = 200;

/** `mails` null: no mail is sent. */
export function openSecurityLog(
  world: World,
  db: Db,
  mails: { readonly site: MailSite; readonly outbox: Outbox } | null,
): SecurityLog {
  const append: SecurityLog['append'] = async (tx, { accountId, origin }, { kind, subject }) => {
    const entry: SecurityLogEntry = {
      id: `event_${world.ids.next()}`,
      at: world.clock.now(),
      kind,
      subject: subject === null ? null : subject.slice(0, SUBJECT_MAX),
      address: origin.address,
      agent: origin.agent.slice(0, AGENT_MAX),
    };
    await insertSecurityEvent(tx, { ...entry, account_id: accountId });
    const account = mails === null ? null : await findAccountRow(tx, accountId);
    // An unconfirmed address may belong to a stranger, so it receives no mail.
    if (mails === null || account === null || account.awaits_verification) return;
    const recipient = { to: account.email, language: account.language ?? mails.site.language };
    const mail = securityMail(mails.site, recipient, entry);
    if (mail !== null) await mails.outbox.enqueue(tx, mail, NOTICE_MS);
  };
  return {
    append,
    record: (owner, work) =>
      inTransaction(db, async (tx) => {
        // The event refers to the account. Locked last, it would wait for an erasure that waits for
        // the rows of `work`.
        await lockAccount(tx, owner.accountId);
        const { outcome, event } = await work(tx);
        if (event !== null) await append(tx, owner, event);
        return outcome;
      }),
    recordLockedSignIn: async (email, { accountId, origin }) => {
      const attempt = await takeAttempt(
        db,
        world.clock.now(),
        `locked sign-in of ${email}`,
        LOCK_EVENT_RATE,
      );
      if (accountId === null || !attempt.isAllowed) return;
      await append(db, { accountId, origin }, { kind: 'sign_in_locked', subject: null });
    },
  };
}

const entryOf = ({ account_id: _owner, kind, ...fields }: SecurityEventRow): SecurityLogEntry => ({
  ...fields,
  kind: kind as SecurityEventKind,
});

/** Newest first. `before`: the position of the last entry of the previous page. */
export async function readSecurityLog(
  db: Db,
  accountId: string,
  { before, limit }: { readonly before: SecurityLogPosition | null; readonly limit: number },
): Promise<readonly SecurityLogEntry[]> {
  return (await listSecurityEvents(db, accountId, { last: before, limit })).map(entryOf);
}

const BATCH_ROWS = 500;

/** All entries of an account, newest first, read in batches. */
export async function* readAllSecurityEvents(
  db: Db,
  accountId: string,
): AsyncGenerator<SecurityLogEntry, void> {
  let before: SecurityLogPosition | null = null;
  do {
    const entries: readonly SecurityLogEntry[] = await readSecurityLog(db, accountId, {
      before,
      limit: BATCH_ROWS,
    });
    yield* entries;
    before = entries.length < BATCH_ROWS ? null : (entries.at(-1) ?? null);
  } while (before !== null);
}

/** Deletes events after a year. A worker calls this function once a minute. */
export const deleteOldSecurityEvents = (world: World, db: Db): Promise<void> =>
  deleteSecurityEvents(db, world.clock.now() - RETENTION_MS);
