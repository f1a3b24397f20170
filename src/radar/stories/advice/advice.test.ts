import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../../kernel/crypto/random.ts';
import { openEngine } from '../clustering/engine.ts';
import type { StoryItem } from '../clustering/story-item.ts';
import { readStoryRules } from '../rules/read-story-rules.ts';
import { noAdvice } from './advice.ts';
import { addedOdds, calibrate, standardScore } from './calibrate.ts';
import { openVectorIndex, product } from './live-vectors.ts';
import { createRelateTask, relatedOf } from './relate-question.ts';

const rules = await readStoryRules('editorial');

const at = Date.parse('2026-08-22T12:00:00Z');

const items: readonly StoryItem[] = [
  ['a', 'Halden Labs raises $2 billion to build a data centre in Port Lanner'],
  ['b', 'Port Lanner data centre: Halden Labs raises $2 billion'],
  ['c', 'A court in Ostrey fines the bakery guild over late bread'],
  ['d', 'Rivermouth opens a museum of lighthouses and their keepers'],
].map(([id = '', title = ''], n) => ({ id, timeMs: at + n * 60_000, lang: 'en', title }));

const storiesOf = (engine: ReturnType<typeof openEngine>) =>
  Object.fromEntries(engine.assigned().map(({ id, story }) => [id, story]));

describe('the engine', () => {
  test('keeps its state when it makes a proposal', () => {
    const [engineAlone, proposing] = [openEngine(rules), openEngine(rules)];
    for (const item of items) {
      engineAlone.add(item);
      const proposal = proposing.propose(item, noAdvice);
      expect(proposing.storyOf(item.id)).toBeUndefined();
      const { storyId } = proposing.add(item);
      if (storyId !== item.id) expect(proposal.near[0]?.storyId).toBe(storyId);
    }
    expect(storiesOf(proposing)).toEqual(storiesOf(engineAlone));
    expect(storiesOf(engineAlone)).toEqual({ a: 'a', b: 'a', c: 'c', d: 'd' });
  });

  test('joins different items and separates similar ones on a model’s advice', () => {
    const engine = openEngine(rules);
    const [a, b, c] = items;
    if (!a || !b || !c) throw new Error('fewer than three items');
    engine.add(a);
    const joined = engine.add(c, { ...noAdvice, join: 'a' });
    expect(joined).toMatchObject({ storyId: 'a', reason: 'joined', features: { model: 1 } });
    const parted = engine.add(b, { ...noAdvice, unrelatedItems: ['a'] });
    expect(parted).toMatchObject({ storyId: 'b', reason: 'founded', features: { model: -1 } });
  });

  test('ignores advice that contradicts an editor’s pin', () => {
    const engine = openEngine(rules, [{ kind: 'cannot-link', items: ['a', 'c'] }]);
    const [a, , c] = items;
    if (!a || !c) throw new Error('fewer than two items');
    engine.add(a);
    expect(engine.add(c, { ...noAdvice, join: 'a' }).storyId).toBe('c');
  });

  test('ignores advice about removed items', () => {
    const engine = openEngine(rules);
    const [a] = items;
    if (!a) throw new Error('no item');
    const advice = { join: 'gone', unrelatedItems: ['gone too'], nearness: new Map([['gone', 9]]) };
    expect(engine.add(a, advice)).toMatchObject({ storyId: 'a', reason: 'founded' });
  });
});

const vector = (...values: number[]) => Float32Array.from(values);

