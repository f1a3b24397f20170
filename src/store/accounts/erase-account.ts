// Erases the personal data of an account, table by table. A test compares the list with the schema,
// so every table that refers to an account is in the list.
import type { Db } from '../../kernel/ports/db.ts';
import { eraseInviteNotes } from '../gateway/account-invites.ts';
import { deleteMailTokens } from '../gateway/account-mail-tokens.ts';
import { replaceRecoveryCodes } from '../gateway/account-recovery-codes.ts';
import { deleteSessions } from '../gateway/account-sessions.ts';
import { eraseApiKeys } from '../gateway/api-keys.ts';
import { deleteBalanceAlerts } from '../gateway/balance-alerts.ts';
import { deleteCallRequests, deleteRequestLogOff } from '../gateway/call-requests.ts';
import { eraseJobs } from '../gateway/gateway-jobs.ts';
import { deleteKeyRates } from '../gateway/key-rates.ts';
import { eraseCheckoutAddresses } from '../gateway/top-ups.ts';
import { deleteEndpoints } from '../gateway/webhook-endpoints.ts';
import { deleteEvents } from '../gateway/webhook-events.ts';
import { eraseCalls } from '../ledger/erase-calls.ts';
import { eraseSecurityLog } from './security-log.ts';

type ErasedAccount = {
  readonly id: string;
  readonly now: number;
  /** Calls since this time; null: all calls. */
  readonly callsSince: number | null;
};

export type TableErasure = {
  readonly table: string;
  /** `rows`: the rows are deleted. A list: these columns are emptied. `nothing`: rows stay. */
  readonly erases: 'rows' | 'nothing' | readonly string[];
  /** The reason why the remaining data stay; null: nothing stays. */
  readonly retentionReason: string | null;
  /** Absent: nothing is erased, or the erasure of another table does it. */
  readonly erase?: (tx: Db, account: ErasedAccount) => Promise<void>;
};

const erasedTable = (table: string, erase?: TableErasure['erase']): TableErasure =>
  erase === undefined
    ? { table, erases: 'rows', retentionReason: null }
    : { table, erases: 'rows', retentionReason: null, erase };

const retainedTable = (table: string, retentionReason: string): TableErasure => ({
  table,
  erases: 'nothing',
  retentionReason,
});

const LEDGER_REASON =
  'amounts, ids and times of the ledger, under an id that belongs to no person any more';

/** In the order of the erasure: rows that refer to others come first. */
export const accountErasures: readonly TableErasure[] = [
  {
    table: 'accounts',
    erases: [
      ...(['email', 'password_hash', 'language', 'network', 'totp_secret', 'totp_step'] as const),
      ...(['alert_mails', 'awaits_verification'] as const),
    ],
    retentionReason:
      'the id, to which the ledger refers, with its limits and the time of the deletion',
    // No `erase`: `markAccountDeleted` has emptied the row before.
  },
  erasedTable('account_sessions', (tx, { id }) => deleteSessions(tx, { accountId: id })),
  erasedTable('account_recovery_codes', (tx, { id }) => replaceRecoveryCodes(tx, id, [])),
  erasedTable('account_mail_tokens', (tx, { id }) => deleteMailTokens(tx, id)),
  erasedTable('account_security_log', (tx, { id }) => eraseSecurityLog(tx, id)),
  {
    table: 'account_invites',
    erases: ['note'],
    retentionReason: 'the code counts as used',
    erase: (tx, { id }) => eraseInviteNotes(tx, id),
  },
  erasedTable('key_rates', (tx, { id }) => deleteKeyRates(tx, id)),
  {
    table: 'api_keys',
    erases: ['name', 'networks', 'wish', 'last_used_at', 'hash'],
    retentionReason: 'calls refer to the id; the visible characters of a key identify no person',
    erase: (tx, { id, now }) => eraseApiKeys(tx, id, now),
  },
  // Deliveries are deleted with their endpoint.
  erasedTable('webhook_deliveries'),
  erasedTable('webhook_endpoints', (tx, { id }) => deleteEndpoints(tx, id)),
  erasedTable('webhook_events', (tx, { id }) => deleteEvents(tx, id)),
  erasedTable('balance_alerts', (tx, { id }) => deleteBalanceAlerts(tx, id)),
  erasedTable('call_requests', (tx, { id }) => deleteCallRequests(tx, id)),
  erasedTable('request_log_off', (tx, { id }) => deleteRequestLogOff(tx, id)),
  erasedTable('jobs', (tx, { id, now }) => eraseJobs(tx, id, now)),
  erasedTable('answers', (tx, { id, callsSince }) => eraseCalls(tx, id, callsSince)),
  // The function that erases `answers` also erases these two tables.
  erasedTable('idempotency_keys'),
  {
    table: 'calls',
    erases: ['idempotency_key', 'freed_key', 'fingerprint'],
    retentionReason: LEDGER_REASON,
  },
  {
    table: 'top_ups',
    erases: ['session_url'],
    retentionReason: 'the audit compares payments with the journal, and refunds need their ids',
    erase: (tx, { id }) => eraseCheckoutAddresses(tx, id),
  },
  retainedTable('top_up_refunds', 'debts depend on these ids and amounts'),
  retainedTable('top_up_disputes', 'debts depend on these ids and amounts'),
  retainedTable(
    'entries',
    'the hash chain covers every entry, with the reasons that operators wrote',
  ),
  retainedTable(
    'entry_references',
    'references of journal entries, so that no reference is posted twice',
  ),
  ...['wallets', 'books', 'key_spending', 'usage_days'].map((table) =>
    retainedTable(table, LEDGER_REASON),
  ),
  retainedTable('checkpoint_balances', 'copies of balances, which the hash of a checkpoint covers'),
  retainedTable(
    'checkpoint_usage',
    'copies of sums of usage, which the hash of a checkpoint covers',
  ),
  retainedTable('usage_running', 'ids of running calls; a row is deleted with the end of its call'),
  retainedTable('deadlines', 'due times of holds; a row is deleted with the end of its hold'),
  retainedTable('relay_usage', 'counts of tokens, by id; deleted after a week'),
  retainedTable('relay_usage_days', 'sums of tokens, by id'),
  retainedTable('voucher_codes', 'a code counts as redeemed, and one account redeems a batch once'),
  retainedTable('voucher_batches', 'the rows refer to no account'),
  retainedTable('provider_health', 'the rows refer to no account'),
  retainedTable('operator_audit', 'append-only: actions of operators, with the id of the account'),
];

/** Runs in the caller's transaction. A repeated erasure deletes data that was added meanwhile. */
export async function eraseAccountData(tx: Db, account: ErasedAccount): Promise<void> {
  for (const { erase } of accountErasures) await erase?.(tx, account);
}
