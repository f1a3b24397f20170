// Finds the account that the path of a request names. The query has the mode, live or test.
import { Fault } from '../../../kernel/errors/fault.ts';
import { type Account, findAccount } from '../../accounts/account.ts';
import type { GatewayAdminContext, GatewayAdminRequest } from '../admin-context.ts';

/** Finds an account that was not deleted, for pages that change accounts. */
export async function requireExistingAccount(
  context: GatewayAdminContext,
  request: GatewayAdminRequest,
): Promise<Account> {
  const account = await requireAccount(context, request);
  if (account.status !== 'deleted') return account;
  throw new Fault('not_found', 'This account was deleted. Only its ledger entries remain.', {
    inChinese: '此账号已删除，只保留账目。',
  });
}

/**
 * Finds an account, including a deleted account. Throws a Fault unless an account has exactly this
 * id.
 */
export async function requireAccount(
  { db }: GatewayAdminContext,
  { params }: GatewayAdminRequest,
): Promise<Account> {
  const id = params.id ?? '';
  const account = await findAccount(db, id);
  if (account === null || account.id !== id) throw new Fault('not_found', 'No such account.');
  return account;
}

/** False when the query of the page selects test mode. */
export const isLive = ({ query }: GatewayAdminRequest): boolean => query.get('mode') !== 'test';
