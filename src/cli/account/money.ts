// `radar account credit|voucher|voucher-codes|top-ups|refund|show`: an account's money. The modules
// of a command are loaded when it runs.
import { Command } from 'commander';
import { MAX_BATCH_CODES, MAX_VOUCHER_DAYS } from '../../gateway/wallet/credits/voucher-limits.ts';
import type { App } from '../app.ts';
import { requireOptions, wholeNumber, wholeNumberUpTo } from '../program-values.ts';

export function moneyCommands(app: App): readonly Command[] {
  return [
    ...[creditCommand(app), voucherCommand(app), voucherCodesCommand(app)],
    ...[topUpsCommand(app), refundCommand(app), showCommand(app)],
  ];
}

const accountSubcommand = (name: string, description: string) =>
  new Command(name).description(description).argument('<account>', 'id or e-mail address');

function creditCommand(app: App): Command {
  return accountSubcommand('credit', 'Credits cash to an account; a negative amount debits it.')
    .argument('<cny>', 'as a decimal, such as 100; write -- before a negative amount')
    .option('--reason <text>', 'the reason, for the audit log', 'by an operator')
    .option('--reference <text>', 'your reference; a second credit with it changes nothing')
    .option('--paid', 'records a paid top-up; needs --reference with the payment’s reference')
    .option('--test', 'use the account’s test wallet')
    .action(async (account: string, cny: string, options) => {
      const { applyCredit } = await import('./credit.ts');
      await applyCredit(app, account, cny, options);
    });
}

function voucherCommand(app: App): Command {
  return accountSubcommand(
    'voucher',
    'Issues a voucher to an account. Vouchers are spent before cash.',
  )
    .argument('<cny>', 'as a decimal')
    .option('--days <days>', 'number of days in which it can be spent', '30')
    .option('--name <text>', 'name that the account’s owner sees', 'Voucher')
    .option('--reason <text>', 'the reason, for the audit log')
    .option('--reference <text>', 'your reference; a second voucher with it is not issued')
    .option('--test', 'use the account’s test wallet')
    .action(async (account: string, cny: string, options) => {
      const { issueVoucherTo } = await import('./voucher.ts');
      await issueVoucherTo(app, account, cny, options);
    });
}

function voucherCodesCommand(app: App): Command {
  const command = new Command('voucher-codes').description(
    'Codes that accounts redeem for vouchers. Codes are printed once, when they are made.',
  );
  command
    .command('make')
    .description('Makes a batch of codes and prints them as CSV.')
    .argument('<cny>', 'value of each voucher in CNY, as a decimal')
    .option('--count <count>', 'number of codes', wholeNumberUpTo(MAX_BATCH_CODES), 1)
    .option(
      '--days <days>',
      'number of days in which a redeemed voucher can be spent',
      wholeNumberUpTo(MAX_VOUCHER_DAYS),
      30,
    )
    .option(
      '--redeem-days <days>',
      'number of days in which the codes can be redeemed',
      wholeNumber,
      90,
    )
    .option('--until <time>', 'end of redemption as an RFC 3339 time, instead of --redeem-days')
    .option('--name <text>', 'name that the account’s owner sees', 'Voucher')
    .option('--one-per-account', 'limits each account to one code of the batch')
    .action(async (cny: string, options) => {
      const { makeCodes } = await import('./voucher-codes.ts');
      await makeCodes(app, cny, options);
    });
  command
    .command('list')
    .description('Lists the batches with their numbers of redeemed codes.')
    .option('--json', 'as JSON, amounts in CNY')
    .action(async (options: { json?: boolean }) => {
      const { listCodes } = await import('./voucher-codes.ts');
      await listCodes(app, options.json ?? false);
    });
  command
    .command('withdraw')
    .description('Withdraws the codes of a batch that are not redeemed yet.')
    .argument('<batch id>')
    .action(async (id: string) => {
      const { withdrawCodes } = await import('./voucher-codes.ts');
      await withdrawCodes(app, id);
    });
  return command;
}

function topUpsCommand(app: App): Command {
  return new Command('top-ups')
    .description('Lists payments at the checkout, newest first.')
    .argument('[account]', 'id or e-mail address; all accounts when absent')
    .option(
      '--troubled',
      'only payments that an operator must resolve: refused payments, disputes and debts',
    )
    .option('--json', 'as JSON, amounts in CNY')
    .action(async (account: string | undefined, options) => {
      const { listAccountTopUps } = await import('./top-ups.ts');
      await listAccountTopUps(app, account, options);
    });
}

function refundCommand(app: App): Command {
  return accountSubcommand(
    'refund',
    'Refunds a call completely or in parts: charged cash as cash, other amounts as a voucher.',
  )
    .argument('<request id>')
    .option(
      '--amount <cny>',
      'amount, at most the part of the charge that is not yet refunded (required)',
    )
    .option('--reason <text>', 'the reason, for the audit log (required)')
    .option('--reference <text>', 'name of this partial refund; each name is refunded once')
    .option('--test', 'the call was made in test mode')
    .action(async (account: string, requestId: string, options) => {
      requireOptions(options, { amount: '--amount <cny>', reason: '--reason <text>' });
      const { applyRefund } = await import('./credit.ts');
      await applyRefund(app, account, requestId, options);
    });
}

function showCommand(app: App): Command {
  return accountSubcommand(
    'show',
    'Shows balance, vouchers, allowance, calls and the last transactions.',
  )
    .option('--test', 'use the account’s test wallet')
    .option('--json', 'as JSON, amounts in CNY')
    .option('--entries <count>', 'number of transactions', wholeNumber, 10)
    .action(async (account: string, options) => {
      const { showMoney } = await import('./show.ts');
      await showMoney(app, account, options);
    });
}
