import { beforeAll, describe, expect, test } from 'vitest';
import { openEngine } from '../engine.ts';
import type { StoryItem } from '../item.ts';
import type { StoryRules } from '../open-rules.ts';
import { readStoryRules } from '../read-story-rules.ts';
import { noAdvice } from './advice.ts';
import { addedOdds, calibrate, standing } from './calibrate.ts';
import { openVectorIndex } from './live-vectors.ts';
import { relatedOf, relateQuestion } from './relate-question.ts';

let rules: StoryRules;

beforeAll(async () => {
  rules = await readStoryRules('editorial');
});

const at = Date.parse('2026-08-22T12:00:00Z');

const told: readonly StoryItem[] = [
  ['a', 'Halden Labs raises $2 billion to build a data centre in Port Lanner'],
  ['b', 'Port Lanner data centre: Halden Labs raises $2 billion'],
  ['c', 'A court in Ostrey fines the bakery guild over late bread'],
  ['d', 'Rivermouth opens a museum of lighthouses and their keepers'],
].map(([id = '', title = ''], n) => ({ id, timeMs: at + n * 60_000, lang: 'en', title }));

const storiesOf = (engine: ReturnType<typeof openEngine>) =>
  Object.fromEntries(engine.assigned().map(({ id, story }) => [id, story]));

describe('advice', () => {
  test('a proposal leaves nothing behind: the stream ends as it does without', () => {
    const [plain, proposing] = [openEngine(rules), openEngine(rules)];
    for (const item of told) {
      plain.add(item);
      const proposal = proposing.propose(item, noAdvice);
      expect(proposing.storyOf(item.id)).toBeUndefined();
      const { storyId } = proposing.add(item);
      if (storyId !== item.id) expect(proposal.near[0]?.storyId).toBe(storyId);
    }
    expect(storiesOf(proposing)).toEqual(storiesOf(plain));
    expect(storiesOf(plain)).toEqual({ a: 'a', b: 'a', c: 'c', d: 'd' });
  });

  test('a model’s word joins what words alone would not, and parts what they would join', () => {
    const engine = openEngine(rules);
    const [a, b, c] = told;
    if (!a || !b || !c) throw new Error('three items');
    engine.add(a);
    const joined = engine.add(c, { ...noAdvice, join: 'a' });
    expect(joined).toMatchObject({ storyId: 'a', reason: 'joined', features: { model: 1 } });
    const parted = engine.add(b, { ...noAdvice, apart: ['a'] });
    expect(parted).toMatchObject({ storyId: 'b', reason: 'founded', features: { model: -1 } });
  });

  test('an editor’s pin wins over it', () => {
    const engine = openEngine(rules, [{ kind: 'cannot-link', items: ['a', 'c'] }]);
    const [a, , c] = told;
    if (!a || !c) throw new Error('two items');
    engine.add(a);
    expect(engine.add(c, { ...noAdvice, join: 'a' }).storyId).toBe('c');
  });

  test('of items that are gone it says nothing', () => {
    const engine = openEngine(rules);
    const [a] = told;
    if (!a) throw new Error('an item');
    const advice = { join: 'gone', apart: ['gone too'], nearness: new Map([['gone', 9]]) };
    expect(engine.add(a, advice)).toMatchObject({ storyId: 'a', reason: 'founded' });
  });
});

const vector = (...values: number[]) => Float32Array.from(values);

test('the nearest come first, within reach and above the least', () => {
  const index = openVectorIndex('m', 3);
  index.add('gone', at, vector(1, 0));
  index.add('near', at, vector(0.6, 0.8));
  index.add('nearer', at, vector(0.8, 0.6));
  index.add('old', at - 1_000_000, vector(1, 0));
  const ask = { itemId: 'x', timeMs: at, reachMs: 1_000, most: 5, least: 0.5 };
  expect(index.nearest(vector(1, 0), ask).map(({ itemId }) => itemId)).toEqual(['nearer', 'near']);
  expect(index.size).toBe(3);
});

test('nearness is measured against what unlike texts of that model have', () => {
  const samples = Array.from({ length: 80 }, (_, n) => {
    const angle = (n % 8) * 0.05;
    return { vector: vector(Math.cos(angle), Math.sin(angle)), isHan: n % 2 === 0 };
  });
  const calibration = calibrate(samples);
  if (calibration === null) throw new Error('enough samples');
  // Here a cosine of .9 is far, since all lie closer together than that.
  expect(standing(calibration, 0.9, false)).toBeLessThan(0);
  expect(calibrate(samples.slice(0, 10))).toBeNull();
  expect([addedOdds(-100), addedOdds(5), addedOdds(100)]).toEqual([-1.4, 0, 1.4]);
});

describe('the question of relation', () => {
  const prompt = {
    id: 'relate',
    step: 'relate',
    version: '1',
    system: '',
    answerTokens: 9,
  } as const;
  const quote = (name: string, text: string) => `<<<${name}\n${text}\n>>>`;
  const parts = { prompt, textTokens: 100, quote, cap: (text: string) => text };
  const [report, ...candidates] = told;
  if (!report) throw new Error('a report');
  const question = relateQuestion(parts, report, candidates);
  const answer = (words: string) => ({
    relations: [
      { candidate: 'c1', relation: 'same_event' as const, quote: words },
      { candidate: 'c2', relation: 'unrelated' as const, quote: '' },
      { candidate: 'c3', relation: 'unrelated' as const, quote: '' },
    ],
  });

  test('takes words that stand in the candidate, whatever their capitals and marks', () => {
    const good = answer('“halden labs  raises $2 billion”');
    expect(question.check?.(good)).toBeNull();
    expect(relatedOf(good, candidates)[0]).toMatchObject({ itemId: 'b', relation: 'same_event' });
  });

  test('refuses words that do not, and an answer that leaves somebody out', () => {
    expect(question.check?.(answer('raises $3 billion'))).toContain('the quote for c1');
    expect(question.check?.({ relations: answer('').relations.slice(1) })).toContain('c1');
  });
});
