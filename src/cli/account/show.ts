// `radar account show`: the balances of an account and its latest money movements.
import { readAccountMoney } from '../../gateway/wallet/history/read-account.ts';
import { listTransactions } from '../../gateway/wallet/history/read-transactions.ts';
import { formatCny } from '../../kernel/money.ts';
import { toWireTime } from '../../kernel/time/calendar.ts';
import type { App } from '../app.ts';
import { textTable } from '../text-table.ts';
import { requireAccount } from './find-account.ts';

type ShowOptions = { readonly test?: boolean; readonly json?: boolean; readonly entries: number };

export async function showMoney(app: App, account: string, options: ShowOptions): Promise<void> {
  const overview = await app.withApp(async ({ world, db }) => {
    const { id, email, status } = await requireAccount(db, account);
    const wallet = { accountId: id, livemode: !options.test };
    const money = await readAccountMoney(world, db, wallet);
    const entries = await listTransactions(db, { ...wallet, before: null, limit: options.entries });
    return { id, email, status, livemode: wallet.livemode, ...money, transactions: entries };
  });
  const inCny = (_key: string, value: unknown) =>
    typeof value === 'bigint' ? formatCny(value) : value;
  if (options.json) return app.terminal.out(`${JSON.stringify(overview, inCny, 2)}\n`);
  const { balance, allowance, vouchers, quotas, transactions } = overview;
  const rows = [
    ['account', `${overview.id} ${overview.email} (${overview.status})`],
    ['mode', overview.livemode ? 'live' : 'test'],
    ['cash', formatCny(balance.cash)],
    ['vouchers', formatCny(balance.vouchers)],
    ['held', formatCny(balance.held)],
    ['free today', `${formatCny(allowance.remaining)} of ${formatCny(allowance.amount)}`],
    ['calls', `${quotas.day.used} today, ${quotas.month.used} this month`],
    ...vouchers.map(({ id, name, remaining, expiresAt }) => [
      `voucher ${id}`,
      `${formatCny(remaining)} of ${name}, ` +
        (expiresAt ? `until ${toWireTime(expiresAt)}` : 'without expiry'),
    ]),
  ];
  app.terminal.out(textTable(rows));
  if (transactions.length === 0) return;
  const lines = transactions.flatMap(({ at, kind, moves, reason }) =>
    moves.map(({ source, target, amount }) => [
      ...[toWireTime(at), kind, formatCny(amount), `${source} → ${target}`, reason ?? ''],
    ]),
  );
  app.terminal.out(`\n${textTable([['time', 'entry', 'CNY', 'from → to', 'reason'], ...lines])}`);
}
