// After a start all live items have their vectors again without a second payment. Under another
// embedding model they are embedded again, with at most half of a budget.
import { afterAll, expect, test } from 'vitest';
import { modelKey, openModelServer } from '../../demo/upstream/model/open-model-server.ts';
import { openStoryAdvice } from '../../src/app/serve/open-story-advice.ts';
import { DAY_MS } from '../../src/kernel/time/durations.ts';
import { modelSchema } from '../../src/radar/model/model-config.ts';
import { openModel } from '../../src/radar/model/open-model.ts';
import { fillNeighbours } from '../../src/radar/stories/sync/fill-neighbours.ts';
import { until } from '../support/until.ts';
import { inventedEvents } from './made-events.ts';
import { hoursAgo, openTestStories } from './test-stories.ts';

const stories = await openTestStories();
const { world, db, clock, push, assign } = stories;
const server = await openModelServer();
afterAll(() => server.close());

const models = { 'other-vectors': { budget: { day: { requests: 4 } } } };
const file = modelSchema.parse({ models, embeddings: { batch: 10 } });

/** The adviser of another process, without vectors, after it received the live items. */
async function openWithModel(embeddingModel: string) {
  const settings = { url: server.url, key: modelKey, name: null, embeddingModel, file };
  const model = openModel(world, db, { settings });
  const open = await openStoryAdvice({ file: { editorial: 'editorial' } }, { world, db, model });
  const adviser = open({ joinFrom: 1.2, liveDays: 14 });
  const filling = await fillNeighbours(world, db, adviser, 0);
  return { adviser, close: filling.close };
}

const vectorsOf = ({ adviser }: Awaited<ReturnType<typeof openWithModel>>) =>
  adviser.counts().vectors;

test('a start finds every stored vector; another model begins anew within its budget', async () => {
  const events = inventedEvents(10, () => hoursAgo(world, 5)).filter(({ copyOf }) => !copyOf);
  await push(...events);
  await assign();

  const first = await openWithModel('demo-vectors');
  expect(vectorsOf(first)).toBe(events.length);
  const paid = server.billed.length;
  const repeat = await openWithModel('demo-vectors');
  expect([vectorsOf(repeat), server.billed.length]).toEqual([events.length, paid]);
  await Promise.all([first.close(), repeat.close()]);

  const other = await openWithModel('other-vectors');
  // Half of four requests. Their vectors are stored and loaded with the others.
  expect([vectorsOf(other), server.billed.length - paid]).toEqual([0, 2]);
  clock.set(world.clock.now() + DAY_MS);
  await until(async () => (vectorsOf(other) === events.length ? true : null));
  expect(server.billed.length - paid).toBe(3);
  await other.close();
});
