// The five lines of a start in a terminal.
import { expect, test } from 'vitest';
import { collectStartLines, summarizeStart, workerLine } from './start-lines.ts';

const facts = { dataDir: '/srv/data', logFile: '/srv/data/radar.log' };
const firstStart = [
  'First run /srv/data/first-run.json\n',
  'Radar     http://127.0.0.1:4000\n',
  'Password  /srv/data/first-run.json\n',
  'Setup     http://127.0.0.1:4000/admin/setup?once=abc\n',
  'Gateway   http://127.0.0.1:4100/console\n',
  'Sign-up   open; at once\n',
  'Relay     http://127.0.0.1:4200/relay/v1\n',
  'Worker    no sources yet: npx radar source add <address of a feed>\n',
  'Ready. Stop with Ctrl-C.\n',
];

test('prints five lines with a link to the setup on a first start', () => {
  expect(summarizeStart(firstStart, facts)).toEqual([
    'Radar     http://127.0.0.1:4000\n',
    'Gateway   http://127.0.0.1:4100/console  relay: http://127.0.0.1:4200/relay/v1\n',
    'Password  operator_password in /srv/data/first-run.json\n',
    'Next      open http://127.0.0.1:4000/admin/setup?once=abc\n',
    'Ready. Stop with Ctrl-C. Log: /srv/data/radar.log\n',
  ]);
});

test('prints a link to the operators’ pages and all warnings on a later start', () => {
  const warning = 'Warning   http://radar.example is plain http\n';
  const lines = ['Radar     http://radar.example\n', warning, 'Worker    fetches 12 sources\n'];
  expect(summarizeStart(lines, { ...facts, logFile: null })).toEqual([
    warning,
    'Radar     http://radar.example\n',
    'Password  operator_password in /srv/data/first-run.json\n',
    'Next      open http://radar.example/admin (worker: fetches 12 sources)\n',
    'Ready. Stop with Ctrl-C. Log: above\n',
  ]);
});

test('prints lines in a terminal when all servers are open, and in a service at once', () => {
  const printLines = (isInteractive: boolean) => {
    const printed: string[] = [];
    const terminal = { isInteractive, note: () => {}, out: (text: string) => printed.push(text) };
    const startLines = collectStartLines(terminal, facts);
    for (const line of firstStart) startLines.terminal.out(line);
    const before = printed.length;
    startLines.finish();
    startLines.terminal.out('later\n');
    return { before, printed };
  };
  expect(printLines(false)).toEqual({
    before: firstStart.length,
    printed: [...firstStart, 'later\n'],
  });
  const { before, printed } = printLines(true);
  expect([before, printed.length, printed.at(-1)]).toEqual([0, 6, 'later\n']);
});

test('a worker states the number of sources that it fetches', () => {
  const feed = { kind: 'feed', status: 'active' } as const;
  const otherSources = [
    { kind: 'push', status: 'active' },
    { kind: 'feed', status: 'paused' },
  ] as const;
  expect(workerLine([feed, ...otherSources])).toBe('Worker    fetches 1 source\n');
  expect(workerLine([feed, feed])).toBe('Worker    fetches 2 sources\n');
  expect(workerLine(otherSources)).toBe('Worker    fetches 0 sources\n');
  expect(workerLine([])).toContain('radar source add');
});
