// Which account, and which of its two books, an address is about.
import { Fault } from '../../../kernel/errors/fault.ts';
import { type Account, findAccount } from '../../accounts/account.ts';
import type { AdminAsked, DeskContext } from '../admin-context.ts';

/** A Fault unless there is one of that very id. */
export async function accountNamed({ db }: DeskContext, { params }: AdminAsked): Promise<Account> {
  const id = params.id ?? '';
  const account = await findAccount(db, id);
  if (account === null || account.id !== id) throw new Fault('not_found', 'No such account.');
  return account;
}

export const isLive = ({ query }: AdminAsked): boolean => query.get('mode') !== 'test';
