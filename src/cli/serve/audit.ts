// `radar audit …`: the operators' audit log.
import { Command, Option } from 'commander';
import { type ExportFormat, exportFormats } from '../../kernel/text/export-rows.ts';
import type { App } from '../app.ts';
import { timeOrDay } from '../program-values.ts';

export function auditCommand(app: App): Command {
  const command = new Command('audit').description('The audit log of the operators.');
  command
    .command('export')
    .description('Prints the audit log of both admin areas, oldest first.')
    .addOption(new Option('--format <format>').choices([...exportFormats]).default('ndjson'))
    .option('--kind <kind>', 'changes of this kind of object only, such as source or account')
    .option('--subject <id>', 'changes of this object only')
    .option('--from <time>', 'from this RFC 3339 time or day on', timeOrDay)
    .option('--to <time>', 'up to this RFC 3339 time or day, which is not included', timeOrDay)
    .action((options: ExportOptions) => exportAudit(app, options));
  return command;
}

type ExportOptions = {
  readonly format: ExportFormat;
  readonly kind?: string;
  readonly subject?: string;
  readonly from?: number;
  readonly to?: number;
};

async function exportAudit(
  app: App,
  { format, kind, subject, from, to }: ExportOptions,
): Promise<void> {
  const { exportAuditLog } = await import('../../operators/audit-export.ts');
  const filter = {
    kinds: kind === undefined ? null : [kind],
    subject: subject ?? null,
    from: from ?? null,
    to: to ?? null,
  };
  await app.withApp(async ({ db }) => {
    for await (const line of exportAuditLog(db, filter, format)) app.terminal.out(line);
  });
}
