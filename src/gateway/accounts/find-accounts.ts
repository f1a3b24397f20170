// Searches accounts for operators.
import type { Db } from '../../kernel/ports/db.ts';
import type { World } from '../../kernel/world.ts';
import {
  countAccounts,
  type FoundAccount,
  readAccountEmails,
  searchAccounts,
} from '../../store/gateway/account-search.ts';
import type { AccountStatus } from '../../store/gateway/accounts.ts';

export type { FoundAccount } from '../../store/gateway/account-search.ts';

/** Newest first. `searchText`: part of an address or an id. */
export async function findAccounts(
  { clock }: World,
  db: Db,
  filter: {
    readonly searchText: string;
    readonly status: AccountStatus | null;
    readonly limit: number;
    readonly skip: number;
  },
): Promise<readonly FoundAccount[]> {
  const searchText = filter.searchText.trim().toLowerCase();
  return searchAccounts(db, { ...filter, searchText }, clock.now());
}

export const countAccountsByStatus = (db: Db) => countAccounts(db);

/** E-mail addresses by account id. */
export const readEmails = (db: Db, ids: readonly string[]) => readAccountEmails(db, ids);
