// Builds `radar …` with all commands. Output and error messages go to the terminal of `app`.
import { Command } from 'commander';
import { accountCommand } from './account/account.ts';
import type { App } from './app.ts';
import { channelCommand } from './channel/channel.ts';
import { backupCommand } from './database/backup.ts';
import { dataCommand } from './database/data.ts';
import { ledgerCommand } from './database/ledger.ts';
import { migrateCommand } from './database/migrate.ts';
import { restoreCommand } from './database/restore.ts';
import { evalCommand } from './eval/eval.ts';
import { itemCommand } from './item/item.ts';
import { modelCommand } from './model/model.ts';
import { packCommand } from './pack/pack.ts';
import { pricesCommand } from './prices/prices.ts';
import { providerCommand } from './provider/provider.ts';
import { reportCommand } from './report/report.ts';
import { auditCommand } from './serve/audit.ts';
import { operatorCommand } from './serve/operator.ts';
import { serveCommand } from './serve/serve.ts';
import { sourceCommand } from './source/source.ts';
import { storyCommand } from './story/story.ts';
import { deliveryCommand, subscriptionCommand } from './subscription/subscription.ts';

/** Parsing throws a CommanderError for help and for refused arguments. */
export function buildProgram(app: App, version: string): Command {
  const program = new Command('radar')
    .description('Content Radar: many sources about a field become one public feed.')
    .version(version)
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ writeOut: app.terminal.out, writeErr: app.terminal.note })
    .exitOverride();
  for (const command of [
    serveCommand,
    migrateCommand,
    backupCommand,
    restoreCommand,
    sourceCommand,
    packCommand,
    providerCommand,
    pricesCommand,
    modelCommand,
    itemCommand,
    storyCommand,
    reportCommand,
    channelCommand,
    subscriptionCommand,
    deliveryCommand,
    operatorCommand,
    auditCommand,
    accountCommand,
    ledgerCommand,
    dataCommand,
    evalCommand,
  ]) {
    program.addCommand(command(app));
  }
  nameHelpInErrors(program, 'radar');
  return program;
}

/** Subcommands exist before their program, so each copies the settings of its parent here. */
function nameHelpInErrors(command: Command, words: string): void {
  const content = command.commands.length > 0 ? 'every command' : 'arguments and options';
  command.showHelpAfterError(`(${words} --help shows ${content})`);
  for (const subcommand of command.commands) {
    subcommand.copyInheritedSettings(command);
    nameHelpInErrors(subcommand, `${words} ${subcommand.name()}`);
  }
}
