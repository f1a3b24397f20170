// Charts have no text over their marks.
import { expect, test } from 'vitest';
import { renderTimelineDots } from './charts.ts';

test('a name of any length ends before the axis', () => {
  const name = 'A publisher with a very long name';
  const chart = renderTimelineDots([{ at: 0, name, label: '09:00' }], 'One report').toString();
  const [, axisStart] = /<line class="axis" x1="(\d+)"/.exec(chart) ?? [];
  const [, nameWidth] = /<svg y="0" width="(\d+)" height="26"><title>A publisher/.exec(chart) ?? [];
  expect(Number(nameWidth)).toBeLessThan(Number(axisStart));
  expect(chart).toContain(`>${name}</text></svg>`);
});
