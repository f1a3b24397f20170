// Only this file writes `outgoing_mails`: mails that no mail server has accepted yet. A mail is
// stored encrypted, in the transaction of the change that it reports.
import { sql } from 'kysely';
import { seal, unseal } from '../../kernel/crypto/seal.ts';
import type { Db } from '../../kernel/ports/db.ts';
import type { World } from '../../kernel/world.ts';
import { instant, sqlOf, toTimestamp } from '../platform/db.ts';
import { notify } from '../platform/notifications.ts';
import { readSharedSecret } from '../platform/secrets.ts';

/** The channel of notifications about new mails. */
export const MAILS_CHANNEL = 'gateway_mails';

export type MailMessage = { readonly to: string; readonly subject: string; readonly text: string };

/** A mail that a worker has claimed. */
export type OutgoingMail = {
  readonly id: string;
  readonly message: MailMessage;
  /** Earlier attempts to send it. */
  readonly tries: number;
};

export type Outbox = {
  /**
   * Stores a mail in the caller's transaction. It is sent after `delayMs` at the earliest, and is
   * no longer sent after `keepMs`.
   */
  enqueue(tx: Db, message: MailMessage, keepMs: number, delayMs?: number): Promise<void>;
  /** Claims up to `max` due mails for `claimMs`. */
  claim(limits: {
    readonly max: number;
    readonly claimMs: number;
  }): Promise<readonly OutgoingMail[]>;
  /** Deletes a mail that was delivered or cannot be delivered. */
  deleteMail(id: string): Promise<void>;
  /** Deletes pending mails to an address, in the caller's transaction. */
  deleteMailsTo(tx: Db, address: string): Promise<void>;
  /** Schedules another attempt at `dueAt`. */
  postpone(
    id: string,
    failedTry: { readonly dueAt: number; readonly error: string },
  ): Promise<void>;
  /** Deletes mails after their `keepMs` and returns the number. */
  deleteExpired(): Promise<number>;
  /** Time of the next due mail; null when none waits. */
  nextDueAt(): Promise<number | null>;
};

export async function openOutbox(world: World, db: Db): Promise<Outbox> {
  const key = await readSharedSecret(world, db, 'outgoing mails');
  const now = () => world.clock.now();
  return {
    enqueue: async (tx, message, keepMs, delayMs = 0) => {
      const id = `mail_${world.ids.next()}`;
      await sqlOf(tx)
        .insertInto('outgoing_mails')
        .values({
          id,
          letter: seal(world, key, id, Buffer.from(JSON.stringify(message))),
          created_at: toTimestamp(now()),
          due_at: toTimestamp(now() + delayMs),
          ends_at: toTimestamp(now() + keepMs),
          tries: 0,
        })
        .execute();
      await notify(tx, MAILS_CHANNEL);
    },
    claim: async ({ max, claimMs }) => {
      const rows = await claimMails(db, { now: now(), until: now() + claimMs, max });
      return rows.flatMap(({ id, letter, tries }) => {
        const text = unseal(key, id, letter);
        // The secret of another installation encrypted this mail. It cannot be read, so it expires.
        if (text === null) return [];
        return [{ id, tries, message: JSON.parse(text.toString()) as MailMessage }];
      });
    },
    deleteMail: async (id) => {
      await sqlOf(db).deleteFrom('outgoing_mails').where('id', '=', id).execute();
    },
    deleteMailsTo: async (tx, address) => {
      const rows = await sqlOf(tx).selectFrom('outgoing_mails').select(['id', 'letter']).execute();
      const hasRecipient = ({ id, letter }: { readonly id: string; readonly letter: Buffer }) => {
        const text = unseal(key, id, letter);
        return text !== null && (JSON.parse(text.toString()) as MailMessage).to === address;
      };
      const ids = rows.filter(hasRecipient).map(({ id }) => id);
      if (ids.length === 0) return;
      await sqlOf(tx).deleteFrom('outgoing_mails').where('id', 'in', ids).execute();
    },
    postpone: async (id, { dueAt, error }) => {
      await sqlOf(db)
        .updateTable('outgoing_mails')
        .set({
          due_at: toTimestamp(dueAt),
          claimed_until: null,
          last_error: error,
          tries: sql`tries + 1`,
        })
        .where('id', '=', id)
        .execute();
    },
    deleteExpired: async () => {
      const { numDeletedRows } = await sqlOf(db)
        .deleteFrom('outgoing_mails')
        .where('ends_at', '<=', instant(now()))
        .executeTakeFirst();
      return Number(numDeletedRows);
    },
    nextDueAt: async () => {
      const row = await sqlOf(db)
        .selectFrom('outgoing_mails')
        .select('due_at')
        .orderBy('due_at')
        .limit(1)
        .executeTakeFirst();
      return row?.due_at ?? null;
    },
  };
}

type Claim = { readonly now: number; readonly until: number; readonly max: number };
type ClaimedMail = { readonly id: string; readonly letter: Buffer; readonly tries: number };

/** Longest due first. */
async function claimMails(db: Db, { now, until, max }: Claim): Promise<readonly ClaimedMail[]> {
  const at = sql`${toTimestamp(now)}::timestamptz`;
  const { rows } = await sql<ClaimedMail>`
    WITH due AS (
      SELECT id FROM outgoing_mails
      WHERE due_at <= ${at} AND ends_at > ${at}
        AND (claimed_until IS NULL OR claimed_until <= ${at})
      ORDER BY due_at, id LIMIT ${max} FOR UPDATE SKIP LOCKED
    )
    UPDATE outgoing_mails m SET claimed_until = ${toTimestamp(until)}::timestamptz
    FROM due WHERE m.id = due.id RETURNING m.id, m.letter, m.tries`.execute(sqlOf(db));
  return rows;
}
