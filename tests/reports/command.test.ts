// `radar report …` on a test's database: due reports are written, shown and corrected.
import { beforeAll, expect, test } from 'vitest';
import type { App } from '../../src/cli/app.ts';
import { reportCommand } from '../../src/cli/report/report.ts';
import { openTestDatabase } from '../support/test-database.ts';
import { testWorld } from '../support/test-world.ts';
import { openReportPublisher, openTestReportContext, shanghai } from './publish-item.ts';

const { world, clock, robots } = testWorld();
const { db } = await openTestDatabase();
const publisher = await openReportPublisher(world, clock, db);
const context = await openTestReportContext();
let itemId: string;

const out: string[] = [];
const unusedService = () => {
  throw new Error('no report command uses this service');
};
const app: App = {
  terminal: { isInteractive: false, out: (text) => out.push(text), note: unusedService },
  serve: unusedService,
  migrate: unusedService,
  backupPassphrase: unusedService,
  backUp: unusedService,
  restore: unusedService,
  checkBackup: unusedService,
  openEnricher: unusedService,
  readPacks: unusedService,
  readTemplateAddresses: unusedService,
  evaluate: unusedService,
  advise: unusedService,
  openStoryRules: unusedService,
  checkProviders: unusedService,
  withOfflineApp: unusedService,
  withApp: (work) =>
    work({
      world,
      robots,
      db,
      queueFetch: unusedService,
      name: 'Content Radar',
      zone: 'Asia/Shanghai',
      editorialFolder: 'editorial',
      isEditorialFixed: true,
      readCategories: async () => [],
      keysPerAccount: 50,
      openRetention: () => {
        throw new Error('not used');
      },
      openChannels: unusedService,
      openReportContext: async () => context,
    }),
};

/** The standard output of a command. */
async function runCommand(...words: readonly string[]): Promise<string> {
  out.length = 0;
  await reportCommand(app).exitOverride().parseAsync(words, { from: 'user' });
  return out.join('');
}

beforeAll(async () => {
  itemId = await publisher.publish({ title: 'Alder opens a mill', at: '2026-09-23T09:00' });
});

test('`run` writes due reports, and states when none is due', async () => {
  expect(await runCommand('run')).toBe('Nothing is due.\n');
  clock.set(shanghai('2026-09-25T09:00'));
  expect(await runCommand('run')).toBe(
    'daily 2026-09-24: written\ndaily 2026-09-25: not written: the period has no items\n',
  );
  expect(await runCommand('run')).toBe('Nothing is due.\n');
});

test('`run` states why it does not write a named report', async () => {
  expect(await runCommand('run', '--kind', 'daily', '--key', '2026-09-24')).toBe(
    'daily 2026-09-24: exists already\n',
  );
  expect(await runCommand('run', '--kind', 'daily', '--key', '2026-09-25')).toBe(
    'daily 2026-09-25: not written: the period has no items\n',
  );
  const openDayRun = runCommand('run', '--kind', 'daily', '--key', '2026-09-26');
  await expect(openDayRun).rejects.toThrow(
    'The daily report of 2026-09-26 is not due before 2026-09-26T00:00:00.000Z.',
  );
  const missingWeek = runCommand('run', '--kind', 'weekly', '--key', '2025-W53');
  await expect(missingWeek).rejects.toThrow('--key 2025-W53 is no key of a weekly report');
  await expect(runCommand('run', '--key', '2026-09-24')).rejects.toThrow('A report needs both');
});

test('`runs` lists the result of each attempt, newest first', async () => {
  expect(await runCommand('runs', '--last', '1')).toBe(
    'AT                        KIND   KEY         OUTCOME\n' +
      '2026-09-25T01:00:00.000Z  daily  2026-09-25  empty\n',
  );
});

const expectedOutput = `# 2026-09-24

**Alder opens a mill**

What happened about “Alder opens a mill” takes a sentence of some length. Another one follows it.

The Press: <https://press.example/ITEM>
`;

test('`show` prints the newest report of a kind, or the named report', async () => {
  const text = expectedOutput.replace('ITEM', itemId);
  expect(await runCommand('show')).toBe(text);
  expect(await runCommand('show', '--kind', 'daily', '--key', '2026-09-24')).toBe(text);
  const json = JSON.parse(await runCommand('show', '--json'));
  expect(json).toMatchObject({ version: 1, body: { kind: 'daily', date: '2026-09-24' } });
  const missingWeekly = runCommand('show', '--kind', 'weekly');
  await expect(missingWeekly).rejects.toThrow('There is no weekly report yet.');
  const missingDaily = runCommand('show', '--key', '2026-09-25');
  await expect(missingDaily).rejects.toThrow('There is no daily report of 2026-09-25.');
  for (const words of [
    ['show', '--kind', 'weekly'],
    ['run', '--kind', 'weekly'],
    ['correct', '--kind', 'weekly', '--note', 'x'],
  ]) {
    await expect(runCommand(...words, '--key', '2026-39')).rejects.toThrow(
      '--key 2026-39 is no key of a weekly report; write it as 2026-W39.',
    );
  }
});

const runCorrect = (...words: readonly string[]) =>
  runCommand('correct', '--kind', 'daily', '--key', '2026-09-24', ...words);

test('`correct` changes an entry at the displayed version and adds notes', async () => {
  const output = await runCorrect(
    '--item',
    itemId,
    '--title',
    'Alder opened a mill',
    '--from',
    '1',
  );
  expect(output).toBe('daily 2026-09-24 is corrected and at version 2.\n');
  expect(await runCommand('show')).toContain('**Alder opened a mill**');
  await expect(runCorrect('--item', itemId, '--remove', '--from', '1')).rejects.toThrow(
    'The daily report of 2026-09-24 has version 2 now. Read the report again first.',
  );
  expect(await runCorrect('--item', itemId, '--remove')).toContain('at version 3');
  expect(await runCorrect('--item', itemId, '--restore')).toContain('at version 4');
  expect(await runCorrect('--note', 'The mill is in the north.')).toContain('at version 5');
  expect(await runCommand('show')).toMatch(
    /> 2026-09-25T01:00:00.000Z: The mill is in the north\./,
  );
});

test('`correct` refuses missing, conflicting and unknown arguments', async () => {
  await expect(runCorrect('--item', itemId)).rejects.toThrow('Choose');
  await expect(runCorrect('--title', 'Whose?')).rejects.toThrow('Set --item');
  await expect(runCorrect('--item', itemId, '--remove', '--restore')).rejects.toThrow('Choose one');
  await expect(runCorrect('--item', 'nobody', '--remove')).rejects.toThrow('has no entry nobody');
});
