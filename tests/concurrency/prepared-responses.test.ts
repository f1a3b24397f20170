// Responses that clients request repeatedly are prepared in two cases: before a new read model
// replaces the current one, and before a minute begins.
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { beforeAll, expect, test } from 'vitest';
import { SECTION_CHANNEL } from '../../src/kernel/observability/timed-section.ts';
import { sendRequest } from '../support/http-request.ts';
import { openStoryRadar } from '../support/story-radar.ts';
import { until } from '../support/until.ts';

const { publisher, clock, settle, origin, publication } = await openStoryRadar();
const paths = ['/api/v1/items?mode=all', '/all', '/feed/all.json'];

const publish = (title: string) =>
  publisher.publish({ source: 'ledger', at: clock.now(), title, summary: title, text: title });

async function readResponseCounts() {
  const { text } = await sendRequest(origin, { path: '/metrics' });
  const count = (from: string) =>
    Number(new RegExp(`radar_responses_total\\{from="${from}"\\} (\\d+)`).exec(text)?.[1]);
  return { ready: count('ready'), made: count('made') };
}

beforeAll(async () => {
  await publish('Orrery opens a plant');
  await settle();
  // The second request stores the response, and the third one is sent from the cache.
  for (const path of [...paths, ...paths, ...paths]) await sendRequest(origin, { path });
});

test('the first request after a change finds its new response in the cache', async () => {
  const countsBefore = await readResponseCounts();
  await publish('Astrolabe closes a plant');
  await settle();
  for (const path of paths) {
    const { text } = await sendRequest(origin, { path });
    expect([path, text.includes('Astrolabe closes a plant')]).toEqual([path, true]);
  }
  const countsAfter = await readResponseCounts();
  expect(countsAfter.ready - countsBefore.ready).toBe(paths.length);
});

test('a response without a request during two changes is not prepared', async () => {
  for (const title of [
    'Sextant opens a plant',
    'Quadrant opens a plant',
    'Alidade opens a plant',
  ]) {
    await publish(title);
    await settle();
  }
  const countsBefore = await readResponseCounts();
  for (const path of paths) await sendRequest(origin, { path });
  const countsAfter = await readResponseCounts();
  expect(countsAfter.ready - countsBefore.ready).toBe(0);
});

test('the first request of a minute finds its response in the cache', async () => {
  for (const path of [...paths, ...paths, ...paths]) await sendRequest(origin, { path });
  let renders = 0;
  const countRender = (section: unknown) => {
    if ((section as { readonly name: string }).name === 'response: render') renders += 1;
  };
  subscribe(SECTION_CHANNEL, countRender);
  const minute = Math.ceil((clock.now() + 1) / 60_000) * 60_000;
  await until(async () => {
    clock.set(minute - 1);
    return renders >= paths.length || null;
  });
  unsubscribe(SECTION_CHANNEL, countRender);
  const countsBefore = await readResponseCounts();
  clock.set(minute);
  for (const path of paths) await sendRequest(origin, { path });
  const countsAfter = await readResponseCounts();
  expect(countsAfter.ready - countsBefore.ready).toBe(paths.length);
});

test('only the preparation reads the next read model before its publication', async () => {
  const modelBefore = publication.readModel();
  const observations: boolean[] = [];
  publication.beforeReplacement(async (next) => {
    await publication.preview({ model: next, now: clock.now() + 60_000 }, async () => {
      await Promise.resolve();
      observations.push(publication.readModel() === next);
      observations.push(publication.clock.now() > clock.now());
    });
    observations.push(publication.readModel() === modelBefore);
    observations.push(publication.clock.now() === clock.now());
  });
  await publish('Gnomon opens a plant');
  await settle();
  expect(observations).toEqual([true, true, true, true]);
  expect(publication.readModel()).not.toBe(modelBefore);
});

test('a preparation that fails or hangs delays a change by at most 250 ms', async () => {
  publication.beforeReplacement(() => Promise.reject(new Error('cannot be prepared')));
  await publish('Merkhet opens a plant');
  await settle();
  expect((await sendRequest(origin, { path: '/all' })).text).toContain('Merkhet');
  let isLate = () => false;
  publication.beforeReplacement((_next, signal) => {
    isLate = signal;
    return new Promise(() => {});
  });
  await publish('Dioptra opens a plant');
  const settlement = settle();
  await until(async () => {
    clock.advance(100);
    return isLate() || null;
  });
  await settlement;
  expect((await sendRequest(origin, { path: '/all' })).text).toContain('Dioptra');
});
