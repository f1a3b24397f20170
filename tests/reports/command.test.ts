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
const missing = () => {
  throw new Error('no command of reports asks for this');
};
const app: App = {
  terminal: { isInteractive: false, out: (text) => out.push(text), note: missing },
  serve: missing,
  migrate: missing,
  backupPassphrase: missing,
  backUp: missing,
  restore: missing,
  checkBackup: missing,
  openEnricher: missing,
  readPacks: missing,
  readTemplateAddresses: missing,
  evaluate: missing,
  advise: missing,
  openStoryRules: missing,
  checkProviders: missing,
  withOfflineApp: missing,
  withApp: (work) =>
    work({
      world,
      robots,
      db,
      queueFetch: missing,
      zone: 'Asia/Shanghai',
      openRetention: () => {
        throw new Error('not used');
      },
      openChannels: missing,
      openReportContext: async () => context,
    }),
};

/** The standard output of a command. */
async function radar(...words: readonly string[]): Promise<string> {
  out.length = 0;
  await reportCommand(app).exitOverride().parseAsync(words, { from: 'user' });
  return out.join('');
}

beforeAll(async () => {
  itemId = await publisher.publish({ title: 'Alder opens a mill', at: '2026-09-23T09:00' });
});

test('run writes due reports, and states when none is due', async () => {
  expect(await radar('run')).toBe('Nothing is due.\n');
  clock.set(shanghai('2026-09-25T09:00'));
  expect(await radar('run')).toBe(
    'daily 2026-09-24: written\ndaily 2026-09-25: not written: the window is empty\n',
  );
  expect(await radar('run')).toBe('Nothing is due.\n');
});

test('run writes a named report whose window is closed', async () => {
  expect(await radar('run', '--kind', 'daily', '--key', '2026-09-24')).toBe(
    'daily 2026-09-24: there already\n',
  );
  expect(await radar('run', '--kind', 'daily', '--key', '2026-09-25')).toBe(
    'daily 2026-09-25: not written: the window is empty\n',
  );
  const open = radar('run', '--kind', 'daily', '--key', '2026-09-26');
  await expect(open).rejects.toThrow(
    'The daily of 2026-09-26 is not due before 2026-09-26T00:00:00.000Z.',
  );
  const missingWeek = radar('run', '--kind', 'weekly', '--key', '2025-W53');
  await expect(missingWeek).rejects.toThrow('There is no weekly of 2025-W53.');
  await expect(radar('run', '--key', '2026-09-24')).rejects.toThrow('A report needs both');
});

test('runs lists the result of each attempt, newest first', async () => {
  expect(await radar('runs', '--last', '1')).toBe(
    'AT                        KIND   KEY         OUTCOME\n' +
      '2026-09-25T01:00:00.000Z  daily  2026-09-25  empty\n',
  );
});

const expectedOutput = `# 2026-09-24

**Alder opens a mill**

What happened about “Alder opens a mill” takes a sentence of some length. Another one follows it.

The Press: <https://press.example/ITEM>
`;

test('show prints the newest report of a kind or the named one', async () => {
  const text = expectedOutput.replace('ITEM', itemId);
  expect(await radar('show')).toBe(text);
  expect(await radar('show', '--kind', 'daily', '--key', '2026-09-24')).toBe(text);
  const json = JSON.parse(await radar('show', '--json'));
  expect(json).toMatchObject({ version: 1, body: { kind: 'daily', date: '2026-09-24' } });
  await expect(radar('show', '--kind', 'weekly')).rejects.toThrow('There is no weekly yet.');
  const none = radar('show', '--key', '2026-09-25');
  await expect(none).rejects.toThrow('There is no daily of 2026-09-25.');
});

const correct = (...words: readonly string[]) =>
  radar('correct', '--kind', 'daily', '--key', '2026-09-24', ...words);

test('correct changes an entry at the displayed version and adds notes', async () => {
  const done = await correct('--item', itemId, '--title', 'Alder opened a mill', '--from', '1');
  expect(done).toBe('daily 2026-09-24 is corrected and at version 2.\n');
  expect(await radar('show')).toContain('**Alder opened a mill**');
  await expect(correct('--item', itemId, '--remove', '--from', '1')).rejects.toThrow(
    'It was changed meanwhile: it is at 2 now.',
  );
  expect(await correct('--item', itemId, '--remove')).toContain('at version 3');
  expect(await correct('--item', itemId, '--restore')).toContain('at version 4');
  expect(await correct('--note', 'The mill is in the north.')).toContain('at version 5');
  expect(await radar('show')).toMatch(/> 2026-09-25T01:00:00.000Z: The mill is in the north\./);
});

test('correct names missing arguments', async () => {
  await expect(correct('--item', itemId)).rejects.toThrow('Choose');
  await expect(correct('--title', 'Whose?')).rejects.toThrow('Name the entry');
  await expect(correct('--item', itemId, '--remove', '--restore')).rejects.toThrow('Choose one');
  await expect(correct('--item', 'nobody', '--remove')).rejects.toThrow('has no entry nobody');
});
