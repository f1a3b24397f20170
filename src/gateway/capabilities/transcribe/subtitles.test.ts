import { expect, test } from 'vitest';
import { srtOf, vttOf } from './subtitles.ts';

const segments = [
  { start: 0, end: 1.5, text: ' Tea & <b>milk</b>\n\nfor two ' },
  { start: 3599.9996, end: 3661.25, text: '砚边' },
];

test('SubRip numbers the cues and writes decimal commas', () => {
  expect(srtOf(segments)).toBe(
    '1\n00:00:00,000 --> 00:00:01,500\nTea & <b>milk</b> for two\n' +
      '\n2\n01:00:00,000 --> 01:01:01,250\n砚边\n',
  );
});

test('WebVTT escapes markup characters', () => {
  expect(vttOf(segments)).toBe(
    'WEBVTT\n\n00:00:00.000 --> 00:00:01.500\nTea &amp; &lt;b&gt;milk&lt;/b&gt; for two\n' +
      '\n01:00:00.000 --> 01:01:01.250\n砚边\n',
  );
});

test('no segments give an empty file in both formats', () => {
  expect([srtOf([]), vttOf([])]).toEqual(['', 'WEBVTT\n']);
});

test('empty lines in a text do not end its cue, and removing them takes linear time', () => {
  const text = `one\r\rtwo${' '.repeat(200_000)}three`;
  const [head, words, ...rest] = srtOf([{ start: 0, end: 1, text }])
    .split(/[\r\n]+/)
    .slice(1);
  expect(head).toBe('00:00:00,000 --> 00:00:01,000');
  expect(words?.replace(/ +/g, ' ')).toBe('one two three');
  expect(rest).toEqual(['']);
});
