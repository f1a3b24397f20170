// Responses that clients request again and again are made before a new read model is shown.
import { beforeAll, expect, test } from 'vitest';
import { sendRequest } from '../support/http-request.ts';
import { openStoryRadar } from '../support/story-radar.ts';
import { until } from '../support/until.ts';

const { publisher, clock, settle, origin, publication } = await openStoryRadar();
const paths = ['/api/v1/items?mode=all', '/all', '/feed/all.json'];

const publish = (title: string) =>
  publisher.publish({ source: 'ledger', at: clock.now(), title, summary: title, text: title });

async function responseCounts() {
  const { text } = await sendRequest(origin, { path: '/metrics' });
  const count = (from: string) =>
    Number(new RegExp(`radar_responses_total\\{from="${from}"\\} (\\d+)`).exec(text)?.[1]);
  return { ready: count('ready'), made: count('made') };
}

beforeAll(async () => {
  await publish('Orrery opens a plant');
  await settle();
  // The first request makes the response, and the second one is sent from the cache.
  for (const path of [...paths, ...paths]) await sendRequest(origin, { path });
});

test('the first request after a change finds its new response in the cache', async () => {
  const before = await responseCounts();
  await publish('Astrolabe closes a plant');
  await settle();
  for (const path of paths) {
    const { text } = await sendRequest(origin, { path });
    expect([path, text.includes('Astrolabe closes a plant')]).toEqual([path, true]);
  }
  const after = await responseCounts();
  expect(after.ready - before.ready).toBe(paths.length);
});

test('a response that was not requested since the last change is not made', async () => {
  await publish('Sextant opens a plant');
  await settle();
  await publish('Quadrant opens a plant');
  await settle();
  const before = await responseCounts();
  for (const path of paths) await sendRequest(origin, { path });
  const after = await responseCounts();
  expect(after.ready - before.ready).toBe(0);
});

test('only the preparation sees the next read model before it is shown', async () => {
  const before = publication.readModel();
  const cacheHits: boolean[] = [];
  publication.beforeReplacement(async (next) => {
    await publication.preview(next, async () => {
      await Promise.resolve();
      cacheHits.push(publication.readModel() === next);
    });
    cacheHits.push(publication.readModel() === before);
  });
  await publish('Gnomon opens a plant');
  await settle();
  expect(cacheHits).toEqual([true, true]);
  expect(publication.readModel()).not.toBe(before);
});

test('a preparation that fails or does not end delays a change by 250 ms at most', async () => {
  publication.beforeReplacement(() => Promise.reject(new Error('cannot be prepared')));
  await publish('Merkhet opens a plant');
  await settle();
  expect((await sendRequest(origin, { path: '/all' })).text).toContain('Merkhet');
  let isLate = () => false;
  publication.beforeReplacement((_next, late) => {
    isLate = late;
    return new Promise(() => {});
  });
  await publish('Dioptra opens a plant');
  const settled = settle();
  await until(async () => {
    clock.advance(100);
    return isLate() || null;
  });
  await settled;
  expect((await sendRequest(origin, { path: '/all' })).text).toContain('Dioptra');
});
