// A merge in doubt is put to the model from both sides, and only what both answers say counts: one
// that answers by position moves nothing. Without answers the engine decides as it always does.
import { hash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ModelMood } from '../../demo/upstream/model/bad-answers.ts';
import { modelKey, openModelServer } from '../../demo/upstream/model/open-model-server.ts';
import { openStoryAdvice } from '../../src/app/serve/open-story-advice.ts';
import { openStories } from '../../src/jobs/open-stories.ts';
import { HOUR_MS } from '../../src/kernel/time/durations.ts';
import { modelSchema } from '../../src/radar/model/model-config.ts';
import { openModel } from '../../src/radar/model/open-model.ts';
import { openEngine } from '../../src/radar/stories/clustering/engine.ts';
import { readStoryRules } from '../../src/radar/stories/rules/read-story-rules.ts';
import { sqlOf } from '../../src/store/platform/db.ts';
import { madeEvents } from './made-events.ts';
import { expectStoriesConsistent, openStoryHouse, type Told } from './story-house.ts';

const house = await openStoryHouse();
const { world, db, clock, tell, assign, storyOf } = house;
const server = await openModelServer();
const day = { requests: 1_000 };
const model = openModel(world, db, {
  settings: {
    ...{ url: server.url, key: modelKey, name: 'demo-editor', embeddingModel: null },
    file: modelSchema.parse({ models: { 'demo-editor': { budget: { day } } } }),
  },
});
const openAdviser = await openStoryAdvice(
  { file: { editorial: 'editorial' } },
  { world, db, model },
);
const keeper = openStories(world, db, 'editorial', openAdviser);
afterAll(async () => {
  await keeper.close();
  await server.close();
});

const events = madeEvents(20, (index) => world.clock.now() - 20 * HOUR_MS + index * 60_000);

/** Like nothing else: each lets a fraction of a question be asked. */
const others = Array.from({ length: 60 }, (_, n): Told => {
  const letters = hash('sha256', `filler ${n}`).replace(/\d/g, (digit) =>
    'ghijklmnop'.charAt(+digit),
  );
  return { id: `f${n}`, title: [0, 8, 16].map((at) => letters.slice(at, at + 7)).join(' ') };
});

/** Of these some lie near the bar; which ones, the weights of the day decide. */
const lone: readonly (readonly [string, string])[] = [
  ['The bakers’ guild is fined over late bread', 'Bread prices rise in Ostrey'],
  ['A museum of lighthouses opens in Rivermouth', 'Old lighthouse sold to a painter'],
  ['Teachers march in the capital for higher pay', 'Minister meets teachers after march'],
  ['Teachers of Holm march for pay', 'Holm plans a new school for its teachers'],
  ['A storm closes the harbour of Sund', 'Harbour of Sund to be dredged in spring'],
  ['Trams of Velden stand still', 'Velden orders trams without drivers'],
  ['Anglers of Lower Pell count fewer eels', 'Eels return to the river at Pell'],
  ['Choir of Aske wins a prize in Ghent', 'Aske looks for tenors for its choir'],
  ['Clockmakers of Brae go on strike', 'Clock of Brae is repaired after a year'],
  ['Glass bridge over the Tyr closed', 'Walkers afraid of the glass bridge'],
  ['Firemen of Lund rescue a cow', 'Lund buys boats for its firemen'],
  ['Judges of Morn wear red again', 'Court of Morn moves to the old mill'],
  ['Snow closes the pass at Ulm', 'Pass at Ulm gets a tunnel'],
  ['Painter of Dorn sells a wall', 'Dorn paints its walls against the heat'],
  ['Beekeepers of Ahr lose their hives', 'Ahr plants flowers for bees'],
  ['Orchard thieves caught near Ember', 'Ember guards its orchards at night'],
  ['Swans leave the lake of Yarrow', 'Yarrow drains its lake for repairs'],
];
type Pair = readonly [Told, Told];
const doubtful: { readonly pair: Pair; readonly isOneAlone: boolean }[] = [];

