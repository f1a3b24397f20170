// Reads the account and its mode, live or test, from the path of a request.
import { Fault } from '../../../kernel/errors/fault.ts';
import { type Account, findAccount } from '../../accounts/account.ts';
import type { GatewayAdminContext, GatewayAdminRequest } from '../admin-context.ts';

/** Throws a Fault unless an account has exactly this id. */
export async function accountNamed(
  { db }: GatewayAdminContext,
  { params }: GatewayAdminRequest,
): Promise<Account> {
  const id = params.id ?? '';
  const account = await findAccount(db, id);
  if (account === null || account.id !== id) throw new Fault('not_found', 'No such account.');
  return account;
}

export const isLive = ({ query }: GatewayAdminRequest): boolean => query.get('mode') !== 'test';
