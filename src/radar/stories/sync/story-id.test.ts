import { expect, it } from 'vitest';
import { seededRandom } from '../../../kernel/crypto/random.ts';
import { manualClock } from '../../../kernel/time/clock.ts';
import { isStoryId, newStoryId } from './story-id.ts';

it('a story id is a UUID of version 7 with the World’s time', () => {
  const clock = manualClock(0x0198_c0de_1234);
  const id = newStoryId({ clock, random: seededRandom(3) });
  expect(id).toMatch(/^0198c0de-1234-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(isStoryId(id)).toBe(true);
});

it('an item id is not a story id', () => {
  expect(isStoryId('0198c0de1234abcdef012345')).toBe(false);
  expect(isStoryId('0198c0de1234abcdef012345~2')).toBe(false);
});