beforeAll(async () => {
  const rules = await readStoryRules('editorial');
  const at = world.clock.now();
  for (const [n, [one, other]] of lone.entries()) {
    const pair: Pair = [
      { id: `p${n}-0`, title: one, at },
      { id: `p${n}-1`, title: other, at },
    ];
    const engineWith = (asks: boolean) => {
      const engine = openEngine(rules);
      if (asks) engine.askAboutMerges();
      for (const { id, title, at: timeMs = at } of [...events, ...others, ...pair]) {
        engine.add({ id, title, timeMs, lang: 'en' });
      }
      engine.takeDoubts();
      engine.revisit(pair.map(({ id }) => id));
      return engine;
    };
    // Neither may be in doubt with anything else: that would be asked about as well.
    const isOfPair = (id = '') => id.startsWith(`p${n}-`);
    const doubts = engineWith(true)
      .takeDoubts()
      .filter(({ a, b }) => isOfPair(a[0]) || isOfPair(b[0]));
    const isInDoubt =
      doubts.length === 1 && doubts.every(({ a, b }) => isOfPair(a[0]) && isOfPair(b[0]));
    const alone = engineWith(false);
    const isOneAlone = alone.storyOf(pair[0].id) === alone.storyOf(pair[1].id);
    if (isInDoubt) doubtful.push({ pair, isOneAlone });
  }
});

/** Answers that were paid for with one of these as its subject: other pairs may be in doubt too. */
async function answersAbout(ids: readonly string[]): Promise<number> {
  const rows = await sqlOf(db)
    .selectFrom('model_receipts')
    .select('subject')
    .where('subject', 'in', ids)
    .where('step', '=', 'relate')
    .where('state', '=', 'answered')
    .execute();
  return rows.length;
}

/** Told apart, and looked at again when that is due; answers whether they are one story then. */
async function becomesOne([one, other]: Pair, mood: ModelMood) {
  const now = world.clock.now();
  server.setMood('says-unrelated');
  await tell({ ...one, at: now }, { ...other, at: now });
  await assign(keeper);
  expect(await storyOf(one.id)).not.toBe(await storyOf(other.id));
  server.setMood(mood);
  const before = await answersAbout([one.id, other.id]);
  clock.set(world.clock.now() + 3 * HOUR_MS);
  await assign(keeper);
  await expectStoriesConsistent(db);
  const asked = (await answersAbout([one.id, other.id])) - before;
  return { isOne: (await storyOf(one.id)) === (await storyOf(other.id)), asked };
}

/** In doubt; one that the engine alone would merge, or would not, or any. */
function takePair(isOneAlone?: boolean): Pair {
  const isWanted = (each: (typeof doubtful)[number]) =>
    isOneAlone === undefined || each.isOneAlone === isOneAlone;
  const at = doubtful.findIndex(isWanted);
  const [taken] = at === -1 ? [] : doubtful.splice(at, 1);
  if (taken === undefined) throw new Error('none of the pairs is in doubt any more: add others');
  return taken.pair;
}

test('one that answers by position merges nothing; agreement does, and says why', async () => {
  await tell(...events, ...others);
  await assign(keeper);
  expect(await becomesOne(takePair(false), 'by-position')).toEqual({ isOne: false, asked: 2 });
  const pair = takePair();
  expect(await becomesOne(pair, 'says-same')).toEqual({ isOne: true, asked: 2 });
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

test('what both answers keep apart stays so; without answers the engine decides', async () => {
  expect(await becomesOne(takePair(true), 'says-unrelated')).toEqual({ isOne: false, asked: 2 });
  await tell(
    ...others.map(({ id, title }) => ({ id: `g${id}`, title: title.toUpperCase().slice(3) })),
  );
  await assign(keeper);
  expect(await becomesOne(takePair(true), 'locked')).toEqual({ isOne: true, asked: 0 });
});
