import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { readPostmasterPid } from './find-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'radar-test-'));
const file = join(folder, 'postmaster.pid');
afterAll(() => rmSync(folder, { recursive: true }));

const lines = [
  '4711',
  '/data/postgres',
  '1787400000',
  '5432',
  '/tmp/radar-1',
  '',
  ' 1 2',
  'ready   ',
];

it('a ready server reports its address', () => {
  writeFileSync(file, `${lines.join('\n')}\n`);
  expect(readPostmasterPid(file)).toEqual({
    pid: 4711,
    socketFolder: '/tmp/radar-1',
    isReady: true,
  });
});

it.each(['starting', 'stopping', 'standby '])('a server that is %s is not ready', (status) => {
  writeFileSync(file, `${[...lines.slice(0, 7), status].join('\n')}\n`);
  expect(readPostmasterPid(file)).toMatchObject({ isReady: false });
});

it('a missing, empty or partial file means not ready', () => {
  rmSync(file);
  expect(readPostmasterPid(file)).toBeNull();
  for (let written = 0; written < 5; written += 1) {
    writeFileSync(file, lines.slice(0, written).join('\n'));
    expect(readPostmasterPid(file)).toBeNull();
  }
});
