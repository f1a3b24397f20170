// The length of a video is the length of its sound track, without padding of codec or container.
import { expect, test } from 'vitest';
import { realSeconds } from './make-audio.ts';

test.each([
  ['that of container and sound when they agree', 60, 60, 60],
  ['that of the sound when the container counts an empty beginning', 60.084, 60.0000001, 60],
  ['that of the container when padding follows the sound', 60, 60.032, 60],
  ['that of the sound when the container’s length is too small', 2, 60.4, 60.4],
  ['that of the sound when the container has no length', 0, 60.4, 60.4],
  ['that of the sound when the container’s length is too large', 90, 60.4, 60.4],
])('the length of a video is %s', (_what, claimedSeconds, measuredSeconds, expected) => {
  expect(realSeconds(claimedSeconds, measuredSeconds)).toBe(expected);
});
