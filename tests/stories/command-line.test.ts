// `radar story …` on the command line: its output, and its messages about impossible requests.
import { expect, it } from 'vitest';
import type { App } from '../../src/cli/app.ts';
import { storyCommand } from '../../src/cli/story/story.ts';
import { readStoryRecord } from '../../src/radar/stories/operator/show-story.ts';
import { hoursAgo, launchOf, openTestStories } from './test-stories.ts';

const stories = await openTestStories();
const { world, db, robots, push, assign, storyOf } = stories;

/** Runs one command and returns its output. */
async function runCommand(...words: readonly string[]): Promise<string> {
  let output = '';
  const terminal = {
    isInteractive: false,
    out: (text: string) => {
      output += text;
    },
    note: () => {},
  };
  const refuseRequest = () => Promise.reject(new Error('unexpected request'));
  const app: Pick<App, 'terminal' | 'withApp'> = {
    terminal,
    withApp: (work) =>
      work({
        world,
        db,
        robots,
        queueFetch: refuseRequest,
        name: 'Content Radar',
        zone: 'Asia/Shanghai',
        editorialFolder: 'editorial',
        isEditorialFixed: true,
        readCategories: async () => [],
        keysPerAccount: 50,
        openRetention: () => {
          throw new Error('not used');
        },
        openChannels: refuseRequest,
        openReportContext: refuseRequest,
      }),
  };
  await storyCommand(app as App).parseAsync([...words], { from: 'user' });
  return output;
}

const actOf = (output: string) => /radar story undo (\S+)/.exec(output)?.[1] ?? '';

it('shows a story’s reports, their reasons and its log', async () => {
  await push(
    { id: 'c1', ...launchOf('Orrin 7', 0), at: hoursAgo(world, 6) },
    { id: 'c2', title: 'The same in another paper', copyOf: 'c1', source: 'b' },
    { id: 'c3', title: 'Storm closes the airport of Turku', at: hoursAgo(world, 5) },
  );
  await assign();
  const id = await storyOf('c1');
  const title = 'Halden Labs releases Orrin 7, an open-weights language model';
  const firstReason = 'first report of its event; no other story is similar (100 % sure)';
  const copiedReason = 'duplicate of an earlier report in this story';
  expect(await runCommand('show', id)).toBe(
    `Story ${id}, version 1, since 2026-08-22 06:00 UTC

Reports
  c1  2026-08-22 06:00  Source a: ${title}
      ${firstReason}
  c2  2026-08-22 12:00  Source b: The same in another paper
      ${copiedReason}

Log
  2026-08-22 12:00  “${title}” added: ${firstReason}
  2026-08-22 12:00  “The same in another paper” added: ${copiedReason}
`,
  );
  expect(JSON.parse(await runCommand('show', id, '--json'))).toEqual(
    JSON.parse(JSON.stringify(await readStoryRecord(db, id))),
  );
});

it('merges, prints how to undo it, and undoes it', async () => {
  const [survivorId, mergedId] = [await storyOf('c1'), await storyOf('c3')];
  const mergeOutput = await runCommand('merge', mergedId, survivorId, '--note', 'one event');
  expect(mergeOutput).toBe(
    `Merged into ${survivorId}.\nTo undo it: radar story undo ${actOf(mergeOutput)}\n`,
  );
  expect(await runCommand('show', mergedId)).toContain(`It was merged into ${survivorId}.`);
  const output = await runCommand('show', survivorId);
  expect(output).toContain(`Merged into it: ${mergedId}.`);
  expect(output).toContain('merge by command line: one event');
  await expect(runCommand('split', mergedId, '--items', 'c3')).rejects.toThrow(
    `Story ${mergedId} was merged into ${survivorId}. Use that id in its place.`,
  );
  await runCommand('undo', actOf(mergeOutput));
  expect(await storyOf('c3')).toBe(mergedId);
  await expect(runCommand('undo', actOf(mergeOutput))).rejects.toThrow(
    'The action was already undone by',
  );
});

it('pins by kind and items, and removes a pin by its id', async () => {
  await expect(runCommand('pin', 'must-link', 'c1')).rejects.toThrow(
    'A pin is must-link or cannot-link with two items, or stand-alone with one.',
  );
  const pinOutput = JSON.parse(await runCommand('pin', 'stand-alone', 'c3', '--json'));
  expect(pinOutput).toEqual({ actionId: pinOutput.actionId, storyIds: [await storyOf('c3')] });
  const { pins } = JSON.parse(await runCommand('show', await storyOf('c3'), '--json'));
  const standAlonePin = pins.find((pin: { kind: string }) => pin.kind === 'stand-alone');
  expect(await runCommand('unpin', standAlonePin.id)).toContain('Unpinned in');
  await expect(runCommand('unpin', standAlonePin.id)).rejects.toThrow(
    `There is no pin ${standAlonePin.id}.`,
  );
});

it('reports an unknown story and a changed version', async () => {
  await expect(runCommand('show', 'never')).rejects.toThrow('There is no story never.');
  await expect(runCommand('undo', 'never')).rejects.toThrow('There is no action never.');
  const id = await storyOf('c1');
  await expect(runCommand('split', id, '--items', 'c1', '--if-version', '1')).rejects.toThrow(
    `Story ${id} has version`,
  );
});
