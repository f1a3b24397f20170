import { expect, test } from 'vitest';
import { readStoryRules } from '../src/radar/stories/rules/read-story-rules.ts';
import { candidateRecall } from './candidate-recall.ts';

const rules = await readStoryRules('editorial');
const report = (id: string, cluster: string, title: string, lang = 'en') => {
  return { id, cluster, title, lang, timeMs: Date.parse('2026-05-04T08:00:00Z') };
};

test('pairs of one event count as found when they share a rare term', () => {
  const items = [
    report('a1', 'a', 'Brightwater Robotics raises $125M to build warehouse humanoids'),
    report('b1', 'b', 'Ferry strike leaves Cape Sorrel islands without fuel'),
    report('a2', 'a', '仓储人形机器人公司 Brightwater Robotics 融资 1.25亿美元', 'zh'),
    report('b2', 'b', 'Orchard growers fear late frost in the Lindell valley'),
  ];
  expect(candidateRecall(rules, items)).toEqual({ allPairs: 0.5, acrossLanguages: 1 });
  expect(candidateRecall(rules, items.slice(0, 2))).toEqual({
    allPairs: null,
    acrossLanguages: null,
  });
});
