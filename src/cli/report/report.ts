// `radar report …`: writes due reports, shows a report, corrects a report. A correction returns
// when every serving node has confirmed it, or names the nodes without a confirmation.
import { Command, Option } from 'commander';
import { Fault } from '../../kernel/errors/fault.ts';
import { toWireTime } from '../../kernel/time/calendar.ts';
import type { ReportPeriod } from '../../radar/reports/report-periods.ts';
import type { App } from '../app.ts';
import { requireOptions, wholeNumber } from '../program-values.ts';

const CONFIRMATION_TIMEOUT_MS = 1_000;

type Kind = 'daily' | 'weekly' | 'monthly';

export function reportCommand(app: App): Command {
  const command = new Command('report').description('Daily, weekly and monthly reports.');
  command
    .command('run')
    .description('Writes every report that is due, or one report whose period has ended.')
    .addOption(kindOption())
    .option('--key <key>', 'date, ISO week or month of the report: 2026-09-24, 2026-W39, 2026-09')
    .action((options: Partial<ReportKey>) => writeReports(app, options));
  command
    .command('show')
    .description('Prints a public report as Markdown; without a key the newest of its kind.')
    .addOption(kindOption().default('daily'))
    .option('--key <key>', 'date, ISO week or month of the report')
    .option('--json', 'as JSON, with the version of the report and the ids of its items')
    .action((options: { kind: Kind; key?: string; json?: boolean }) => showReport(app, options));
  command
    .command('runs')
    .description('Lists the outcomes of the last report runs, also of periods without items.')
    .option('--last <count>', 'number of runs', wholeNumber, 20)
    .action((options: { last: number }) => listRuns(app, options.last));
  command
    .command('correct')
    .description('Corrects a published report: rewrites or removes an entry, or adds a note.')
    .addOption(kindOption())
    .option('--key <key>', 'date, ISO week or month of the report (required, like --kind)')
    .option('--item <id>', 'id of the entry’s item; `report show --json` prints the ids')
    .option('--title <text>', 'the new title; an empty text removes an earlier correction')
    .option('--summary <text>', 'the new summary; an empty text removes an earlier correction')
    .option('--remove', 'removes the entry')
    .option('--restore', 'restores the removed entry')
    .option('--note <text>', 'a note for readers; it can be the only change')
    .option('--from <version>', 'fail if the report changed after this version', wholeNumber)
    .action((options: CorrectOptions) => {
      requireOptions(options, { kind: '--kind <kind>', key: '--key <key>' });
      return applyCorrection(app, options);
    });
  return command;
}

const kindOption = () =>
  new Option('--kind <kind>', 'kind of the report').choices(['daily', 'weekly', 'monthly']);

type ReportKey = { readonly kind: Kind; readonly key: string };

async function writeReports(app: App, { kind, key }: Partial<ReportKey>): Promise<void> {
  if ((kind === undefined) !== (key === undefined)) {
    throw new Fault('invalid_request', 'A report needs both --kind and --key.');
  }
  const { writeDueReports, writeReport } = await import('../../radar/reports/write-reports.ts');
  await app.withApp(async ({ world, db, openReportContext }) => {
    const context = await openReportContext();
    const { signal } = new AbortController();
    if (kind === undefined || key === undefined) {
      const reports = await writeDueReports(world, db, context, signal);
      if (reports.length === 0) app.terminal.out('Nothing is due.\n');
      for (const { period, outcome } of reports) showOutcome(app, period, outcome);
      return;
    }
    const period = await requirePeriod({ kind, key });
    if (period.dueAt > world.clock.now()) {
      const due = toWireTime(period.dueAt);
      throw new Fault('invalid_request', `The ${kind} report of ${key} is not due before ${due}.`);
    }
    const { outcome } = await writeReport(world, db, context, period, true);
    showOutcome(app, period, outcome);
  });
}

const keyExamples: Readonly<Record<Kind, string>> = {
  daily: '2026-09-24',
  weekly: '2026-W39',
  monthly: '2026-09',
};

/** Throws a Fault that has an example of a key when `key` names no period. */
async function requirePeriod({ kind, key }: ReportKey): Promise<ReportPeriod> {
  const { periodOf } = await import('../../radar/reports/report-periods.ts');
  const period = periodOf(kind, key);
  if (period !== null) return period;
  const message = `--key ${key} is no key of a ${kind} report; write it as ${keyExamples[kind]}.`;
  throw new Fault('invalid_request', message);
}

const outcomes = {
  written: 'written',
  empty: 'not written: the period has no items',
  standing: 'exists already',
} as const;

