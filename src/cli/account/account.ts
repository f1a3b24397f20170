// `radar account …`: customers of the gateway and their keys. The modules of a command are loaded
// when it runs.
import { Command } from 'commander';
import type { App } from '../app.ts';
import { commaSeparated } from '../program-values.ts';
import type { KeyChange } from './key-edit.ts';
import { moneyCommands } from './money.ts';

const SCOPES =
  'permit only these scopes, separated by commas. An sk key has social, transcribe, ocr, ' +
  'svc-image and svc-video; an ak key has search, chat and model:<id>';

export function accountCommand(app: App): Command {
  const command = new Command('account').description('Customers of the gateway, and their keys.');
  command
    .command('add')
    .description(
      'Creates an account. Its password is read from stdin, or generated and printed once.',
    )
    .argument('<email>')
    .option('--password-stdin', 'read the password from standard input')
    .action(async (email: string, options: { passwordStdin?: boolean }) => {
      const { addCustomer } = await import('./add.ts');
      await addCustomer(app, email, options.passwordStdin ?? false);
    });
  command
    .command('list')
    .description('Lists all accounts.')
    .option('--json', 'as JSON')
    .action(async (options: { json?: boolean }) => {
      const { printAccounts } = await import('./manage-accounts.ts');
      await printAccounts(app, options.json ?? false);
    });
  for (const [name, description] of [
    ['suspend', 'Suspends an account. Within a second its keys receive 403. Nothing is deleted.'],
    ['resume', 'Resumes a suspended account.'],
  ] as const) {
    command
      .command(name)
      .description(description)
      .argument('<account>', 'id or e-mail address')
      .action(async (account: string) => {
        const { changeAccountStatus } = await import('./manage-accounts.ts');
        await changeAccountStatus(app, account, name);
      });
  }
  command
    .command('delete')
    .description('Erases the personal data of an account permanently; the ledger stays.')
    .argument('<account>', 'id or e-mail address')
    .option('--confirm <id>', 'the account id; without it nothing is deleted')
    .option('--reason <text>', 'for the audit log; without the person’s name')
    .action(async (account: string, options: { confirm?: string; reason?: string }) => {
      const { deleteAccount } = await import('./delete.ts');
      await deleteAccount(app, account, options);
    });
  command
    .command('confirm')
    .description(
      'Confirms the e-mail address of an account, when the installation sends no mail. ' +
        'From then on the account has live keys and the daily allowance.',
    )
    .argument('<account>', 'id or e-mail address')
    .action(async (account: string) => {
      const { confirmAccount } = await import('./manage-accounts.ts');
      await confirmAccount(app, account);
    });
  command
    .command('password')
    .description('Sets a new password and ends all sessions of the account.')
    .argument('<account>', 'id or e-mail address')
    .option('--password-stdin', 'read the password from standard input')
    .action(async (account: string, options: { passwordStdin?: boolean }) => {
      const { renewPassword } = await import('./invite.ts');
      await renewPassword(app, account, options.passwordStdin ?? false);
    });
  command.addCommand(inviteCommand(app));
  command.addCommand(limitCommand(app));
  command.addCommand(keyCommand(app));
  for (const subcommand of moneyCommands(app)) command.addCommand(subcommand);
  return command;
}

function inviteCommand(app: App): Command {
  const command = new Command('invite')
    .description('Makes invitation codes. A sign-up needs one when accounts.signup is "invite".')
    .option('--count <codes>', 'number of codes', '1')
    .option('--days <days>', 'number of days in which the codes are valid', '14')
    .option('--note <text>', 'a note, such as the recipient', '')
    .action(async (options: { count: string; days: string; note: string }) => {
      const { makeInviteCodes } = await import('./invite.ts');
      await makeInviteCodes(app, options);
    });
  command
    .command('list')
    .description('Lists all codes with their states.')
    .option('--json', 'as JSON')
    .action(async (options: { json?: boolean }) => {
      const { listInviteCodes } = await import('./invite.ts');
      await listInviteCodes(app, options.json ?? false);
    });
  command
    .command('revoke')
    .description('Revokes an unused code.')
    .argument('<invitation id>')
    .action(async (id: string) => {
      const { revokeInviteCode } = await import('./invite.ts');
      await revokeInviteCode(app, id);
    });
  return command;
}

