// What is read out of text before anything is compared: figures, versions, days, names and the
// same name in two scripts.
import { expect, test } from 'vitest';
import { findFigures } from './find-figures.ts';
import { findNames } from './find-names.ts';
import { findVersions } from './find-versions.ts';
import { findWeekdays } from './find-weekdays.ts';
import { openGlossary } from './glossary.ts';

const valuesIn = (text: string) =>
  findFigures(text, 24).map(({ kind, value }) => `${kind}:${value}`);

test('an amount is the same figure in both languages', () => {
  expect(valuesIn('raises $125m')).toEqual(['money:125000000']);
  expect(valuesIn('融资1.25亿美元')).toEqual(['money:125000000']);
  expect(valuesIn('17 percent')).toEqual(valuesIn('百分之17'));
  expect(valuesIn('9.1 million users')).toEqual(valuesIn('用户达910万'));
});

test('a day is the same in both languages', () => {
  expect(valuesIn('on 17 august')).toEqual(['day:08-17']);
  expect(valuesIn('8月17日')).toEqual(['day:08-17']);
});

test('a version is a name and a small number that measures nothing', () => {
  const found = (text: string) => findVersions(text).map((v) => `${v.family}/${v.version}`);
  expect(found('Harbour Write 2.5 is out, Write 2.4 stays')).toEqual(['write/2.5', 'write/2.4']);
  expect(found('潮信2.5上线')).toEqual(['潮信/2.5']);
  expect(found('潮信 3.0 降价 5 元，8 月 3 日起')).toEqual(['潮信/3']);
  expect(found('May 5: Room 4 people, Only 20% left, Paid 3 million')).toEqual([]);
});

test('a weekday in a report is the last such day before it', () => {
  const friday = Date.parse('2026-05-08T09:00:00Z');
  expect(findWeekdays('said on thursday', friday)).toEqual(['d:05-07']);
  expect(findWeekdays('周四表示', friday)).toEqual(['d:05-07']);
  expect(findWeekdays('said on thursday', null)).toEqual([]);
  expect(findWeekdays('nothing named', friday)).toEqual([]);
});

const words = {
  isWord: (word: string) => ['the', 'regulator', 'fines', 'over', 'reports'].includes(word),
  stopwords: new Set(['the']),
};

test('a name stands with a capital where a sentence asks for none', () => {
  const lead =
    'Regulator reports are late. Yesterday Lindell Ferries met the Regulator. Orvax sank.';
  expect(findNames(words, 'Lindell sinks', lead)).toEqual(
    expect.arrayContaining(['lindell', 'ferries', 'orvax']),
  );
  expect(findNames(words, 'The Regulator Fines Lindell Over Reports', '')).toEqual(['lindell']);
});

test('who writes a name in both scripts teaches it for every later text', () => {
  const glossary = openGlossary((han) => han === '今天');
  expect(glossary.find('林岱渡轮停航')).toEqual([]);
  glossary.learn('Ferries of Lindai (林岱渡轮) stopped.');
  expect(glossary.find('林岱渡轮停航')).toEqual(['lindai']);
  expect(glossary.find('林岱停航')).toEqual(['lindai']);
  glossary.learn('昨日，奥尔瓦(Orvax)表示，今天(Today)有风。');
  expect(glossary.find('奥尔瓦今天停航')).toEqual(['orvax']);
});
