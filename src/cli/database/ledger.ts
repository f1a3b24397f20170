// `radar ledger …`: checks of the ledger.
import { Command } from 'commander';
import type { App } from '../app.ts';

export function ledgerCommand(app: App): Command {
  const command = new Command('ledger').description('The gateway’s journal of money.');
  command
    .command('audit')
    .description('Checks the fourteen invariants over the whole journal; fails when one is broken.')
    .option('--json', 'as JSON')
    .action(async (options: { json?: boolean }) => {
      const { audit } = await import('./ledger-audit.ts');
      await audit(app, options.json ?? false);
    });
  return command;
}
