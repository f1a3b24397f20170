import { expect, test } from 'vitest';
import type { App } from './app.ts';
import { buildProgram } from './program.ts';

/** The messages of a command that refuses its arguments before it uses the application. */
async function refusalOf(...args: readonly string[]): Promise<string> {
  let text = '';
  const note = (message: string) => {
    text += message;
  };
  const terminal = { isInteractive: false, out: note, note };
  const program = buildProgram({ terminal } as unknown as App, '0.1.0');
  await expect(program.parseAsync(['node', 'radar', ...args])).rejects.toThrow();
  return text;
}

test.each([
  [['nosuch'], '(radar --help shows every command)'],
  [['operator', 'add'], '(radar operator --help shows every command)'],
  [['source', 'try'], '(radar source try --help shows arguments and options)'],
  [['source', 'add', '--teir', 'T1'], '(radar source add --help shows arguments and options)'],
  [['account', 'key', 'add'], '(radar account key add --help shows arguments and options)'],
])('an error of %j names the help of this command', async (args, hint) => {
  expect(await refusalOf(...args)).toContain(`\n${hint}\n`);
});
