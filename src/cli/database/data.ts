// `radar data …`: shows and applies the retention policy of the tables that grow.
import { Command } from 'commander';
import { planRemoval, type RetentionPlan, removeMonths } from '../../retention/maintain-data.ts';
import type { App } from '../app.ts';
import { textTable } from '../text-table.ts';

export function dataCommand(app: App): Command {
  const command = new Command('data').description('Commands for the stored data.');
  command
    .command('retention')
    .description(
      'Shows per table which rows the policy `retention` of radar.config.json keeps, and which ' +
        'months it would remove. Changes nothing without --apply.',
    )
    .option('--apply', 'export and remove these months')
    .option('--json', 'as JSON')
    .action(async (options: { apply?: boolean; json?: boolean }) => {
      const { out, note } = app.terminal;
      await app.withApp(async ({ world, db, openRetention }) => {
        const retention = openRetention();
        if (options.apply) await removeMonths(world, db, retention, (step) => note(`${step}\n`));
        const plan = await planRemoval(world, db, retention);
        out(options.json ? `${JSON.stringify(plan, null, 2)}\n` : formatPlan(plan));
      });
    });
  return command;
}

function formatPlan(plan: RetentionPlan): string {
  const rows = plan.map(({ table, months, rows: count, bytes, oldest, expired, compacted }) => [
    table,
    months === null ? 'all' : `${months} months`,
    String(count),
    megabytes(bytes),
    oldest === null ? '-' : new Date(oldest).toISOString().slice(0, 10),
    expired.length === 0 ? describeCompaction(compacted) : expired.map(describeMonth).join(', '),
  ]);
  const head = ['table', 'keeps', 'rows (estimate)', 'size', 'oldest', 'to remove'];
  const reasons = plan
    .flatMap(({ expired }) => expired)
    .filter(({ blockedBy }) => blockedBy !== null)
    .map(({ name, blockedBy }) => `${name} stays for now: ${blockedBy}.\n`);
  return textTable([head, ...rows]) + reasons.join('');
}

const describeCompaction = (states: number) => (states === 0 ? '-' : `${states} superseded states`);

const describeMonth = ({ name, bytes, blockedBy }: RetentionPlan[number]['expired'][number]) =>
  blockedBy === null ? `${name} (${megabytes(bytes)})` : `${name} (not yet)`;

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
