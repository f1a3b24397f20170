// Actions of `radar story`: merge, split, pin, unpin and undo. Each prints what it changed, or
// throws a Fault that explains why nothing changed.
import { unreachable } from '../../kernel/errors/assert.ts';
import { Fault } from '../../kernel/errors/fault.ts';
import { awaitNodes } from '../../radar/publication/await-nodes.ts';
import { mergeStories } from '../../radar/stories/operator/merge-stories.ts';
import { type PinRequest, pinItems, unpinItems } from '../../radar/stories/operator/pin-items.ts';
import type { ActionResult, Operator, StoryRef } from '../../radar/stories/operator/run-action.ts';
import { splitByHand } from '../../radar/stories/operator/split-by-hand.ts';
import { undoAction } from '../../radar/stories/operator/undo-action.ts';
import type { App, CliApp } from '../app.ts';

const CONFIRMATION_TIMEOUT_MS = 1_000;

type Options = { readonly note?: string; readonly json?: boolean };

export async function merge(app: App, stories: readonly [StoryRef, StoryRef], options: Options) {
  await runAction(app, options, 'Merged into', ({ world, db }, operator) =>
    mergeStories(world, db, { ...operator, stories }),
  );
}

export async function split(
  app: App,
  input: { readonly story: StoryRef; readonly itemIds: readonly string[] },
  options: Options,
) {
  await runAction(app, options, 'Split into', ({ world, db }, operator) =>
    splitByHand(world, db, { ...operator, ...input }),
  );
}

export async function pin(app: App, pinInput: PinRequest, options: Options) {
  await runAction(app, options, 'Pinned in', ({ world, db }, operator) =>
    pinItems(world, db, { ...operator, pin: pinInput }),
  );
}

export async function unpin(app: App, pinId: string, options: Options) {
  await runAction(app, options, 'Unpinned in', ({ world, db }, operator) =>
    unpinItems(world, db, { ...operator, pinId }),
  );
}

export async function undo(app: App, actionId: string, options: Options) {
  await runAction(app, options, 'Undone in', ({ world, db }, operator) =>
    undoAction(world, db, { ...operator, actionId }),
  );
}

async function runAction(
  app: App,
  options: Options,
  description: string,
  work: (app: CliApp, operator: Operator) => Promise<ActionResult>,
): Promise<void> {
  await app.withApp(async (cliApp) => {
    const operator = { actor: 'command line', note: options.note ?? null };
    const result = await work(cliApp, operator);
    if (result.kind !== 'done') throw explainFailure(result);
    const { actionId, storyIds } = result;
    const confirmation = await awaitNodes(
      cliApp.world,
      cliApp.db,
      result.seq,
      CONFIRMATION_TIMEOUT_MS,
    );
    if (confirmation.kind === 'unconfirmed') {
      throw new Fault(
        'temporarily_unavailable',
        `The change ${actionId} is stored, but not confirmed by ` +
          `${confirmation.nodes.join(', ')}. A node without a confirmation may show the old ` +
          'state until it reaches the database again.',
      );
    }
    if (options.json === true) {
      app.terminal.out(`${JSON.stringify({ actionId, storyIds })}\n`);
      return;
    }
    const affectedStories = storyIds.length === 0 ? 'no story yet' : storyIds.join(', ');
    app.terminal.out(
      `${description} ${affectedStories}.\nTo undo it: radar story undo ${actionId}\n`,
    );
  });
}

function explainFailure(result: Exclude<ActionResult, { kind: 'done' }>): Fault {
  switch (result.kind) {
    case 'unknown':
      return new Fault('not_found', `There is no ${result.what} ${result.id}.`);
    case 'conflict':
      return new Fault(
        'invalid_request',
        `Story ${result.storyId} has version ${result.version} now. Read the story again first.`,
      );
    case 'merged':
      return new Fault(
        'invalid_request',
        `Story ${result.storyId} was merged into ${result.into}. Use that id in its place.`,
      );
    case 'refused':
      return new Fault('invalid_request', result.why);
    default:
      return unreachable(result);
  }
}
