import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'final-line-'));
afterAll(() => rmSync(folder, { recursive: true }));

const vitest = join(import.meta.dirname, '../../node_modules/vitest/vitest.mjs');
const reporter = join(import.meta.dirname, 'final-line-reporter.ts');

/** Runs Vitest on planted files and returns the last line and the exit status. */
function runVitest(files: Readonly<Record<string, string>>) {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const config = join(folder, 'vitest.config.mjs');
  const importLine = `import { finalLineReporter } from ${JSON.stringify(reporter)};`;
  const test = "{ globals: true, reporters: ['default', finalLineReporter()] }";
  writeFileSync(config, `${importLine}\nexport default { test: ${test} };\n`);
  const names = Object.keys(files);
  const result = spawnSync(process.execPath, [vitest, 'run', '--root', folder, ...names], {
    encoding: 'utf8',
  });
  return {
    lastLine: result.stdout.trimEnd().split('\n').at(-1),
    status: result.status,
    output: result.stdout,
  };
}

it('counts passed, failed and skipped tests, and counts unloadable files as failures', () => {
  const result = runVitest({
    'a.test.mjs': "it('a', () => {}); it('b', () => expect(1).toBe(2)); it.skip('c', () => {});",
    'b.test.mjs': "throw new Error('not today');",
  });
  expect(result).toMatchObject({ lastLine: '1 passed, 2 failed, 1 skipped', status: 1 });
});

it('prints no failures when all tests pass', () => {
  const result = runVitest({ 'c.test.mjs': "it('a', () => {}); it('b', () => {});" });
  expect(result).toMatchObject({ lastLine: '2 passed, 0 failed, 0 skipped', status: 0 });
});

it('counts an error outside of any test as a failure', () => {
  const lateError = "it('a', () => { setImmediate(() => { throw new Error('late'); }); });";
  const waitingTest =
    "it('b', () => new Promise((resolve) => setImmediate(setImmediate, resolve)));";
  const result = runVitest({ 'd.test.mjs': `${lateError}\n${waitingTest}` });
  expect(result).toMatchObject({ lastLine: '2 passed, 1 failed, 0 skipped', status: 1 });
});

it('lists tests that pass on a second try, with their first failure', () => {
  const plantedTest = "let tries = 0; it('e', { retry: 1 }, () => expect({ tries: (tries += 1) })";
  const { output, ...result } = runVitest({
    'e.test.mjs': `describe('now and then', () => { ${plantedTest}.toEqual({ tries: 2 })); });`,
  });
  expect(result).toEqual({ lastLine: '1 passed, 0 failed, 0 skipped', status: 0 });
  const [, report = ''] = output.split('\nflaky: e.test.mjs > now and then > e\n');
  expect(report).toContain('expected { tries: 1 } to deeply equal { tries: 2 }');
  expect(report).toContain('+   "tries": 1,');
});

it('counts a test that fails twice as failed and not as flaky', () => {
  const plantedTest = "it('f', { retry: 1 }, () => expect(1).toBe(2));";
  const { output, ...result } = runVitest({ 'f.test.mjs': plantedTest });
  expect(result).toEqual({ lastLine: '0 passed, 1 failed, 0 skipped', status: 1 });
  expect(output).not.toContain('flaky');
});
