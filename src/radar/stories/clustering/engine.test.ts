// Properties of the engine: determinism, one story per event in two languages, and priority of
// operators' decisions.
import { expect, test } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../../kernel/time/durations.ts';
import { readStoryRules } from '../rules/read-story-rules.ts';
import { openEngine } from './engine.ts';
import type { StoryItem } from './story-item.ts';

const rules = await readStoryRules('editorial');

const start = Date.parse('2026-05-04T08:00:00Z');
const item = (id: string, title: string, hours = 0, lang = 'en'): StoryItem => ({
  id,
  title,
  lang,
  timeMs: start + hours * HOUR_MS,
});

const stream: readonly StoryItem[] = [
  item('a1', 'Brightwater Robotics raises $125M to build warehouse humanoids'),
  item('b1', 'Ferry strike leaves Cape Sorrel islands without fuel', 1),
  item('a2', 'Warehouse humanoid maker Brightwater Robotics raises $125 million', 2),
  item('c1', 'Orchard growers fear late frost in the Lindell valley', 3),
  item('b2', 'Cape Sorrel islands run out of fuel as ferry strike goes on', 4),
  item('a3', '仓储人形机器人公司 Brightwater Robotics 融资 1.25亿美元', 5, 'zh'),
];

const run = (items: readonly StoryItem[]) => {
  const engine = openEngine(rules);
  for (const item of items) engine.add(item);
  engine.recluster();
  return engine;
};
const storyByItem = (assigned: readonly { readonly id: string; readonly story: string }[]) =>
  Object.fromEntries(assigned.map(({ id, story }) => [id, story]));

test('reports of one event in two languages are one story', () => {
  expect(storyByItem(run(stream).assigned())).toEqual({
    a1: 'a1',
    a2: 'a1',
    a3: 'a1',
    b1: 'b1',
    b2: 'b1',
    c1: 'c1',
  });
});

test('Chinese reports without times match although their titles have different words', () => {
  const report = (id: string, title: string, text: string): StoryItem => {
    return { id, title, text, lang: 'zh', timeMs: null };
  };
  const ferry =
    '临港渡轮公司周一说，从下月起不再开夜间班次，理由是柴油太贵。岛上居民说，晚班工人将无法回家。';
  const quay = '岛民周二聚集在临港码头，抗议渡轮公司取消夜间班次。公司称柴油价格让夜航每晚亏钱。';
  const frost =
    '北岭一带的果农说，本周夜间气温可能降到零下三度，杏花正开。合作社借来了四十台风机。';
  const fans = '杏花盛开之际，北岭预报零下三度。果农从合作社借了风机，准备整夜吹风。';
  const items = [
    report('f1', '临港渡轮公司宣布停开夜班船', ferry),
    report('g1', '北岭果农担心晚霜毁掉杏花', frost),
    report('f2', '夜船要停了！临港渡轮这一决定惹恼岛民', quay),
    report(
      'h1',
      '临港图书馆周末延长开放',
      '临港市图书馆从本周起周六开到晚上九点，馆长说这是读者要求的。',
    ),
    report('g2', '晚霜将至 北岭杏农连夜搬风机护花', fans),
  ];
  const expected = { f1: 'f1', f2: 'f1', g1: 'g1', g2: 'g1', h1: 'h1' };
  expect(storyByItem(run(items).assigned())).toEqual(expected);
});

test('the same stream gives the same stories and the same log', () => {
  const [first, second] = [run(stream), run(stream)];
  expect(first.assigned()).toEqual(second.assigned());
  expect(first.log()).toEqual(second.log());
});

test('a repeated item keeps its story, and the log does not grow', () => {
  const engine = run(stream);
  const before = engine.log().length;
  const [first] = stream;
  if (first !== undefined) expect(engine.add(first).storyId).toBe('a1');
  expect(engine.log()).toHaveLength(before);
});