function limitCommand(app: App): Command {
  return new Command('limit')
    .description('Limits the calls of an account; without options the installation’s limits apply.')
    .argument('<account>', 'id or e-mail address')
    .option('--per-day <calls>', 'maximum number of calls per day in Shanghai time')
    .option('--per-month <calls>', 'maximum number of calls per month in Shanghai time')
    .action(async (account: string, options: { perDay?: string; perMonth?: string }) => {
      const { limitAccount } = await import('./manage-accounts.ts');
      await limitAccount(app, account, options);
    });
}

function keyCommand(app: App): Command {
  const command = new Command('key').description(
    'API keys. A key is printed once, when it is made.',
  );
  command
    .command('add')
    .description('Creates a key and prints it once.')
    .argument('<account>', 'id or e-mail address')
    .option('--kind <kind>', 'sk: capabilities; ak: chat, models and search', 'sk')
    .option('--test', 'a test key: separate balances, no providers')
    .option('--name <name>', 'name of the key, such as its purpose', 'Command line')
    .option('--scopes <ids>', SCOPES, commaSeparated)
    .option(
      '--networks <networks>',
      'permit only these networks: addresses or CIDR',
      commaSeparated,
    )
    .option('--budget <cny>', 'maximum amount in CNY, with --budget-period')
    .option('--budget-period <period>', 'day, month or total', 'month')
    .option('--expires <time>', 'RFC 3339')
    .option('--no-continuation', 'never continue a broken chat stream at another upstream')
    .action(async (account: string, options) => {
      const { addKey } = await import('./key.ts');
      await addKey(app, account, options);
    });
  command
    .command('edit')
    .description(
      'Changes the name and limits of a key. All nodes apply the change within a second.',
    )
    .argument('<key id>')
    .option('--name <name>', 'new name of the key')
    .option('--scopes <ids>', SCOPES, commaSeparated)
    .option('--no-scopes', 'permit all scopes of the key’s kind')
    .option(
      '--networks <networks>',
      'permit only these networks: addresses or CIDR',
      commaSeparated,
    )
    .option('--no-networks', 'permit all networks')
    .option('--budget <cny>', 'maximum amount in CNY')
    .option('--budget-period <period>', 'day, month or total')
    .option('--no-budget', 'remove the budget')
    .option('--expires <time>', 'RFC 3339')
    .option('--no-expires', 'remove the expiry time')
    .option('--continuation', 'continue broken chat streams at another upstream')
    .option('--no-continuation', 'never continue broken chat streams')
    .action(async (id: string, change: KeyChange) => {
      const { editKeyById } = await import('./key-edit.ts');
      await editKeyById(app, id, change);
    });
  command
    .command('list')
    .description('Lists the keys of an account, including expired and revoked ones.')
    .argument('<account>', 'id or e-mail address')
    .option('--json', 'as JSON')
    .action(async (account: string, options: { json?: boolean }) => {
      const { listAccountKeys } = await import('./key.ts');
      await listAccountKeys(app, account, options.json ?? false);
    });
  command
    .command('rotate')
    .description(
      'Creates a replacement key and prints it once. The old key stays valid for the overlap.',
    )
    .argument('<key id>')
    .option('--overlap <minutes>', 'minutes in which both keys are valid', '1440')
    .action(async (id: string, options: { overlap: string }) => {
      const { rotateKeyById } = await import('./key.ts');
      await rotateKeyById(app, id, options.overlap);
    });
  command
    .command('revoke')
    .description('Revokes a key. All nodes refuse it within a second.')
    .argument('<key id>')
    .action(async (id: string) => {
      const { revokeKeyById } = await import('./key.ts');
      await revokeKeyById(app, id);
    });
  return command;
}
