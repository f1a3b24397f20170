// After a start all live items have their vectors again without a second payment. With another
// embedding model, the items are embedded again, with at most half of a budget.
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

/** Opens an adviser as a new process does, and fills it with the live items. */
async function openWithModel(embeddingModel: string) {
  const settings = { url: server.url, key: modelKey, name: null, embeddingModel, file };
  const model = openModel(world, db, { settings });
  const openAdviser = await openStoryAdvice(
    { file: { editorial: 'editorial' } },
    { world, db, model },
  );
  const adviser = openAdviser({ joinFrom: 1.2, liveDays: 14 });
  const { close } = await fillNeighbours(world, db, adviser, 0);
  return { adviser, close };
}

const vectorsOf = ({ adviser }: Awaited<ReturnType<typeof openWithModel>>) =>
  adviser.counts().vectors;

test('a start loads stored vectors, and another model embeds within its budget', async () => {
  const events = inventedEvents(10, () => hoursAgo(world, 5)).filter(({ copyOf }) => !copyOf);
  await push(...events);
  await assign();

  const firstAdviser = await openWithModel('demo-vectors');
  expect(vectorsOf(firstAdviser)).toBe(events.length);
  const paidRequests = server.billed.length;
  const secondAdviser = await openWithModel('demo-vectors');
  expect([vectorsOf(secondAdviser), server.billed.length]).toEqual([events.length, paidRequests]);
  await Promise.all([firstAdviser.close(), secondAdviser.close()]);

  const otherAdviser = await openWithModel('other-vectors');
  // Half of four requests. Their vectors are stored and loaded with the others.
  expect([vectorsOf(otherAdviser), server.billed.length - paidRequests]).toEqual([0, 2]);
  clock.set(world.clock.now() + DAY_MS);
  await until(async () => (vectorsOf(otherAdviser) === events.length ? true : null));
  expect(server.billed.length - paidRequests).toBe(3);
  await otherAdviser.close();
});
