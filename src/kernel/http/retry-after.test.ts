import { expect, test } from 'vitest';
import { retryAfterMs } from './retry-after.ts';

const now = Date.UTC(2026, 7, 22, 12, 0, 0, 250);
const dateAt = (offsetSeconds: number) => new Date(now + offsetSeconds * 1_000).toUTCString();
const DAY_MS = 86_400_000;

test.each<readonly [Record<string, string>, number | null]>([
  [{ 'retry-after': '120' }, 120_000],
  [{ 'retry-after': ' 120 ' }, 120_000],
  [{ 'retry-after': '120, 120' }, 120_000],
  [{ 'retry-after': '1.5' }, 1_500],
  [{ 'retry-after': '0' }, 0],
  [{ 'retry-after': '-5' }, null],
  [{ 'retry-after': '' }, null],
  [{ 'retry-after': 'later' }, null],
  [{ 'retry-after': 'in 2030' }, null],
  [{ 'retry-after': '86401' }, DAY_MS],
  [{ 'retry-after': '9'.repeat(400) }, DAY_MS],
  [{ 'retry-after': 'Sat, 22 Aug 2026 12:10:00 GMT' }, 599_750],
  [{ 'retry-after': 'Saturday, 22-Aug-26 12:10:00 GMT' }, 599_750],
  [{ 'retry-after': 'Sat Aug 22 12:10:00 2026' }, 599_750],
  [{ 'retry-after': 'Sat, 22 Aug 2026 12:10:00 GMT', date: dateAt(300) }, 300_000],
  [{ 'retry-after': 'Sat, 22 Aug 2026 11:59:59 GMT' }, 0],
  [{ 'retry-after': 'Fri, 22 Aug 2126 12:00:00 GMT' }, DAY_MS],
  [{ 'retry-after': 'Sat, 99 Foo 2026 12:00:00 GMT' }, null],
  [{ 'retry-after-ms': '250', 'retry-after': '9' }, 250],
  [{}, null],
])('reads the delay of %j', (headers, expected) => {
  expect(retryAfterMs(headers, now, DAY_MS)).toBe(expected);
});
