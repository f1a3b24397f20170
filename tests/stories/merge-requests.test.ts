// The model compares an uncertain pair in both orders, and only two agreeing replies count. Replies
// that depend on the order change nothing. Without replies the engine decides alone.
import { hash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ModelFault } from '../../demo/upstream/model/faulty-replies.ts';
import { modelKey, openModelServer } from '../../demo/upstream/model/open-model-server.ts';
import { openStoryAdvice } from '../../src/app/serve/open-story-advice.ts';
import { HOUR_MS } from '../../src/kernel/time/durations.ts';
import { modelSchema } from '../../src/radar/model/model-config.ts';
import { openModel } from '../../src/radar/model/open-model.ts';
import { openEngine } from '../../src/radar/stories/clustering/engine.ts';
import { unpinItems } from '../../src/radar/stories/operator/pin-items.ts';
import { readStoryRecord } from '../../src/radar/stories/operator/show-story.ts';
import { splitByHand } from '../../src/radar/stories/operator/split-by-hand.ts';
import { readStoryRules } from '../../src/radar/stories/rules/read-story-rules.ts';
import { openStoryService } from '../../src/radar/stories/sync/story-service.ts';
import { sqlOf } from '../../src/store/platform/db.ts';
import { inventedEvents } from './made-events.ts';
import { expectStoriesConsistent, openTestStories, type TestReport } from './test-stories.ts';

const stories = await openTestStories();
const { world, db, clock, push, assign, storyOf } = stories;
const server = await openModelServer();
const dayBudget = { requests: 1_000 };
const model = openModel(world, db, {
  settings: {
    url: server.url,
    key: modelKey,
    name: 'demo-editor',
    embeddingModel: null,
    file: modelSchema.parse({ models: { 'demo-editor': { budget: { day: dayBudget } } } }),
  },
});
const openAdviser = await openStoryAdvice(
  { file: { editorial: 'editorial' } },
  { world, db, model },
);
const service = openStoryService(world, db, { editorial: 'editorial', openAdviser });
afterAll(async () => {
  await service.close();
  await server.close();
});

const events = inventedEvents(20, (index) => world.clock.now() - 20 * HOUR_MS + index * 60_000);

/** Unrelated items: the number of permitted requests grows with the number of items. */
const unrelatedItems = Array.from({ length: 60 }, (_, n): TestReport => {
  const letters = hash('sha256', `filler ${n}`).replace(/\d/g, (digit) =>
    'ghijklmnop'.charAt(+digit),
  );
  return {
    id: `f${n}`,
    title: [0, 8, 16].map((index) => letters.slice(index, index + 7)).join(' '),
  };
});

/**
 * Some of these pairs are near the threshold. The term frequencies of the stream determine which
 * pairs.
 */
const unrelatedTitles: readonly (readonly [string, string])[] = [
  [
    'Night train to Ostrey returns in March with sleeping cars, a warm kitchen and a poet',
    'Railway museum in Tarn shows a night lamp and the brass whistle of its first steam train',
  ],
  [
    'Goats clear thistles and weeds along the disused canal near Ahr for a summer of free hay',
    'Canal and weeds in the city of Lund hide a missing wedding ring and three rusty bicycles',
  ],
  [
    'Llamas guard two hundred sheep against hungry wolves in the eastern hills above Murn',
    'Flock of sheep blocks the only paved road through eastern villages for six noisy hours',
  ],
  [
    'Orchard thieves caught near Ember with eleven heavy crates of unripe plums and pears',
    'Crates of lemons wash ashore in fog and thieves carry off the anchor of the shipwreck',
  ],
  [
    'Chess club of silent pensioners meets in a disused bakery twice a month to play ' +
      'blindfold against visiting sailors',
    'Brick ovens of a disused bakery in Lund are sold by auction to a ceramics school ' +
      'for one krona and a handshake',
  ],
  [
    'Sculptor carves a life-size whale out of driftwood, tar and rope for the ' +
      'courtyard of a small seaside school',
    'Skeleton of a young whale is found by road workers digging drains under a ' +
      'crowded seaside car park near Pell',
  ],
  [
    'Painter of Dorn sells a wall of bright murals about harvests to wealthy ' +
      'collectors who visit from abroad',
    'Collectors of old stamps, menus and postcards from abroad meet on a windy ' +
      'northern island without electricity',
  ],
  [
    'Glassblowers of Murn hold a candle market with cider, dancing bears and brass ' +
      'music in the frozen square',
    'Frozen harbour of Sund stays closed for weeks while ice sinks two painted market ' +
      'boats and a wooden crane',
  ],
  [
    'Postman delivers a love letter after forty years behind a loose brick of the ' +
      'sorting depot in Kuopio',
    'Love letter from a shipwrecked sailor is found in a green bottle by children ' +
      'digging on a cold beach',
  ],
  [
    'Bell foundry of Brae casts a heavy bronze bell with nine saints for the wooden ' +
      'church of Ostrey',
    'Cracked bronze bell of Ahr goes silent after four centuries of weddings, fires ' +
      'and flood warnings',
  ],
  [
    'Rye loaf of a baker in Lund wins a golden whisk for its walnuts',
    'Rye loaf with plums and honey feeds a cut-off village near Ahr after a snow storm',
  ],
  [
    'Baker of Lund wins a golden whisk for a rye loaf with plums and walnuts',
    'Rye loaf with figs and honey feeds a cut-off village near Ahr after a snow storm',
  ],
];
type Pair = readonly [TestReport, TestReport];
const uncertainPairs: { readonly pair: Pair; readonly isMergedWithoutModel: boolean }[] = [];

