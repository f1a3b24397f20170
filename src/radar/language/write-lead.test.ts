// The sentences of a text that can open a lead.
import { expect, test } from 'vitest';
import { joinSentences, leadOf, tokensOf, trimDay } from './write-lead.ts';

const lead = (title: string, text: string, language = 'en') => leadOf({ title, text, language });

test('a lead opens with the sentence that names the subject of the title', () => {
  expect(
    lead(
      '观棠发布机器人战略：到2028年投入百亿元，助力一百个品牌',
      '观棠在江北机器人大会上发布新战略，围绕供应链和服务推进。' +
        '到2028年将投入百亿元，助力一百个机器人品牌销售。',
      'zh',
    )[0],
  ).toBe('观棠在江北机器人大会上发布新战略，围绕供应链和服务推进。');
});

test('a later sentence that refers back does not open a lead', () => {
  const text =
    'Sign up for the newsletter now.\nExports are a matter of dispute.\n' +
    'The limits will take effect for Lichuan on Tuesday.';
  expect(lead('Lichuan faces limits on exports', text)).toEqual([]);
});

test('after an omitted sentence, a sentence that refers back is not used', () => {
  const text =
    'Lichuan will cut 530 jobs at its plant.\nYou can change this at any time.\n' +
    'It also closes 3 offices in Elm Park.';
  expect(lead('Lichuan cuts 530 jobs at plant', text)).toEqual([
    'Lichuan will cut 530 jobs at its plant.',
  ]);
});

test('after a caption, the first sentence about the event opens the lead', () => {
  const text = 'Vantrell has agreed to buy Quern for $4 million.';
  const title = 'A row of chairs';
  expect(leadOf({ title, text, language: 'en' })).toEqual([]);
  expect(leadOf({ title, text, language: 'en', isCaption: true })).toEqual([text]);
});

test.each([
  ['joins @viktor_com', 'joins Viktor'],
  ['(@annlin) joins Viktor', 'joins Viktor'],
  ['leaves @acme for Viktor', 'leaves acme for Viktor'],
])('an account in a sentence is replaced by its name: %s', (text, expected) => {
  const sentenceOf = (words: string) => `Ann Lin ${words} as the head of its design team.`;
  expect(lead('Viktor hires Ann Lin as head', sentenceOf(text))).toEqual([sentenceOf(expected)]);
});

test('a sentence that begins with an account does not open a lead', () => {
  const text = '@annlin of Acme joins Viktor as its head of design.';
  expect(lead('Ann Lin of Acme joins Viktor', text)).toEqual([]);
});

test.each([['Washington — '], ['Yes, but: ']])(
  'a dateline or a rubric is removed: %s',
  (beginning) => {
    const text = 'The Senate passed the bill of Elm Park with 60 votes on Monday.';
    expect(lead('Senate passes bill on robots', `${beginning}${text}`)).toEqual([text]);
  },
);

test.each([
  ['Esker 4 is available from today', 'Esker 4 is available'],
  ['Orrinfell said today it opens', 'Orrinfell said it opens'],
  ['Skiff 3.4 is out starting today', 'Skiff 3.4 is out'],
])('%s without its day is %s', (title, expected) => {
  expect(trimDay(title)).toBe(expected);
});

test('a sentence with a truncated name is not the first sentence of a lead', () => {
  const text =
    'Mercer’s chief said on Monday that the plant will close.\nThe plant has 300 workers.';
  expect(lead('Wade-Mercer chief says the plant will close', text)).toEqual([]);
});

test('after a caption, a lead begins with a completed action of a named actor', () => {
  const caption = 'A blast furnace at the works in Elm Park';
  const text = `${caption}Lichuan Steel has agreed to cut 530 jobs at its works.`;
  expect(leadOf({ title: caption, text, language: 'en', isCaption: true })).toEqual([
    'Lichuan Steel has agreed to cut 530 jobs at its works.',
  ]);
});

test('the first word is a name when it also has a capital inside another sentence', () => {
  const text =
    'Quern has agreed to cut prices by a third.\nThe maker of robots is older than Quern.';
  expect(lead('Prices of robots to be cut by a third', text)[0]).toBe(
    'Quern has agreed to cut prices by a third.',
  );
});

test('words for days inside quotation marks stay, and a day in brackets replaces its word', () => {
  expect(trimDay('林知远称“今天是节日”')).toBe('林知远称“今天是节日”');
  expect(trimDay('昨晚（4月30日）20时，层岚致歉。')).toBe('4月30日20时，层岚致歉。');
  expect(trimDay('今天的视频')).toBe('今天的视频');
  expect(trimDay('skiff 3.4 is out')).toBe('skiff 3.4 is out');
});

test('with other reports, a lead resembles its title or another report', () => {
  const text = 'Vantrell has no choice and will pay a fine of $4 million to the court.';
  const courtReport = 'Vantrell told a court on Monday that it will pay a fine of $4 million.';
  const title = 'Vantrell to pay up after years of dispute with its regulator in Elm Park';
  const inputBeside = (other: string, ownText = text) => ({
    title,
    text: ownText,
    language: 'en',
    others: [tokensOf(other)],
  });
  expect(leadOf({ title, text, language: 'en' })).toEqual([text]);
  expect(leadOf(inputBeside('Quern opens a school for robots'))).toEqual([]);
  expect(leadOf(inputBeside('Quern opens a school for robots', courtReport))).toEqual([
    courtReport,
  ]);
  expect(leadOf(inputBeside('A court in Elm Park: Vantrell pays a fine of $4 million'))).toEqual([
    text,
  ]);
});

test('after a caption, a sentence with a reference does not open a lead', () => {
  const text = 'Vantrell took one step closer to that goal when it cut 530 jobs at its plant.';
  const caption = { title: 'Vantrell jobs', language: 'en', isCaption: true };
  expect(leadOf({ ...caption, text })).toEqual([]);
});

test.each([
  ['en', 'Vantrell cuts 530 jobs at plant', 'Exports of Vantrell are a matter of dispute.'],
  ['zh', '观棠将裁撤北方工厂岗位', '各地的情况仍在变化之中，观棠也不例外。'],
])('only the first usable sentence can open a lead (%s)', (language, title, first) => {
  const later = language === 'zh' ? `5日，${title}。` : `${title} in Elm Park on Monday.`;
  expect(lead(title, `${first}\n${later}`, language)).toEqual([]);
});

test('sentences are joined with a space in English, also after a quotation', () => {
  expect(joinSentences(['It was “hard.”', 'Lund left.'])).toBe('It was “hard.” Lund left.');
  expect(joinSentences(['他说“很难。”', '林知远离开。'])).toBe('他说“很难。”林知远离开。');
});
