// `radar account credit|voucher|refund|show`: an account's money. What a command needs is loaded
// when it runs.
import { Command } from 'commander';
import type { App } from './app.ts';

export function moneyCommands(app: App): readonly Command[] {
  return [creditCommand(app), voucherCommand(app), refundCommand(app), showCommand(app)];
}

const named = (name: string, what: string) =>
  new Command(name).description(what).argument('<account>', 'id or e-mail address');

function creditCommand(app: App): Command {
  return named('credit', 'Gives cash to an account, or with an amount below zero takes it out.')
    .argument('<cny>', 'as a decimal, such as 100 or -2.50 (then after --)')
    .option('--reason <text>', 'why, for the record', 'by an operator')
    .option('--reference <text>', 'the same reference counts once, however often it is given')
    .option('--paid', 'it was paid: a top-up, which needs the reference of the payment')
    .option('--test', 'the account’s test books')
    .action(async (account: string, cny: string, options) => {
      const { creditOne } = await import('./account-credit.ts');
      await creditOne(app, account, cny, options);
    });
}

function voucherCommand(app: App): Command {
  return named('voucher', 'Gives an account a voucher, which is spent before cash.')
    .argument('<cny>', 'as a decimal')
    .option('--days <days>', 'how long it can be spent', '30')
    .option('--name <text>', 'what the account sees', 'Voucher')
    .option('--reason <text>', 'why, for the record')
    .option('--reference <text>', 'the same reference counts once, however often it is given')
    .option('--test', 'the account’s test books')
    .action(async (account: string, cny: string, options) => {
      const { giveVoucher } = await import('./account-voucher.ts');
      await giveVoucher(app, account, cny, options);
    });
}

function refundCommand(app: App): Command {
  return named('refund', 'Gives back what a call cost, as cash, once.')
    .argument('<request id>')
    .requiredOption('--amount <cny>', 'at most what the call cost')
    .requiredOption('--reason <text>', 'why, for the record')
    .option('--test', 'a call of test mode')
    .action(async (account: string, requestId: string, options) => {
      const { refundOne } = await import('./account-credit.ts');
      await refundOne(app, account, requestId, options);
    });
}

function showCommand(app: App): Command {
  return named('show', 'Balance, vouchers, allowance, calls and the last transactions.')
    .option('--test', 'the account’s test books')
    .option('--json', 'as JSON, amounts in CNY')
    .option('--entries <count>', 'how many transactions', '10')
    .action(async (account: string, options) => {
      const { showMoney } = await import('./account-show.ts');
      await showMoney(app, account, options);
    });
}
