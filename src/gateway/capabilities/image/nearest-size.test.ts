import { expect, test } from 'vitest';
import { nearestSize, ratioOf } from './nearest-size.ts';

test.each([
  ['1:1', '1024x1024'],
  ['5:4', '1536x1024'],
  ['6:5', '1024x1024'],
  ['3:2', '1536x1024'],
  ['16:9', '1536x1024'],
  ['4:1', '1536x1024'],
  ['2:3', '1024x1536'],
  ['9:16', '1024x1536'],
  ['1:4', '1024x1536'],
])('for the ratio %s the nearest size is %s', (ratio, size) => {
  expect(nearestSize(ratioOf(ratio) ?? Number.NaN)).toBe(size);
});

test.each(['5:1', '1:5', '33:32', '0:1', '1:0', '1.5:1', '16/9', ''])(
  '%s is not a ratio',
  (text) => {
    expect(ratioOf(text)).toBeNull();
  },
);
