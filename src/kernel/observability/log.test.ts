// Log lines are JSON, and fields with secret names are redacted at three depths.
import { expect, test } from 'vitest';
import { openLog } from './log.ts';

test('redacts fields with secret names, and writes one line per entry', () => {
  const loggedLines: string[] = [];
  const log = openLog({ level: 'info', now: () => 0, write: (line) => loggedLines.push(line) });
  const fields = { password: 'p1', request: { cookie: 'c1', headers: { authorization: 'a1' } } };
  log.info({ ...fields, client: 'a\n{"level":"error"}' }, 'a message');
  expect(loggedLines).toHaveLength(1);
  expect(JSON.parse(loggedLines[0] ?? '')).toEqual({
    level: 'info',
    time: '1970-01-01T00:00:00.000Z',
    password: '[redacted]',
    request: { cookie: '[redacted]', headers: { authorization: '[redacted]' } },
    client: 'a\n{"level":"error"}',
    msg: 'a message',
  });
  expect(loggedLines[0]?.trimEnd()).not.toContain('\n');
});
