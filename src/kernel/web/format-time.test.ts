import { expect, test } from 'vitest';
import { formatDate, formatDay, formatZonedDate } from './format-time.ts';

const at = Date.parse('2026-11-22T05:37:00Z');
const nextYear = Date.parse('2027-01-02T00:00:00Z');

test('the text of an instant contains the year unless it is the current year', () => {
  expect(formatDate('en', at, at)).toBe('Sun 22 Nov, 13:37');
  expect(formatDate('en', at, nextYear)).toBe('Sun 22 Nov 2026, 13:37');
  expect(formatDate('zh-CN', at, null)).toBe('2026年11月22日周日 13:37');
  expect(formatDay('en', at, at)).toBe('Sun 22 Nov');
  expect(formatDay('zh-CN', at, nextYear)).toBe('2026年11月22日周日');
});

test('the text for messages contains the time zone and the year', () => {
  expect(formatZonedDate('en', at, 'Europe/Berlin')).toBe('Sun 22 Nov 2026, 06:37 (Europe/Berlin)');
  expect(formatZonedDate('zh-CN', at, 'Asia/Shanghai')).toBe(
    '2026年11月22日周日 13:37 (Asia/Shanghai)',
  );
});
