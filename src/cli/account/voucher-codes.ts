// `radar account voucher-codes …`: codes that accounts redeem for vouchers. The codes of a batch
// are printed once, as CSV, and cannot be shown again.
import {
  listVoucherBatches,
  makeVoucherBatch,
  withdrawVoucherBatch,
} from '../../gateway/wallet/credits/voucher-codes.ts';
import { Fault } from '../../kernel/errors/fault.ts';
import { formatCny } from '../../kernel/money.ts';
import { formatCsv } from '../../kernel/text/csv.ts';
import { parseWireTime, toWireTime } from '../../kernel/time/calendar.ts';
import { DAY_MS } from '../../kernel/time/durations.ts';
import type { App } from '../app.ts';
import { textTable } from '../text-table.ts';
import { parseAmount } from './credit.ts';

type MakeOptions = {
  readonly count: number;
  readonly days: number;
  readonly redeemDays: number;
  readonly until?: string;
  readonly name: string;
  readonly onePerAccount?: boolean;
};

export async function makeCodes(app: App, cny: string, options: MakeOptions): Promise<void> {
  const amount = parseAmount(cny);
  const until = options.until === undefined ? null : parseWireTime(options.until);
  if (options.until !== undefined && until === null) {
    throw new Fault('invalid_request', `--until "${options.until}" is no RFC 3339 time.`);
  }
  await app.withApp(async ({ world, db }) => {
    const redeemUntil = until ?? world.clock.now() + options.redeemDays * DAY_MS;
    const { id, codes } = await makeVoucherBatch(world, db, {
      name: options.name,
      amount,
      count: options.count,
      daysValid: options.days,
      redeemUntil,
      onePerAccount: options.onePerAccount ?? false,
      actor: 'command line',
    });
    const end = toWireTime(redeemUntil);
    app.terminal.note(
      `${id}: ${codes.length} codes of ${formatCny(amount)} CNY, shown only once.\n`,
    );
    const head = ['code', 'amount_cny', 'redeem_until', 'days_valid'];
    const rows = codes.map((code) => [code, formatCny(amount), end, options.days]);
    app.terminal.out(formatCsv([head, ...rows]));
  });
}

export async function listCodes(app: App, isJson: boolean): Promise<void> {
  const batches = await app.withApp(({ db }) => listVoucherBatches(db));
  const rows = batches.map((batch) => ({
    ...batch,
    amount: formatCny(batch.amount),
    redeemUntil: toWireTime(batch.redeemUntil),
    madeAt: toWireTime(batch.madeAt),
    withdrawnAt: batch.withdrawnAt === null ? null : toWireTime(batch.withdrawnAt),
  }));
  if (isJson) return app.terminal.out(`${JSON.stringify(rows, null, 2)}\n`);
  if (rows.length === 0) return app.terminal.out('No batches of codes yet.\n');
  const head = ['id', 'name', 'cny', 'redeemed', 'valid', 'redeem until', 'made'];
  const cells = rows.map((row) => [
    ...[row.id, row.name, row.amount, `${row.redeemed} of ${row.count}`, `${row.daysValid} days`],
    ...[row.withdrawnAt === null ? row.redeemUntil : 'withdrawn', row.madeAt],
  ]);
  app.terminal.out(textTable([head, ...cells]));
}

export async function withdrawCodes(app: App, id: string): Promise<void> {
  const isWithdrawn = await app.withApp(({ world, db }) => withdrawVoucherBatch(world, db, id));
  if (!isWithdrawn) throw new Fault('not_found', `There is no batch ${id} to withdraw.`);
  app.terminal.out(`${id} is withdrawn; vouchers of codes that were redeemed stay valid.\n`);
}
