// `radar account credit|voucher|voucher-codes|top-ups|refund|show`: an account's money. The modules
// of a command are loaded when it runs.
import { Command } from 'commander';
import type { App } from '../app.ts';
import { requireOptions, wholeNumber } from '../program-values.ts';

export function moneyCommands(app: App): readonly Command[] {
  return [
    ...[creditCommand(app), voucherCommand(app), voucherCodesCommand(app)],
    ...[topUpsCommand(app), refundCommand(app), showCommand(app)],
  ];
}

const accountSubcommand = (name: string, description: string) =>
  new Command(name).description(description).argument('<account>', 'id or e-mail address');

function creditCommand(app: App): Command {
  return accountSubcommand(
    'credit',
    'Gives cash to an account, or with an amount below zero takes it out.',
  )
    .argument('<cny>', 'as a decimal, such as 100 or -2.50 (then after --)')
    .option('--reason <text>', 'the reason, for the audit log', 'by an operator')
    .option('--reference <text>', 'the same reference counts once, however often it is given')
    .option('--paid', 'it was paid: a top-up, which needs the reference of the payment')
    .option('--test', 'the account’s test wallet')
    .action(async (account: string, cny: string, options) => {
      const { creditOne } = await import('./credit.ts');
      await creditOne(app, account, cny, options);
    });
}

function voucherCommand(app: App): Command {
  return accountSubcommand('voucher', 'Gives an account a voucher, which is spent before cash.')
    .argument('<cny>', 'as a decimal')
    .option('--days <days>', 'how long it can be spent', '30')
    .option('--name <text>', 'what the account sees', 'Voucher')
    .option('--reason <text>', 'the reason, for the audit log')
    .option('--reference <text>', 'the same reference counts once, however often it is given')
    .option('--test', 'the account’s test wallet')
    .action(async (account: string, cny: string, options) => {
      const { giveVoucher } = await import('./voucher.ts');
      await giveVoucher(app, account, cny, options);
    });
}

function voucherCodesCommand(app: App): Command {
  const command = new Command('voucher-codes').description(
    'Codes that accounts redeem for vouchers. Codes are printed once, when they are made.',
  );
  command
    .command('make')
    .description('Makes a batch of codes and prints them as CSV.')
    .argument('<cny>', 'what each is worth, as a decimal')
    .option('--count <count>', 'how many codes', wholeNumber, 1)
    .option('--days <days>', 'how long a voucher can be spent once redeemed', wholeNumber, 30)
    .option('--redeem-days <days>', 'how long the codes can be redeemed', wholeNumber, 90)
    .option('--until <time>', 'the same as an RFC 3339 time')
    .option('--name <text>', 'what the account sees', 'Voucher')
    .option('--one-per-account', 'an account redeems one code of the batch at most')
    .action(async (cny: string, options) => {
      const { makeCodes } = await import('./voucher-codes.ts');
      await makeCodes(app, cny, options);
    });
  command
    .command('list')
    .description('The batches, and how many codes of each were redeemed.')
    .option('--json', 'as JSON, amounts in CNY')
    .action(async (options: { json?: boolean }) => {
      const { listCodes } = await import('./voucher-codes.ts');
      await listCodes(app, options.json ?? false);
    });
  command
    .command('withdraw')
    .description('Ends the codes of a batch that were not redeemed yet.')
    .argument('<batch id>')
    .action(async (id: string) => {
      const { withdrawCodes } = await import('./voucher-codes.ts');
      await withdrawCodes(app, id);
    });
  return command;
}

function topUpsCommand(app: App): Command {
  return new Command('top-ups')
    .description('What was paid at the checkout, newest first.')
    .argument('[account]', 'id or e-mail address; all accounts when absent')
    .option('--troubled', 'only what an operator has to settle: refused, or given back and spent')
    .option('--json', 'as JSON, amounts in CNY')
    .action(async (account: string | undefined, options) => {
      const { listPaid } = await import('./top-ups.ts');
      await listPaid(app, account, options);
    });
}

function refundCommand(app: App): Command {
  return accountSubcommand(
    'refund',
    'Refunds a call, as a whole or in parts: its cash as cash, the rest as a voucher.',
  )
    .argument('<request id>')
    .option('--amount <cny>', 'at most what is left of the charge (required)')
    .option('--reason <text>', 'why, for the record (required)')
    .option('--reference <text>', 'names a further part; the same reference counts once')
    .option('--test', 'a call of test mode')
    .action(async (account: string, requestId: string, options) => {
      requireOptions(options, { amount: '--amount <cny>', reason: '--reason <text>' });
      const { refundOne } = await import('./credit.ts');
      await refundOne(app, account, requestId, options);
    });
}

function showCommand(app: App): Command {
  return accountSubcommand('show', 'Balance, vouchers, allowance, calls and the last transactions.')
    .option('--test', 'the account’s test wallet')
    .option('--json', 'as JSON, amounts in CNY')
    .option('--entries <count>', 'how many transactions', wholeNumber, 10)
    .action(async (account: string, options) => {
      const { showMoney } = await import('./show.ts');
      await showMoney(app, account, options);
    });
}
