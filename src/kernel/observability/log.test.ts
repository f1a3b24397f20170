// Log lines are JSON, and fields with secret names are redacted at three depths.
import { expect, test } from 'vitest';
import { openLog } from './log.ts';

test('redacts fields with secret names, and keeps one line for each entry', () => {
  const lines: string[] = [];
  const log = openLog({ level: 'info', now: () => 0, write: (line) => lines.push(line) });
  const fields = { password: 'p1', request: { cookie: 'c1', headers: { authorization: 'a1' } } };
  log.info({ ...fields, client: 'a\n{"level":"error"}' }, 'a message');
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? '')).toEqual({
    level: 'info',
    time: '1970-01-01T00:00:00.000Z',
    password: '[redacted]',
    request: { cookie: '[redacted]', headers: { authorization: '[redacted]' } },
    client: 'a\n{"level":"error"}',
    msg: 'a message',
  });
  expect(lines[0]?.trimEnd()).not.toContain('\n');
});
