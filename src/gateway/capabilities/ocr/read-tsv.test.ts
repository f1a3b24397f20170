import { expect, test } from 'vitest';
import { betterAttempt, isConfident } from './choose-language.ts';
import { readTsv } from './read-tsv.ts';

const head =
  'level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext';
const row = (...columns: readonly (string | number)[]) => columns.join('\t');

test('joins words to lines with a box, and separates paragraphs', () => {
  const page = readTsv(
    [
      head,
      row(1, 1, 0, 0, 0, 0, 0, 0, 900, 200, -1, ''),
      row(4, 1, 1, 1, 1, 0, 10, 20, 200, 30, -1, ''),
      row(5, 1, 1, 1, 1, 1, 10, 20, 90, 30, 90, 'Harbour'),
      row(5, 1, 1, 1, 1, 2, 110, 22, 100, 28, 70, 'Media'),
      row(5, 1, 1, 1, 2, 1, 10, 60, 50, 30, 96.5, 'Ltd'),
      row(5, 1, 2, 1, 1, 1, 10, 160, 50, 30, 95, ' '),
      row(5, 1, 2, 1, 1, 2, 10, 160, 50, 30, 95, 'Since'),
      '',
    ].join('\n'),
  );
  expect(page).toEqual({
    text: 'Harbour Media\nLtd\n\nSince',
    blocks: [
      { text: 'Harbour Media', confidence: 0.817, box: [10, 20, 200, 30] },
      { text: 'Ltd', confidence: 0.965, box: [10, 60, 50, 30] },
      { text: 'Since', confidence: 0.95, box: [10, 160, 50, 30] },
    ],
  });
});

test('removes the spaces between Chinese words', () => {
  const words = ['澄砚', '发布', 'Songyan', '3.0', '模型', '。'];
  const rows = words.map((word, i) => row(5, 1, 1, 1, 1, i + 1, i * 30, 0, 28, 28, 90, word));
  expect(readTsv([head, ...rows].join('\n'))?.text).toBe('澄砚发布Songyan 3.0模型。');
});

test('text in another format is refused', () => {
  expect(readTsv('Error opening data file')).toBeNull();
});

const block = (text: string, confidence: number) => ({
  text,
  confidence,
  box: [0, 0, 1, 1] as const,
});

test('a result is confident when nearly all of its text is in confident blocks', () => {
  expect(isConfident([block('Harbour Media', 0.95), block('x', 0.3)])).toBe(true);
  expect(isConfident([block('Harbour', 0.95), block('AMARA HMA', 0.4)])).toBe(false);
  expect(isConfident([])).toBe(false);
});

test('an attempt with Chinese characters wins; without them the higher confidence wins', () => {
  const english = { language: 'eng' as const, blocks: [block('AMARA HMA', 0.85)] };
  const chinese = { language: 'chi_sim' as const, blocks: [block('澄砚科技', 0.8)] };
  expect(betterAttempt(english, chinese)).toBe(chinese);
  const noise = { language: 'chi_sim' as const, blocks: [block('口 一', 0.2)] };
  expect(betterAttempt(english, noise)).toBe(english);
});
