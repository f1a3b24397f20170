// `radar account top-ups`: payments at the checkout, and those that need an operator.
import {
  listSelectedTopUps,
  type TopUpSelection,
} from '../../gateway/wallet/top-ups/list-top-ups.ts';
import { formatCny } from '../../kernel/money.ts';
import { toWireTime } from '../../kernel/time/calendar.ts';
import type { App } from '../app.ts';
import { textTable } from '../text-table.ts';
import { requireAccount } from './find-account.ts';

const LISTED_MAX = 200;

export async function listAccountTopUps(
  app: App,
  account: string | undefined,
  { troubled = false, json = false }: { readonly troubled?: boolean; readonly json?: boolean },
): Promise<void> {
  const topUps = await app.withApp(async ({ db }) => {
    const allAccounts = troubled ? 'troubled' : 'all';
    const selection: TopUpSelection =
      account === undefined ? allAccounts : { accountId: (await requireAccount(db, account)).id };
    return listSelectedTopUps(db, selection, LISTED_MAX);
  });
  const time = (at: number | null) => (at === null ? null : toWireTime(at));
  const rows = topUps.map((row) => ({
    id: row.id,
    account: row.accountId,
    state: row.state,
    amount: formatCny(row.amount),
    refunded: formatCny(row.refunded),
    disputed: formatCny(row.disputed),
    owed: formatCny(row.unreclaimed),
    forgiven: formatCny(row.forgiven),
    problem: row.problem,
    session: row.sessionId,
    begunAt: time(row.begunAt),
    creditedAt: time(row.creditedAt),
  }));
  if (json) return app.terminal.out(`${JSON.stringify(rows, null, 2)}\n`);
  if (rows.length === 0) return app.terminal.out('There are no top-ups.\n');
  const head = [
    'id',
    'account',
    'state',
    'cny',
    'refunded',
    'disputed',
    'owed',
    'problem',
    'begun',
  ];
  const cells = rows.map((row) => [
    ...[row.id, row.account, row.state, row.amount, row.refunded, row.disputed, row.owed],
    ...[row.problem ?? '', row.begunAt ?? ''],
  ]);
  app.terminal.out(textTable([head, ...cells]));
}
