// `radar item …`: withdraws, restores and corrects public items. Each change returns when every
// serving node has confirmed it, or names nodes without a confirmation.
import { Command } from 'commander';
import { assert } from '../../kernel/errors/assert.ts';
import { Fault } from '../../kernel/errors/fault.ts';
import type { ItemChange, ItemCorrection } from '../../radar/publication/change-item.ts';
import { checkCorrection, cleanCorrection } from '../../radar/publication/check-correction.ts';
import { readItemRecord } from '../../radar/publication/item-record.ts';
import type { App, CliApp } from '../app.ts';
import type { RejudgeOptions } from './re-enrich.ts';

const CONFIRMATION_TIMEOUT_MS = 1_000;

export function itemCommand(app: App): Command {
  const command = new Command('item').description(
    'Items: withdraw, restore, correct and enrich again.',
  );
  for (const [action, description] of [
    ['withdraw', 'Removes an item from every response of every node.'],
    ['restore', 'Makes a withdrawn item public again.'],
  ] as const) {
    command
      .command(action)
      .description(description)
      .argument('<id>')
      .option('--note <text>', 'the reason, for the audit log')
      .action((id: string, options: { note?: string }) =>
        applyChange(app, id, { action }, options.note ?? null),
      );
  }
  command
    .command('show')
    .description(
      'Shows an item: the source’s version, the public version and the operators’ changes.',
    )
    .argument('<id>')
    .action((id: string) => showItem(app, id));
  command
    .command('correct')
    .description('Overrides the enrichment of one item; an empty value removes the override.')
    .argument('<id>')
    .option('--title <text>')
    .option('--summary <text>')
    .option('--category <name>')
    .option('--note <text>', 'the reason, for the audit log')
    .action((id: string, options: CorrectOptions) => correctItem(app, id, options));
  command
    .command('rejudge')
    .description('Enriches items again with the current prompts, model and rules.')
    .argument('[ids...]')
    .option('--since <span>', 'items discovered within 30m, 24h, 7d …')
    .option('--marked', 'items with a step for which rules replaced the model')
    .option('--all', 'all items')
    .option('--no-wait', 'return at once')
    .action(async (ids: string[], options: RejudgeOptions) => {
      const { reEnrich } = await import('./re-enrich.ts');
      await reEnrich(app, ids, options);
    });
  return command;
}

async function showItem(app: App, id: string): Promise<void> {
  const item = await app.withApp(({ db }) => readItemRecord(db, id));
  if (item === null) throw new Fault('not_found', `There is no item ${id}.`);
  app.terminal.out(`${JSON.stringify(item, null, 2)}\n`);
}

type CorrectOptions = {
  readonly title?: string;
  readonly summary?: string;
  readonly category?: string;
  readonly note?: string;
};

async function correctItem(app: App, id: string, options: CorrectOptions): Promise<void> {
  const { note = null, ...changes } = options;
  const fields = Object.fromEntries(
    Object.entries(changes).map(([name, value]) => [name, cleanCorrection(value)]),
  );
  if (Object.keys(fields).length === 0) {
    throw new Fault('invalid_request', 'Choose what to correct: --title, --summary or --category.');
  }
  await applyChange(app, id, { action: 'correct', fields }, note);
}

async function refuseWrongFields(
  { readCategories, editorialFolder }: CliApp,
  fields: ItemCorrection,
): Promise<void> {
  const categories = await readCategories(editorialFolder);
  const problems = checkCorrection(fields, categories).map((problem) =>
    problem.kind === 'unknown'
      ? `--category must be one of ${categories.join(', ')}`
      : `--${problem.field} must have at most ${problem.max} characters`,
  );
  if (problems.length === 0) return;
  throw new Fault('invalid_request', `Nothing was corrected: ${problems.join('; ')}.`);
}

const pastForm = { withdraw: 'withdrawn', restore: 'restored', correct: 'corrected' } as const;

async function applyChange(
  app: App,
  id: string,
  itemChange: ItemChange,
  note: string | null,
): Promise<void> {
  const { awaitNodes } = await import('../../radar/publication/await-nodes.ts');
  const { changeItem } = await import('../../radar/publication/change-item.ts');
  await app.withApp(async (cliApp: CliApp) => {
    const { world, db } = cliApp;
    if (itemChange.action === 'correct') await refuseWrongFields(cliApp, itemChange.fields);
    const outcome = await changeItem(world, db, id, { ...itemChange, actor: 'command line', note });
    if (outcome.kind === 'unknown') throw new Fault('not_found', `There is no item ${id}.`);
    assert(outcome.kind !== 'conflict', 'a change without a version has no version conflict');
    const confirmation = await awaitNodes(world, db, outcome.seq, CONFIRMATION_TIMEOUT_MS);
    if (confirmation.kind === 'unconfirmed') {
      const names = confirmation.nodes.join(', ');
      throw new Fault(
        'temporarily_unavailable',
        `${id} is ${pastForm[itemChange.action]}, but not confirmed by ${names}. A node without ` +
          'a confirmation may show the old state until it reaches the database again.',
      );
    }
    const suffix = outcome.kind === 'unchanged' ? ' already' : '';
    const nodes = confirmation.nodes === 1 ? '1 node' : `${confirmation.nodes} nodes`;
    app.terminal.out(`${id} is ${pastForm[itemChange.action]}${suffix}; ${nodes} confirmed.\n`);
  });
}
