// The length of a video is the length of its sound track, without padding of codec or container.
import { expect, test } from 'vitest';
import { realSeconds } from './make-audio.ts';

test.each([
  ['as container and sound agree', 60, 60, 60],
  ['as the sound, when the container counts an empty beginning', 60.084, 60.0000001, 60],
  ['as the container, with padding behind it', 60, 60.032, 60],
  ['as the sound, when the container’s length is too small', 2, 60.4, 60.4],
  ['as the sound, when the container has no length', 0, 60.4, 60.4],
  ['as the sound, when the container’s length is too large', 90, 60.4, 60.4],
])('a video is as long %s', (_what, claimed, measured, expected) => {
  expect(realSeconds(claimed, measured)).toBe(expected);
});
