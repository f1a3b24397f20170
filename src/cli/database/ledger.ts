// `radar ledger …`: checks of the ledger.
import { Command } from 'commander';
import type { App } from '../app.ts';

export function ledgerCommand(app: App): Command {
  const command = new Command('ledger').description('Commands for the gateway’s ledger.');
  command
    .command('audit')
    .description(
      'Checks the fifteen invariants since the last checkpoint. Fails when one is broken.',
    )
    .option('--full', 'replay the whole journal')
    .option('--json', 'as JSON')
    .action(async (options: { full?: boolean; json?: boolean }) => {
      const { printAudit } = await import('./ledger-audit.ts');
      const scope = options.full ? 'full' : 'since-checkpoint';
      await printAudit(app, { isJson: options.json ?? false, scope });
    });
  return command;
}