test('returns the nearest items first, within reach and above the minimum', async () => {
  const index = openVectorIndex('m', 3);
  const add = (itemId: string, timeMs: number, ...values: number[]) =>
    index.add({ itemId, timeMs, isHan: false }, vector(...values));
  add('old', at - 1_000_000, 1, 0);
  add('near', at, 0.6, 0.8);
  add('nearer', at, 0.8, 0.6);
  const query = { itemId: 'x', timeMs: at, reachMs: 1_000, max: 5, min: 0.5 };
  const nearest = await index.nearest(vector(1, 0), query);
  expect(nearest.map(({ itemId }) => itemId)).toEqual(['nearer', 'near']);
  expect(nearest[0]?.cosine).toBeCloseTo(0.8, 2);
  // A full index keeps the newest vectors and refuses one that is older than all of them.
  expect([add('new', at + 1, 1, 0), add('older', at - 2_000_000, 1, 0)]).toEqual([true, false]);
  expect([index.size, index.has('old'), index.has('new')]).toEqual([3, false, true]);
  index.forget(at + 1);
  expect([index.size, index.has('new')]).toEqual([1, true]);
});

test('one byte per number preserves distances over thousands of vectors', async () => {
  const random = seededRandom(7);
  const make = () => {
    const values = Array.from({ length: 256 }, () => random.next() - 0.5);
    const length = Math.hypot(...values);
    return Float32Array.from(values, (value) => value / length);
  };
  const all = Array.from({ length: 3_000 }, (_, n) => ({ itemId: `i${n}`, vector: make() }));
  const index = openVectorIndex('m');
  for (const { itemId, vector: itemVector } of all)
    index.add({ itemId, timeMs: at, isHan: false }, itemVector);
  const queryVector = make();
  const exact = all
    .map(({ itemId, vector: itemVector }) => ({ itemId, cosine: product(queryVector, itemVector) }))
    .sort((a, b) => b.cosine - a.cosine);
  const query = { itemId: '', timeMs: at, reachMs: 1, max: 5, min: 0 };
  const nearest = await index.nearest(queryVector, query);
  expect(nearest[0]?.itemId).toBe(exact[0]?.itemId);
  for (const { itemId, cosine } of nearest) {
    const exactCosine = exact.find((each) => each.itemId === itemId)?.cosine ?? 0;
    expect(Math.abs(exactCosine - cosine)).toBeLessThan(0.005);
  }
});

test('a standard score compares a cosine with the cosines of unrelated texts', () => {
  const samples = Array.from({ length: 80 }, (_, n) => {
    const angle = (n % 8) * 0.05;
    return { vector: vector(Math.cos(angle), Math.sin(angle)), isHan: n % 2 === 0 };
  });
  const calibration = calibrate(samples);
  if (calibration === null) throw new Error('too few samples');
  // All sample vectors have higher cosines than .9, so .9 is a low similarity here.
  expect(standardScore(calibration, 0.9, false)).toBeLessThan(0);
  expect(calibrate(samples.slice(0, 10))).toBeNull();
  expect([addedOdds(-100), addedOdds(5), addedOdds(100)]).toEqual([-1.4, 0, 1.4]);
});

describe('the request about relations', () => {
  const prompt = {
    id: 'relate',
    step: 'relate',
    version: '1',
    system: '',
    answerTokens: 9,
  } as const;
  const quote = (name: string, text: string) => `<<<${name}\n${text}\n>>>`;
  const parts = { prompt, textTokens: 100, quote, cap: (text: string) => text };
  const [report, ...candidates] = items;
  if (!report) throw new Error('no report');
  const question = createRelateTask(parts, report, candidates);
  const result = (words: string) => ({
    relations: [
      { candidate: 'c1', relation: 'same_event' as const, quote: words },
      { candidate: 'c2', relation: 'unrelated' as const, quote: '' },
      { candidate: 'c3', relation: 'unrelated' as const, quote: '' },
    ],
  });

  test('accepts words that occur in the candidate, in any case and punctuation', () => {
    const good = result('“halden labs  raises $2 billion”');
    expect(question.check?.(good)).toBeNull();
    expect(relatedOf(good, candidates)[0]).toMatchObject({ itemId: 'b', relation: 'same_event' });
  });

  test('refuses words that do not occur, and a reply that omits a candidate', () => {
    expect(question.check?.(result('raises $3 billion'))).toContain('the quote for c1');
    expect(question.check?.({ relations: result('').relations.slice(1) })).toContain('c1');
  });
});