beforeAll(async () => {
  const rules = await readStoryRules('editorial');
  const startTime = world.clock.now();
  for (const [index, [first, second]] of unrelatedTitles.entries()) {
    const pair: Pair = [
      { id: `p${index}-0`, title: first, at: startTime },
      { id: `p${index}-1`, title: second, at: startTime },
    ];
    const engineWith = (hasAdviser: boolean) => {
      const engine = openEngine(rules);
      if (hasAdviser) engine.collectMergeCandidates();
      for (const { id, title, at: timeMs = startTime } of [...events, ...unrelatedItems]) {
        engine.add({ id, title, timeMs, lang: 'en' });
      }
      for (const { id, title } of pair)
        engine.restore({ id, title, timeMs: startTime, lang: 'en' }, id);
      engine.takeMergeCandidates();
      engine.recluster();
      return engine;
    };
    // Neither item may form an uncertain pair with another story, because this would cause further
    // requests.
    const isOfPair = (id = '') => id.startsWith(`p${index}-`);
    const candidates = engineWith(true)
      .takeMergeCandidates()
      .filter(({ a, b }) => isOfPair(a[0]) || isOfPair(b[0]));
    const isUncertain =
      candidates.length === 1 && candidates.every(({ a, b }) => isOfPair(a[0]) && isOfPair(b[0]));
    const engineWithoutModel = engineWith(false);
    const isMergedWithoutModel =
      engineWithoutModel.storyOf(pair[0].id) === engineWithoutModel.storyOf(pair[1].id);
    if (isUncertain) uncertainPairs.push({ pair, isMergedWithoutModel });
  }
});

/** Paid replies about one of these items. Other pairs may be uncertain too. */
async function countReplies(ids: readonly string[]): Promise<number> {
  const rows = await sqlOf(db)
    .selectFrom('model_receipts')
    .select('subject')
    .where('subject', 'in', ids)
    .where('step', '=', 'relate')
    .where('state', '=', 'answered')
    .execute();
  return rows.length;
}

const editor = { actor: 'editor', note: null };

/** An operator separates the pair and removes the pins, so the next pass decides about it. */
async function separatePair([first, second]: Pair) {
  const story = { id: await storyOf(first.id), version: null };
  await splitByHand(world, db, { ...editor, story, itemIds: [second.id] });
  const record = await readStoryRecord(db, await storyOf(first.id));
  for (const { id } of record?.pins ?? []) {
    await unpinItems(world, db, { ...editor, pinId: id });
  }
}

/**
 * Separates the pair, and compares it again when due. Returns whether the pair is one story then,
 * and the number of paid replies.
 */
async function compareAgain(pair: Pair, fault: ModelFault) {
  const [first, second] = pair;
  const now = world.clock.now();
  server.setFault('always-unrelated');
  await push({ ...first, at: now }, { ...second, at: now, source: 'b' });
  await assign(service);
  if ((await storyOf(first.id)) === (await storyOf(second.id))) await separatePair(pair);
  expect(await storyOf(first.id)).not.toBe(await storyOf(second.id));
  server.setFault(fault);
  const repliesBefore = await countReplies([first.id, second.id]);
  clock.set(world.clock.now() + 3 * HOUR_MS);
  await assign(service);
  await expectStoriesConsistent(db);
  const requests = (await countReplies([first.id, second.id])) - repliesBefore;
  return { isOne: (await storyOf(first.id)) === (await storyOf(second.id)), requests };
}

/** Takes an uncertain pair; `isMergedWithoutModel`: whether the engine alone merges it. */
function takePair(isMergedWithoutModel: boolean): Pair {
  const index = uncertainPairs.findIndex(
    (each) => each.isMergedWithoutModel === isMergedWithoutModel,
  );
  const [pair] = index === -1 ? [] : uncertainPairs.splice(index, 1);
  if (pair === undefined) throw new Error('none of the pairs is uncertain any more: add others');
  return pair.pair;
}

test('merges two stories when both replies of the model agree, and logs the model', async () => {
  await push(...events, ...unrelatedItems);
  await assign(service);
  const pair = takePair(false);
  expect(await compareAgain(pair, 'always-same')).toEqual({ isOne: true, requests: 2 });
  const ids = pair.map(({ id }) => id);
  const lines = await sqlOf(db)
    .selectFrom('story_assignments')
    .select(['item_id', 'reason', 'features'])
    .where('reason', '=', 'merged')
    .execute();
  expect(lines).toEqual([{ item_id: ids[1], reason: 'merged', features: { model: 1 } }]);
  const receipts = await sqlOf(db)
    .selectFrom('model_receipts')
    .select(['subject', 'state'])
    .where('subject', 'in', ids)
    .where('answer', 'like', '%same_event%')
    .orderBy('subject')
    .execute();
  expect(receipts).toEqual(ids.map((subject) => ({ subject, state: 'answered' })));
});

test('merges nothing when the model’s replies depend on the order of the stories', async () => {
  expect(await compareAgain(takePair(false), 'by-position')).toEqual({ isOne: false, requests: 2 });
});

test('two replies “unrelated” keep two stories apart, even against the engine', async () => {
  expect(await compareAgain(takePair(true), 'always-unrelated')).toEqual({
    isOne: false,
    requests: 2,
  });
});

test('the engine decides alone when the model refuses the request', async () => {
  await push(
    ...unrelatedItems.map(({ id, title }) => ({
      id: `g${id}`,
      title: title.toUpperCase().slice(3),
    })),
  );
  await assign(service);
  expect(await compareAgain(takePair(true), 'locked')).toEqual({ isOne: true, requests: 0 });
});
