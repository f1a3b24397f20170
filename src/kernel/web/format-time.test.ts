import { expect, test } from 'vitest';
import { dateText, dayText, zonedDateText } from './format-time.ts';

const at = Date.parse('2026-11-22T05:37:00Z');
const nextYear = Date.parse('2027-01-02T00:00:00Z');

test('an instant has one form; the year is added where it differs', () => {
  expect(dateText('en', at, at)).toBe('Sun 22 Nov, 13:37');
  expect(dateText('en', at, nextYear)).toBe('Sun 22 Nov 2026, 13:37');
  expect(dateText('zh-CN', at, null)).toBe('2026年11月22日周日 13:37');
  expect(dayText('en', at, at)).toBe('Sun 22 Nov');
  expect(dayText('zh-CN', at, nextYear)).toBe('2026年11月22日周日');
});

test('a message has the same form with its zone and year', () => {
  expect(zonedDateText('en', at, 'Europe/Berlin')).toBe('Sun 22 Nov 2026, 06:37 (Europe/Berlin)');
  expect(zonedDateText('zh-CN', at, 'Asia/Shanghai')).toBe(
    '2026年11月22日周日 13:37 (Asia/Shanghai)',
  );
});
