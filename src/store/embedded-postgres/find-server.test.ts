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

it('returns the socket folder of a ready server', () => {
  writeFileSync(file, `${lines.join('\n')}\n`);
  expect(readPostmasterPid(file)).toEqual({
    pid: 4711,
    socketFolder: '/tmp/radar-1',
    isReady: true,
  });
});

it.each(['starting', 'stopping', 'standby '])(
  'does not report a server with the status %s as ready',
  (status) => {
    writeFileSync(file, `${[...lines.slice(0, 7), status].join('\n')}\n`);
    expect(readPostmasterPid(file)).toMatchObject({ isReady: false });
  },
);

it('returns null for a missing, empty or partial file', () => {
  rmSync(file);
  expect(readPostmasterPid(file)).toBeNull();
  for (let lineCount = 0; lineCount < 5; lineCount += 1) {
    writeFileSync(file, lines.slice(0, lineCount).join('\n'));
    expect(readPostmasterPid(file)).toBeNull();
  }
});
