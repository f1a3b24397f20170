// `radar story …`: shows a story and corrects its grouping. Each command returns when every serving
// node has confirmed the change, or names nodes without a confirmation.
import { Command } from 'commander';
import { Fault } from '../../kernel/errors/fault.ts';
import type { App } from '../app.ts';
import { commaSeparated, wholeNumber } from '../program-values.ts';

type Options = { readonly note?: string; readonly ifVersion?: number; readonly json?: boolean };

export function storyCommand(app: App): Command {
  const command = new Command('story').description('Stories: reports of one event.');
  command
    .command('show')
    .description('Shows the reports of a story with the reason of each, its history and its pins.')
    .argument('<story>')
    .option('--json', 'as JSON')
    .action(async (id: string, options: Options) => {
      const { showStory } = await import('./show.ts');
      await showStory(app, id, options.json ?? false);
    });
  actionCommand(command, 'merge', 'Merges two stories; the earlier one keeps its id.')
    .argument('<story>')
    .argument('<other>')
    .action(async (id: string, other: string, options: Options) => {
      const stories = [
        { id, version: options.ifVersion ?? null },
        { id: other, version: null },
      ] as const;
      await (await loadActions()).merge(app, stories, options);
    });
  actionCommand(command, 'split', 'Moves reports out of a story into a new story.')
    .argument('<story>')
    .requiredOption(
      '--items <ids>',
      'ids of the items to move, separated by commas',
      commaSeparated,
    )
    .action(async (id: string, options: Options & { items: readonly string[] }) => {
      const story = { id, version: options.ifVersion ?? null };
      await (await loadActions()).split(app, { story, itemIds: options.items }, options);
    });
  actionCommand(
    command,
    'pin',
    'Adds a pin: must-link or cannot-link for two items, or stand-alone for one item.',
  )
    .argument('<kind>', 'must-link, cannot-link or stand-alone')
    .argument('<items...>', 'ids of two items, or of one item for stand-alone')
    .action(async (kind: string, items: string[], options: Options) => {
      await (await loadActions()).pin(app, parsePin(kind, items), options);
    });
  actionCommand(command, 'unpin', 'Removes a pin; no item moves.')
    .argument('<pin>', 'the id that “radar story show” prints')
    .action(async (pin: string, options: Options) => {
      await (await loadActions()).unpin(app, pin, options);
    });
  actionCommand(command, 'undo', 'Undoes one action of an operator or of the engine, once.')
    .argument('<action>', 'the id that “radar story show” prints')
    .action(async (id: string, options: Options) => {
      await (await loadActions()).undo(app, id, options);
    });
  return command;
}

const loadActions = () => import('./change.ts');

function actionCommand(command: Command, name: string, description: string): Command {
  const actionOptions = command
    .command(name)
    .description(description)
    .option('--note <text>', 'the reason, for the audit log')
    .option('--json', 'as JSON');
  const hasVersion = name === 'merge' || name === 'split';
  const versionHelp = 'fail if the story has another version';
  return hasVersion
    ? actionOptions.option('--if-version <number>', versionHelp, wholeNumber)
    : actionOptions;
}

function parsePin(kind: string, items: readonly string[]) {
  const [first, second, ...otherItems] = items;
  if (kind === 'stand-alone' && first !== undefined && second === undefined) {
    return { kind, items: [first] } as const;
  }
  const isLink = kind === 'must-link' || kind === 'cannot-link';
  if (isLink && first !== undefined && second !== undefined && otherItems.length === 0) {
    return { kind, items: [first, second] } as const;
  }
  throw new Fault(
    'invalid_request',
    'A pin is must-link or cannot-link with two items, or stand-alone with one.',
  );
}
