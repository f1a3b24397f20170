// What was given back of a call, for whoever looks at it.
import type { Db } from '../../../kernel/ports/db.ts';
import { findJournalEntry, type JournalEntry } from '../../../store/ledger/balances.ts';

/** Null: nothing was. A call is refunded once at the most. */
export async function findRefund(
  db: Db,
  call: { readonly accountId: string; readonly livemode: boolean; readonly requestId: string },
): Promise<JournalEntry | null> {
  return findJournalEntry(db, call, `refund:${call.requestId}`);
}
