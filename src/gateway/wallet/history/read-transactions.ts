// Lists the journal entries of a wallet outside of calls, newest first.
import type { Db } from '../../../kernel/ports/db.ts';
import { type JournalEntry, readJournal } from '../../../store/ledger/balances.ts';

export async function listTransactions(
  db: Db,
  query: {
    readonly accountId: string;
    readonly livemode: boolean;
    /** Only entries with smaller sequence numbers. */
    readonly before: number | null;
    readonly limit: number;
  },
): Promise<readonly JournalEntry[]> {
  const { before, limit } = query;
  return readJournal(db, query, { before, limit });
}