function showOutcome(app: App, { kind, key }: ReportKey, outcome: keyof typeof outcomes): void {
  app.terminal.out(`${kind} ${key}: ${outcomes[outcome]}\n`);
}

async function listRuns(app: App, last: number): Promise<void> {
  const { listReportRuns } = await import('../../radar/reports/list-runs.ts');
  const { textTable } = await import('../text-table.ts');
  const lines = await app.withApp(({ db }) => listReportRuns(db, last));
  const rows = lines.map(({ at, kind, key, outcome }) => [at, kind, key, outcome]);
  app.terminal.out(textTable([['AT', 'KIND', 'KEY', 'OUTCOME'], ...rows]));
}

type ShowOptions = { readonly kind: Kind; readonly key?: string; readonly json?: boolean };

async function showReport(app: App, { kind, key, json }: ShowOptions): Promise<void> {
  const { readReportRecord } = await import('../../radar/publication/documents/report-record.ts');
  const { reportText } = await import('./format-report.ts');
  if (key !== undefined) await requirePeriod({ kind, key });
  const record = await app.withApp(({ db }) => readReportRecord(db, kind, key ?? null));
  if (record === null) {
    const missingReport =
      key === undefined
        ? `There is no ${kind} report yet.`
        : `There is no ${kind} report of ${key}.`;
    throw new Fault('not_found', missingReport);
  }
  app.terminal.out(json ? `${JSON.stringify(record, null, 2)}\n` : reportText(record.body));
}

type CorrectOptions = ReportKey & {
  readonly item?: string;
  readonly title?: string;
  readonly summary?: string;
  readonly remove?: boolean;
  readonly restore?: boolean;
  readonly note?: string;
  readonly from?: number;
};

async function applyCorrection(app: App, options: CorrectOptions): Promise<void> {
  const { kind, key } = options;
  const change = parseChange(options);
  const note = options.note?.trim() || null;
  await requirePeriod(options);
  const { awaitNodes } = await import('../../radar/publication/await-nodes.ts');
  const { correctReport } = await import('../../radar/reports/correct-report.ts');
  await app.withApp(async ({ world, db, openReportContext }) => {
    const context = await openReportContext();
    const correction = { kind, key, version: options.from, change, note, actor: 'command line' };
    const correctionResult = await correctReport(world, db, context, correction);
    switch (correctionResult.kind) {
      case 'unknown_report':
        throw new Fault('not_found', `There is no ${kind} report of ${key}.`);
      case 'unknown_entry':
        throw new Fault('not_found', `The ${kind} report of ${key} has no entry ${options.item}.`);
      case 'conflict':
        throw new Fault(
          'invalid_request',
          `The ${kind} report of ${key} has version ${correctionResult.current} now. ` +
            'Read the report again first.',
        );
      case 'unchanged':
        app.terminal.out(
          `${kind} ${key} has this text already; its version is ${correctionResult.version}.\n`,
        );
        return;
      case 'corrected': {
        const confirmation = await awaitNodes(
          world,
          db,
          correctionResult.seq,
          CONFIRMATION_TIMEOUT_MS,
        );
        if (confirmation.kind === 'unconfirmed') {
          const names = confirmation.nodes.join(', ');
          const message = `${kind} ${key} is corrected, but not confirmed by ${names}.`;
          throw new Fault('temporarily_unavailable', message);
        }
        app.terminal.out(
          `${kind} ${key} is corrected and at version ${correctionResult.version}.\n`,
        );
      }
    }
  });
}

function parseChange({ item, title, summary, remove, restore, note }: CorrectOptions) {
  const hasText = title !== undefined || summary !== undefined;
  const actionCount = [hasText, remove === true, restore === true].filter(Boolean).length;
  if (actionCount > 1) {
    throw new Fault('invalid_request', 'Choose one: a new text, --remove or --restore.');
  }
  if (actionCount === 0) {
    if (item === undefined && (note ?? '').trim() !== '') return { action: 'note' } as const;
    throw new Fault(
      'invalid_request',
      'Choose --title, --summary, --remove, --restore, or only --note.',
    );
  }
  if (item === undefined) throw new Fault('invalid_request', 'Set --item to the entry to change.');
  if (remove) return { action: 'remove', itemId: item } as const;
  if (restore) return { action: 'restore', itemId: item } as const;
  const emptyToNull = (text: string) => (text.trim() === '' ? null : text.trim());
  return {
    action: 'edit',
    itemId: item,
    ...(title !== undefined && { title: emptyToNull(title) }),
    ...(summary !== undefined && { summary: emptyToNull(summary) }),
  } as const;
}
