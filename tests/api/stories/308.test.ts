import { expect, test } from 'vitest';
import { changeItem } from '../../../src/radar/publication/change-item.ts';
import { openStoryRadar } from '../../support/story-radar.ts';

const { contract, publisher, settle, world, db } = await openStoryRadar();
const sendRequestFor = async (id: string, method = 'GET') => {
  await settle();
  return contract.sendRequest({ path: `/api/v1/stories/${id}`, method });
};

const items: Record<string, string> = {};
for (const story of ['first', 'second', 'third']) {
  items[story] = await publisher.publish({
    source: 'ledger',
    story,
    title: `The ${story} report`,
  });
}
await publisher.merge('third', 'second');
await publisher.merge('second', 'first');

test.each(['second', 'third'])('a merged id redirects to the last survivor: %s', async (id) => {
  for (const method of ['GET', 'HEAD']) {
    const { status, headers, bytes } = await sendRequestFor(id, method);
    expect([method, status, bytes.length]).toEqual([method, 308, 0]);
    expect(headers).toMatchObject({
      location: '/api/v1/stories/first',
      'cache-control': 'public, max-age=60, s-maxage=60',
      'access-control-allow-origin': '*',
    });
    expect(headers.etag).toBeUndefined();
    expect(headers['content-type']).toBeUndefined();
  }
});

test('the survivor has all reports, and their items name the survivor', async () => {
  const page = JSON.parse((await sendRequestFor('first')).text).story;
  expect(page.reportCount).toBe(3);
  const listedItems = JSON.parse(
    (await contract.sendRequest({ path: '/api/v1/items' })).text,
  ).items;
  expect(listedItems.map((item: { story: unknown }) => item.story)).toEqual([
    { publicId: 'first' },
    { publicId: 'first' },
    { publicId: 'first' },
  ]);
});

test('returns 404 while the survivor is not public', async () => {
  const change = (action: 'withdraw' | 'restore') =>
    Promise.all(
      Object.values(items).map((id) =>
        changeItem(world, db, id, { action, actor: 'test', note: null }),
      ),
    );
  await change('withdraw');
  for (const id of ['first', 'second', 'third'])
    expect((await sendRequestFor(id)).status).toBe(404);
  await change('restore');
  expect([(await sendRequestFor('first')).status, (await sendRequestFor('third')).status]).toEqual([
    200, 308,
  ]);
});

test('an undone merge restores the story under its id', async () => {
  await publisher.unmerge('second', [items.second ?? '', items.third ?? '']);
  expect((await sendRequestFor('second')).status).toBe(200);
  expect((await sendRequestFor('third')).headers.location).toBe('/api/v1/stories/second');
  await publisher.unmerge('third', [items.third ?? '']);
  for (const id of ['first', 'second', 'third']) {
    const { status, text } = await sendRequestFor(id);
    expect([
      status,
      JSON.parse(text).story.reports.map((report: { id: string }) => report.id),
    ]).toEqual([200, [items[id]]]);
  }
});
