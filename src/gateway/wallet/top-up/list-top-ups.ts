// Top-ups as they stand here, newest first: an account's, or those that operators should settle,
// because what was paid was not what was asked for, or what was given back had been spent.
import type { Db } from '../../../kernel/db.ts';
import { listTopUps } from '../../../store/top-ups.ts';
import { type TopUp, topUpOf } from './top-up.ts';

export type WhichTopUps = { readonly accountId: string } | 'troubled' | 'all';

export async function topUpsOf(
  db: Db,
  which: WhichTopUps,
  limit: number,
): Promise<readonly TopUp[]> {
  const filter = which === 'all' ? {} : which === 'troubled' ? { isTroubled: true } : which;
  return (await listTopUps(db, { ...filter, limit })).map(topUpOf);
}