test('every log entry has the item, the story, the rules and the reason', () => {
  const lines = run(stream).log();
  expect(lines[0]).toEqual({
    itemId: 'a1',
    storyId: 'a1',
    score: expect.closeTo(1, 2),
    features: {},
    rulesVersion: rules.version,
    reason: 'founded',
  });
  for (const { score } of lines) expect(score >= 0 && score <= 1).toBe(true);
});

test('a restored engine assigns new items to the restored stories', () => {
  const engine = openEngine(rules);
  const stories = storyByItem(run(stream).assigned());
  for (const item of stream) engine.restore(item, `story-of-${stories[item.id]}`);
  expect(engine.log()).toEqual([]);
  const title = 'Ferry strike: Cape Sorrel islands still without fuel';
  expect(engine.add(item('b3', title, 6))).toMatchObject({
    storyId: 'story-of-b1',
    reason: 'joined',
  });
});

test('an engine with stored features equals one that read the texts', () => {
  const reader = run(stream);
  const [byText, byFeatures] = [openEngine(rules), openEngine(rules)];
  for (const item of stream) {
    byText.restore(item, `s-${reader.storyOf(item.id)}`);
    const { id, timeMs } = item;
    const wordless = { id, timeMs, title: '', lang: '' };
    byFeatures.restore(wordless, `s-${reader.storyOf(id)}`, reader.featuresOf(id));
    expect(byFeatures.featuresOf(id)).toEqual(byText.featuresOf(id));
  }
  const later = item('a4', 'Brightwater Robotics, maker of humanoids, has raised $125M', 8);
  expect(byFeatures.add(later)).toEqual(byText.add(later));
  expect(byFeatures.storyOf('a4')).toBe('s-a1');
  expect(reader.featuresOf('unknown')).toBeUndefined();
});

test('pins take precedence: items are linked, kept apart or isolated', () => {
  const engine = openEngine(rules, [
    { kind: 'must-link', items: ['c1', 'a1'] },
    { kind: 'cannot-link', items: ['b2', 'b1'] },
    { kind: 'stand-alone', item: 'a2' },
  ]);
  for (const item of stream) engine.add(item);
  engine.recluster();
  const stories = storyByItem(engine.assigned());
  expect(stories.c1).toBe('a1');
  expect(stories.b2).toBe('b2');
  expect(stories.a2).toBe('a2');
});

test('a later pin moves assigned items, and the log has the reason `pinned`', () => {
  const engine = run(stream);
  engine.pin({ kind: 'cannot-link', items: ['b1', 'b2'] });
  engine.recluster();
  expect(storyByItem(engine.assigned())).toMatchObject({ b1: 'b1', b2: 'b2' });
  expect(engine.log().at(-1)).toMatchObject({ itemId: 'b2', reason: 'pinned' });
  engine.pin({ kind: 'must-link', items: ['b1', 'b2'] });
  expect(storyByItem(engine.assigned())).toMatchObject({ b1: 'b1', b2: 'b1' });
});

test('clusters recent reports and the given older ones again, and no others', () => {
  const staysApart = (sinceMs: number, newItemIds: readonly string[]) => {
    const engine = openEngine(rules);
    for (const item of stream) engine.add(item);
    const newStory = engine.move(['b2'], null);
    engine.recluster(sinceMs, newItemIds);
    return engine.storyOf('b2') === newStory[0]?.storyId;
  };
  const later = Number.MAX_SAFE_INTEGER;
  expect(staysApart(later, [])).toBe(true);
  expect(staysApart(later, ['b1', 'b2'])).toBe(false);
  expect(staysApart(0, [])).toBe(false);
});

test('a story keeps its reports when only some of them are clustered again', () => {
  const engine = openEngine(rules);
  const endings = ['a maker of robot hands', 'for $920 million', 'its largest deal', 'it says'];
  for (const [index, ending] of endings.entries())
    engine.add(item(`s${index}`, `Orrin takes over Sixpence Robotics, ${ending}`, 12 * index));
  for (let hours = 0; hours < 96; hours += 6) engine.recluster(start + hours * HOUR_MS);
  expect(storyByItem(engine.assigned())).toEqual({ s0: 's0', s1: 's0', s2: 's0', s3: 's0' });
});

