// How long a film is: its sound, not what its codec or its container adds.
import { expect, test } from 'vitest';
import { realSeconds } from './make-audio.ts';

test.each([
  ['as both say', 60, 60, 60],
  ['as it sounds, with a container that counts an empty beginning', 60.084, 60.0000001, 60],
  ['as the container says, with padding behind it', 60, 60.032, 60],
  ['as it sounds, when the container says too little', 2, 60.4, 60.4],
  ['as it sounds, when the container says nothing', 0, 60.4, 60.4],
  ['as it sounds, when the container says too much', 90, 60.4, 60.4],
])('%s', (_what, claimed, measured, expected) => {
  expect(realSeconds(claimed, measured)).toBe(expected);
});
