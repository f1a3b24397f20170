// `radar …`: every command, and how a failure is told.
import { Command } from 'commander';
import { accountCommand } from './account.ts';
import type { App } from './app.ts';
import { backupCommand } from './backup.ts';
import { evalCommand } from './eval.ts';
import { itemCommand } from './item.ts';
import { ledgerCommand } from './ledger.ts';
import { migrateCommand } from './migrate.ts';
import { operatorCommand } from './operator.ts';
import { reportCommand } from './report.ts';
import { restoreCommand } from './restore.ts';
import { serveCommand } from './serve.ts';
import { sourceCommand } from './source.ts';
import { storyCommand } from './story.ts';

export function buildProgram(app: App, version: string): Command {
  const program = new Command('radar')
    .description('Content Radar: many sources about a field become one public feed.')
    .version(version)
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ writeOut: app.terminal.out, writeErr: app.terminal.note })
    .showHelpAfterError('(radar --help shows every command)');
  for (const command of [
    serveCommand,
    migrateCommand,
    backupCommand,
    restoreCommand,
    sourceCommand,
    itemCommand,
    storyCommand,
    reportCommand,
    operatorCommand,
    accountCommand,
    ledgerCommand,
    evalCommand,
  ]) {
    program.addCommand(command(app));
  }
  for (const command of program.commands) command.copyInheritedSettings(program);
  return program;
}
