// A merged story through the SDK: its old id returns the remaining story.
import { expect, test } from 'vitest';
import { createFeed } from '../../packages/sdk/src/feed.ts';
import { openStoryRadar } from '../support/story-radar.ts';

const { origin, publisher, settle } = await openStoryRadar();
const feed = createFeed({ baseUrl: origin });

test('follows a story over every merge, also under an earlier id', async () => {
  await publisher.publish({ source: 'ledger', story: 'first', title: 'The first report' });
  await publisher.publish({ source: 'wire', story: 'second', title: 'The second report' });
  await settle();
  expect(await feed.story('second')).toMatchObject({ publicId: 'second', reportCount: 1 });
  await publisher.merge('second', 'first');
  await settle();
  const survivorStory = await feed.story('second');
  expect(survivorStory).toMatchObject({ publicId: 'first', reportCount: 2 });
  expect(survivorStory).toEqual(await feed.story('first'));
  await expect(feed.story('no/such story')).rejects.toMatchObject({ code: 'not_found' });
});
