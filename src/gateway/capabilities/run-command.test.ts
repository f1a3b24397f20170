import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { runningClock } from '../../kernel/time/clock.ts';
import { type Command, runCommand } from './run-command.ts';

const folder = mkdtempSync(join(tmpdir(), 'radar-command-'));
afterAll(() => rmSync(folder, { recursive: true }));

const run = (file: string, args: readonly string[], limits: Partial<Command> = {}) =>
  runCommand(
    { clock: runningClock() },
    { file, args, folder, timeoutMs: 60_000, maxBytes: 2 ** 20, ...limits },
  );

const node = (script: string, limits: Partial<Command> = {}) =>
  run(process.execPath, ['-e', script], { maxMemoryBytes: null, ...limits });

test('passes arguments unchanged, so that no shell interprets them', async () => {
  const args = ['$HOME', '`id`', '; exit 3', '*', '', "it's", '--flag'];
  const script = 'process.stdout.write(JSON.stringify(process.argv.slice(1)))';
  const outcome = await run(process.execPath, ['-e', script, '--', ...args], {
    maxMemoryBytes: null,
  });
  expect(outcome).toMatchObject({ kind: 'ended', status: 0 });
  expect(outcome.kind === 'ended' && JSON.parse(outcome.stdout.toString())).toEqual(args);
});

test('reports a missing program and the status of a failed one', async () => {
  expect(await run('no-such-program', [])).toEqual({ kind: 'missing' });
  expect(await run(join(folder, 'nothing'), [])).toEqual({ kind: 'missing' });
  expect(await node('process.exit(3)')).toMatchObject({ kind: 'ended', status: 3 });
});

test('a program receives no secret of this process in its environment', async () => {
  process.env.RADAR_TEST_SECRET = 'a secret';
  const outcome = await node('process.stdout.write(Object.keys(process.env).sort().join())');
  delete process.env.RADAR_TEST_SECRET;
  const names = outcome.kind === 'ended' ? outcome.stdout.toString() : '';
  const expectedNames = ['HOME', 'LANG', 'MALLOC_ARENA_MAX', 'OMP_THREAD_LIMIT', 'PATH'];
  expect(names.split(',').filter((name) => name !== 'PWD')).toEqual(expectedNames);
});

test('ends a program that writes a file above the limit', async () => {
  const write = 'require("fs").writeFileSync("big", Buffer.alloc(4 * 2 ** 20))';
  const outcome = await node(write, { maxFileBytes: 2 ** 20 });
  expect(outcome).toMatchObject({ kind: 'ended', status: expect.not.toBeOneOf([0]) });
  expect(statSync(join(folder, 'big')).size).toBeLessThanOrEqual(2 * 2 ** 20);
});

test.skipIf(process.platform !== 'linux')('limits the memory of a program', async () => {
  // `tail` keeps a line of unknown length in memory.
  const args = ['-c', 'head -c 500000000 /dev/zero | tail -n 1 | wc -c'];
  const limited = await run('sh', args, { maxMemoryBytes: 100 * 2 ** 20 });
  expect(limited.kind === 'ended' && limited.stderrEnd).toMatch(/memory|exhausted/);
  expect(
    await run('sh', ['-c', 'ulimit -v; ulimit -c'], { maxMemoryBytes: 2 ** 30 }),
  ).toMatchObject({ stdout: Buffer.from(`${2 ** 20}\n0\n`) });
});
