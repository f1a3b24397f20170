// The checks of the engine for editors' pins. A removed pin has no effect.
import { expect, test } from 'vitest';
import { openPins } from './pins.ts';
import type { Pin } from './story-item.ts';

const link: Pin = { kind: 'must-link', items: ['a', 'b'] };
const keepApart: Pin = { kind: 'cannot-link', items: ['a', 'c'] };

test('a link and a ban apply in both directions, and only between their items', () => {
  const pins = openPins([link, keepApart, { kind: 'stand-alone', item: 'd' }]);
  expect([pins.linkedWith('a'), pins.linkedWith('b'), pins.linkedWith('c')]).toEqual([
    ['b'],
    ['a'],
    [],
  ]);
  expect([pins.isForbidden(['x', 'a'], ['c']), pins.isForbidden(['c'], ['a', 'x'])]).toEqual([
    true,
    true,
  ]);
  expect(pins.isForbidden(['b'], ['c'])).toBe(false);
  expect([pins.isStandAlone('d'), pins.isStandAlone('a')]).toEqual([true, false]);
});

test('a removed pin does not apply', () => {
  const pins = openPins([link, keepApart]);
  pins.remove(link);
  pins.remove(keepApart);
  expect([pins.linkedWith('a'), pins.linkedWith('b')]).toEqual([[], []]);
  expect(pins.isForbidden(['a'], ['c'])).toBe(false);
  expect(pins.size).toBe(0);
});
