import { expect, it } from 'vitest';
import { Fault } from '../../kernel/errors/fault.ts';
import { explainFailedStart, explainUnusableFolder, extractErrors } from './explain-failure.ts';

const systemError = (code: string) => Object.assign(new Error(`${code}: what, open`), { code });

it.each([
  ['ENOSPC', 'its disk is full. Free some space there.'],
  ['EROFS', 'it is on a read-only file system. Set DATA_DIR to a folder that can be written.'],
  ['ENOTDIR', 'a file is in the way of a folder. Move it away, or set DATA_DIR to another folder.'],
  [
    'EACCES',
    "this user may not write there. Give the folder to the user who runs this ('chown -R'), " +
      'or set DATA_DIR to another folder.',
  ],
])('explains the error %s of the data folder with instructions', (code, advice) => {
  expect(explainUnusableFolder('/data', systemError(code))).toMatchObject({
    code: 'temporarily_unavailable',
    message: `The data folder /data cannot be used: ${advice} The error was: ${code}: what, open`,
  });
});

it('reports a failure without known instructions by its system error', () => {
  expect(explainUnusableFolder('/data', systemError('EMFILE')).message).toBe(
    'The data folder /data cannot be used: EMFILE: what, open.',
  );
});

it('returns a Fault unchanged', () => {
  const fault = new Fault('temporarily_unavailable', 'enough');
  expect(explainUnusableFolder('/data', fault)).toBe(fault);
});

it('reports the server’s errors without timestamps and process ids', () => {
  const output = [
    '2026-08-22 12:00:00.000 UTC [77] LOG:  starting PostgreSQL 18.4',
    '2026-08-22 12:00:00.001 UTC [77] FATAL:  could not write file: No space left on device',
    '2026-08-22 12:00:00.001 UTC [77] HINT:  Check free disk space.',
    '',
  ].join('\n');
  expect(extractErrors(output)).toBe(
    'FATAL:  could not write file: No space left on device HINT:  Check free disk space.',
  );
  expect(explainFailedStart('/', { output, status: 1 }).message).toBe(
    'The embedded PostgreSQL in / cannot start: its disk is full. Free some space there. ' +
      `The error was: ${extractErrors(output)}`,
  );
});

it('omits an informational line with its hint', () => {
  const output = [
    '2026-08-22 12:00:00.000 UTC [77] LOG:  database system was interrupted while in recovery',
    '2026-08-22 12:00:00.000 UTC [77] HINT:  This probably means that some data is corrupted and',
    '\tyou will have to use the last backup for recovery.',
    '2026-08-22 12:00:00.001 UTC [77] PANIC:  could not write: No space left on device',
    '2026-08-22 12:00:00.001 UTC [77] CONTEXT:  WAL redo',
  ].join('\n');
  expect(extractErrors(output)).toBe(
    'PANIC:  could not write: No space left on device CONTEXT:  WAL redo',
  );
});

it('reports the signal that ended a server without output', () => {
  expect(explainFailedStart('/', { output: '', status: 'SIGKILL' }).message).toBe(
    'The embedded PostgreSQL in / cannot start. It ended silently with SIGKILL.',
  );
});
