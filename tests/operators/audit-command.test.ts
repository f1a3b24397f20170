// `radar audit export` has two formats and several filters, and refuses invalid options.
import { expect, test } from 'vitest';
import type { App, CliApp, Terminal } from '../../src/cli/app.ts';
import { buildProgram } from '../../src/cli/program.ts';
import { messageOf } from '../../src/kernel/errors/fault.ts';
import { SHELL, withAudit } from '../../src/operators/audit-log.ts';
import { openTestDatabase } from '../support/test-database.ts';
import { testWorld } from '../support/test-world.ts';

const { db } = await openTestDatabase();
const { world, clock } = testWorld();
const DAY_MS = 86_400_000;

/** A row a day, from 2026-08-22 on. */
for (const [kind, subject] of [
  ['source', 'wire'],
  ['account', 'acct_1'],
  ['source', 'ledger'],
] as const) {
  await withAudit(world, db, SHELL, async () => ({
    outcome: null,
    entry: {
      action: 'pause',
      kind,
      subject,
      before: { status: 'active' },
      after: { status: 'paused' },
      note: '=1+1',
    },
  }));
  clock.advance(DAY_MS);
}

async function exportLog(...options: string[]) {
  const output = { out: '', err: '' };
  const terminal: Terminal = {
    isInteractive: false,
    out: (text) => {
      output.out += text;
    },
    note: (text) => {
      output.err += text;
    },
  };
  const withApp: App['withApp'] = (work) => work({ world, db } as CliApp);
  const program = buildProgram({ terminal, withApp } as App, '0').exitOverride();
  for (const command of program.commands) {
    for (const subcommand of command.commands) subcommand.exitOverride();
  }
  const run = program.parseAsync(['audit', 'export', ...options], { from: 'user' });
  return run.then(
    () => output,
    (error) => ({ out: output.out, err: messageOf(error) }),
  );
}

const subjectsOf = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { subject: string }).subject);

test('prints every row as NDJSON, oldest first', async () => {
  const { out, err } = await exportLog();
  expect([subjectsOf(out), err]).toEqual([['wire', 'acct_1', 'ledger'], '']);
  expect(JSON.parse(out.split('\n')[0] ?? '')).toEqual({
    id: expect.any(String),
    at: '2026-08-22T12:00:00.000Z',
    operator: 'shell',
    operator_id: null,
    address: null,
    action: 'pause',
    kind: 'source',
    subject: 'wire',
    before: { status: 'active' },
    after: { status: 'paused' },
    note: '=1+1',
  });
});

test('prints CSV that a spreadsheet does not execute', async () => {
  const { out } = await exportLog('--format', 'csv', '--subject', 'wire');
  const [, row] = out.split('\r\n');
  expect(row).toMatch(
    /,2026-08-22T12:00:00\.000Z,shell,,,pause,source,wire,"{""status"":""active""}",.*,'=1\+1$/,
  );
});

test('filters by kind, object and time', async () => {
  expect(subjectsOf((await exportLog('--kind', 'source')).out)).toEqual(['wire', 'ledger']);
  expect(subjectsOf((await exportLog('--from', '2026-08-23')).out)).toEqual(['acct_1', 'ledger']);
  expect(subjectsOf((await exportLog('--to', '2026-08-23T12:00:00Z')).out)).toEqual(['wire']);
});

test('refuses an unknown format and an invalid time', async () => {
  expect((await exportLog('--format', 'xml')).err).toContain('Allowed choices are ndjson, csv');
  expect((await exportLog('--from', 'yesterday')).err).toContain('It must be an RFC 3339 time');
});