test('a report of another version does not join by the name that a large story owns', () => {
  const title = 'Halden Labs opens the weights of its language model Zorvak 5';
  const launch = Array.from({ length: 8 }, (_, index) => item(`l${index}`, title, index / 8));
  const [farewell, older] = ['Farewell, Zorvak', 'Cheaper tool for Zorvak 4 halves costs'];
  const assigned = run([...launch, item('f', farewell, 2), item('o', older, 3)]).assigned();
  expect(storyByItem(assigned)).toMatchObject({ l0: 'l0', l7: 'l0', f: 'l0', o: 'o' });
});

test('a product and its version alone are not one event', () => {
  const reports = ['tops a test of hospital questions', 'arrives at the shop of Cloudport'];
  const items = reports.map((action, hours) => item(`p${hours}`, `Zorvak V4.0 ${action}`, hours));
  const copy = item('p2', 'Cloudport shop has Zorvak 4', 2);
  expect(storyByItem(run([...items, copy]).assigned())).toEqual({ p0: 'p0', p1: 'p1', p2: 'p1' });
});

test('no item joins the story of a roundup, and a roundup joins no story', () => {
  const engine = run(stream);
  const entry = engine.add(item('r1', 'Weekly digest: Brightwater raises $125M, ferry strike', 6));
  expect(entry).toMatchObject({ storyId: 'r1', reason: 'roundup' });
});

test('a removed item is in no story, and may be added again', () => {
  const engine = run(stream);
  expect(engine.removeItem('b1')).toBe(true);
  expect(engine.removeItem('b1')).toBe(false);
  expect(engine.storyOf('b1')).toBeUndefined();
  expect(engine.itemsOf('b1')).toEqual(['b2']);
  const repeatedItem = item('b1', 'Ferry strike leaves Cape Sorrel islands without fuel', 1);
  expect(engine.add(repeatedItem)).toMatchObject({ storyId: 'b1', reason: 'joined' });
});

test('evicts old items and leaves the rest unchanged', () => {
  const engine = run(stream);
  for (let index = 0; index < 40; index += 1) {
    engine.add(item(`n${index}`, `Notice ${index * 7919} of the harbour board`, 30 * 24 + index));
  }
  expect(engine.forget(start + 20 * DAY_MS)).toBe(stream.length);
  expect(engine.storyOf('a1')).toBeUndefined();
  expect(engine.assigned()).toHaveLength(40);
  const title = 'Lighthouse keepers of Cape Sorrel win their appeal';
  engine.add(item('k1', title, 31 * 24));
  expect(engine.add(item('k2', `${title} in court`, 31 * 24 + 1)).storyId).toBe('k1');
});

test('an operator moves items out of a story, and back', () => {
  const engine = run(stream);
  expect(engine.move(['a2', 'a3'], null)).toMatchObject([
    { itemId: 'a2', storyId: 'a2', reason: 'pinned' },
    { itemId: 'a3', storyId: 'a2', reason: 'pinned' },
  ]);
  engine.move(['a2', 'a3'], 'a1');
  expect(engine.itemsOf('a1')).toEqual(['a1', 'a2', 'a3']);
  expect(engine.itemsOf('a2')).toEqual([]);
});

test('takeLog returns the log entries and drops them', () => {
  const engine = run(stream);
  expect(engine.takeLog().map(({ itemId }) => itemId)).toContain('a1');
  expect(engine.log()).toEqual([]);
});

test('groups reports by development: two merged events are two developments', () => {
  const engine = run(stream);
  engine.move(['b1', 'b2'], 'a1');
  expect(engine.developments('a1')).toEqual([
    ['a1', 'a2', 'a3'],
    ['b1', 'b2'],
  ]);
  expect(engine.developments('c1')).toEqual([['c1']]);
  expect(engine.developments('b1')).toEqual([]);
});
