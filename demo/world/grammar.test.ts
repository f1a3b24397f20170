import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/kernel/crypto/random.ts';
import { expand, expandTracked, openDeck, slotsOf } from './grammar.ts';

const repetitions = Array.from({ length: 200 }, (_, index) => index);

describe('expand', () => {
  it('chooses among alternatives, nested ones too, and fills slots', () => {
    const random = seededRandom(3);
    const texts = new Set(
      repetitions.map(() => expand('{co} [[cut|lowered] it|rose]', { co: 'A' }, random)),
    );
    expect([...texts].sort()).toEqual(['A cut it', 'A lowered it', 'A rose']);
  });

  it('returns the slots of the chosen alternative', () => {
    const random = seededRandom(3);
    const slots = { a: '1', b: '2' };
    for (const _ of repetitions) {
      const { text, slots: slotNames } = expandTracked('[x {a}|y {b}|z]', slots, random);
      expect(slotNames).toEqual({ 'x 1': ['a'], 'y 2': ['b'], z: [] }[text]);
    }
  });

  it('refuses a template without a value for a slot', () => {
    expect(() => expand('{co}', {}, seededRandom(1))).toThrow('slot co');
    expect(slotsOf('{co} [{p.last}|x]')).toEqual(['co', 'p.last']);
  });
});

describe('a template deck', () => {
  it('draws the templates that pass the test equally often, and null when none passes', () => {
    const deck = openDeck(seededRandom(7));
    const list = ['a', 'b', 'c', 'd'];
    const drawnTexts = repetitions.map(() => deck.draw(list, (text) => text !== 'd'));
    const counts = Map.groupBy(drawnTexts, (template) => template);
    expect([...counts.keys()].sort()).toEqual(['a', 'b', 'c']);
    for (const uses of counts.values()) expect(Math.abs(uses.length - 67)).toBeLessThan(5);
    expect(deck.draw(list, () => false)).toBe(null);
  });
});
