import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openSentenceCleaner } from '../../language/clean-sentence.ts';
import { openSentenceSplitter } from '../../language/split-sentences.ts';
import { readEditorial } from '../read-editorial.ts';
import { openPhraseCounter } from './match-phrases.ts';
import { openSummaryWriter } from './write-summary.ts';

const folder = fileURLToPath(new URL('../../../../editorial', import.meta.url));
const { sentences, names } = await readEditorial(folder);
const split = openSentenceSplitter(sentences.abbreviations);
const clean = openSentenceCleaner(sentences);
const writeSummary = openSummaryWriter(sentences, split, clean, openPhraseCounter(names, 6));
const title = 'Orrery opens Meridian to schools';
const summaryOf = (text: string, summary = '') => writeSummary({ title, text, summary });

test('quotes the lead and not the text around it', () => {
  const text = [
    'Home | News | Contact',
    'By Ana Reis, 3 March 2026',
    'Orrery has opened its Meridian model to 4,000 schools in Portugal, free of charge for a year.',
    'Photo: pupils in Porto.',
    'Subscribe to our newsletter for free updates.',
    'In other news, the weather in Lisbon stays mild.',
  ].join('\n');
  expect(summaryOf(text)).toMatch(
    /^Orrery has opened its Meridian model to 4,000 schools in Portugal, free of charge /,
  );
  expect(summaryOf(text)).not.toMatch(/Subscribe|Photo|By Ana|Home/);
});

test('quotes the lead in Chinese too', () => {
  const text = [
    '作者：王某',
    '奥瑞利实验室今天宣布，将向四千所学校免费开放其大模型子午线，为期一年。',
    '点击关注公众号，获取更多资讯。',
  ].join('\n');
  expect(writeSummary({ title: '奥瑞利向学校开放模型', text, summary: '' })).toBe(
    '奥瑞利实验室今天宣布，将向四千所学校免费开放其大模型子午线，为期一年。',
  );
});

test('prefers the source’s own summary', () => {
  const summary = 'From Monday, 4,000 schools may use Meridian without paying.';
  const text = 'A long winter came to Porto.\nIn the harbor the boats stayed where they were.';
  expect(summaryOf(text, summary)).toMatch(/^From Monday, 4,000 schools/);
});

test('separates two English sentences by a space, also after a quotation', () => {
  const text =
    'Orrery has opened Meridian to 4,000 schools in Portugal and calls the year “a gift.” ' +
    'Teachers in Porto tried the model for 3 months before the laboratory agreed to open it.';
  expect(summaryOf(text)).toBe(text);
});

test('does not repeat the title in a summary', () => {
  expect(summaryOf('Orrery opens Meridian to schools.')).toBeNull();
  expect(
    summaryOf('Orrery Opens Meridian To Schools.', 'Orrery opens Meridian to schools'),
  ).toBeNull();
});

test('does not begin with a sentence that depends on an earlier one', () => {
  const text =
    'It is 40 percent faster than before in all of the tests.\n' +
    'Meridian runs in schools on old machines.';
  expect(summaryOf(text)).toBe('Meridian runs in schools on old machines.');
});

test('does not quote a text that the publisher cut off', () => {
  expect(
    summaryOf('Meridian runs in schools on old machines. The laboratory says that the next…'),
  ).toBe('Meridian runs in schools on old machines.');
});

test('completes a description that lacks only its full stop', () => {
  expect(summaryOf('Pupils in four thousand schools can use the model for a year')).toBe(
    'Pupils in four thousand schools can use the model for a year.',
  );
  expect(summaryOf('Pupils in four thousand schools can use the')).toBeNull();
  expect(summaryOf('A New Model For All Pupils And Their Teachers')).toBeNull();
});

test('has no summary without a quotable sentence', () => {
  expect(summaryOf('')).toBeNull();
  expect(summaryOf('🔥🔥🔥\n👍')).toBeNull();
  expect(summaryOf('Read more here.\nSubscribe to our newsletter today.')).toBeNull();
  expect(summaryOf(`${'An endless sentence goes on and on, '.repeat(30)}and ends.`)).toBeNull();
});

test('reads a hundred thousand characters of any kind', () => {
  for (const unit of ['a', 'word ', '。', '. ', '(', '“', '中', '中文。', 'שלום ', '\n', '- ']) {
    const text = unit.repeat(Math.ceil(100_000 / unit.length));
    expect(summaryOf(text)?.length ?? 0).toBeLessThanOrEqual(280);
  }
});

const english = fc.constantFrom(
  'Orrery has opened Meridian to 4,000 schools.',
  'It costs nothing for a year.',
  'Subscribe to our newsletter for free updates.',
  'The U.S. market follows in v3.5, says Dr. Lund.',
  'Teachers in Porto tried the model for three months before the laboratory agreed to open it.',
  'By Ana Reis',
  'A heading without an end',
);
const chinese = fc.constantFrom(
  '奥瑞利向四千所学校开放大模型。',
  '这一服务一年内免费；之后每月五元。',
  '点击关注公众号。',
  '波尔图的教师用三个月试用了这一模型，随后实验室同意开放。',
  '作者：王某',
);

test('a summary has one to three whole sentences within its length', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.tuple(fc.array(english, { maxLength: 12 }), fc.constant(280)),
        fc.tuple(fc.array(chinese, { maxLength: 12 }), fc.constant(140)),
      ),
      fc.constantFrom(' ', '\n'),
      ([parts, limit], gap) => {
        const summary = summaryOf(parts.join(gap));
        if (summary === null) return;
        expect(summary.length).toBeLessThanOrEqual(limit);
        const sentences = split(summary);
        expect(sentences.length).toBeGreaterThanOrEqual(1);
        expect(sentences.every(({ isComplete }) => isComplete)).toBe(true);
        // A missing full stop is added to a description of one sentence.
        const phrases = split(parts.join(gap)).flatMap(({ text }) => [
          text.replace(/；$/u, '。'),
          `${text}.`,
          `${text}。`,
        ]);
        for (const sentence of sentences) expect(phrases).toContain(sentence.text);
        expect(new Set(sentences.map(({ text }) => text)).size).toBe(sentences.length);
        expect(sentences.length).toBeLessThanOrEqual(3);
      },
    ),
  );
});
