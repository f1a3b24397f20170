// A source repeats its subject when its own reports are mostly among the likeliest candidates.
import { expect, test } from 'vitest';
import { itemFeatures } from '../../../../tests/stories/item-features.ts';
import { openTermIndex } from '../index/term-index.ts';
import { openRepeatingSources } from './repeating-sources.ts';

const settings = { backgroundDocuments: 300, halfLifeDocuments: 20_000, rarestIn: 4_000 };

/** A stream of 100 reports, and the slots of the reports for which `isOwn` is true. */
function openStream(isOwn: (at: number) => boolean) {
  const index = openTermIndex(() => 0, settings);
  const slots = Array.from({ length: 100 }, (_, at) =>
    index.add(itemFeatures({ source: [isOwn(at) ? 's:own' : `s:${at}`] }), null),
  );
  const own = slots.filter(isOwn);
  return { sources: openRepeatingSources(index), own, slots };
}

test('a source whose reports are most similar to each other repeats its subject', () => {
  const { sources, own, slots } = openStream((at) => at < 12);
  for (const slot of own)
    sources.measure(
      slot,
      slots.filter((other) => other !== slot),
    );
  expect(sources.areOfOneRepeatingSource(0, 1)).toBe(true);
  expect(sources.areOfOneRepeatingSource(0, 12)).toBe(false);
});

test('an aggregator whose reports are spread over the stream does not repeat its subject', () => {
  const { sources, own, slots } = openStream((at) => at % 4 === 0);
  for (const slot of own)
    sources.measure(
      slot,
      slots.filter((other) => other !== slot),
    );
  expect(sources.areOfOneRepeatingSource(0, 4)).toBe(false);
});

test('an unmeasured source counts as repeating, and an unknown source does not', () => {
  const { sources } = openStream((at) => at < 2);
  expect(sources.areOfOneRepeatingSource(0, 1)).toBe(true);
  const index = openTermIndex(() => 0, settings);
  const [first = 0, second = 0] = [1, 2].map(() => index.add(itemFeatures({}), null));
  expect(openRepeatingSources(index).areOfOneRepeatingSource(first, second)).toBe(false);
});
