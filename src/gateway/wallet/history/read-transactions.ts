// Journal entries of a wallet outside of calls, newest first.
import type { Db } from '../../../kernel/ports/db.ts';
import { type JournalEntry, readJournal } from '../../../store/ledger/balances.ts';

export async function listTransactions(
  db: Db,
  asked: {
    readonly accountId: string;
    readonly livemode: boolean;
    /** Only entries with smaller sequence numbers. */
    readonly before: number | null;
    readonly limit: number;
  },
): Promise<readonly JournalEntry[]> {
  const { before, limit } = asked;
  return readJournal(db, asked, { before, limit });
}
