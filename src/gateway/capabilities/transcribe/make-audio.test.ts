// The length of a video is the length of its sound track, without padding of codec or container.
import { expect, test } from 'vitest';
import { realSeconds } from './make-audio.ts';

test.each([
  ['the common length of container and sound', 60, 60, 60],
  ['the sound’s length when the container counts an empty beginning', 60.084, 60.0000001, 60],
  ['the container’s length when padding follows the sound', 60, 60.032, 60],
  ['the sound’s length when the container’s is much smaller', 2, 60.4, 60.4],
  ['the sound’s length when the container states none', 0, 60.4, 60.4],
  ['the sound’s length when the container’s is larger', 90, 60.4, 60.4],
])('the length of a video is %s', (_what, claimedSeconds, measuredSeconds, expected) => {
  expect(realSeconds(claimedSeconds, measuredSeconds)).toBe(expected);
});
