// The sentences of a text that can open a lead.
import { expect, test } from 'vitest';
import { joinSentences, leadOf, trimDay } from './write-lead.ts';

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

test.each([
  ['en', 'Lichuan faces limits on exports', 'The limits will take effect for Lichuan on Tuesday.'],
  ['zh', '江北变异病毒快速传播', '林知远表示，目前江北变异病毒传播速度很快。'],
])('a later sentence that refers back does not open one (%s)', (language, title, later) => {
  const siteText = language === 'zh' ? '责任编辑：王某。' : 'Sign up for the newsletter now.';
  const openingSentence =
    language === 'zh' ? '各地医院表示床位紧张。' : 'Exports are a matter of dispute.';
  expect(lead(title, `${siteText}\n${openingSentence}\n${later}`, language)).toEqual([]);
});

test('a sentence after an omitted one is used only without a reference to an earlier one', () => {
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

test('a first word is a name when the text has it with a capital inside a sentence', () => {
  const text =
    'Quern has agreed to cut prices by a third.\nThe maker of robots is older than Quern.';
  expect(lead('Prices of robots to be cut by a third', text)[0]).toBe(
    'Quern has agreed to cut prices by a third.',
  );
});

test('a sentence inside quotation marks that another sentence opened is not used alone', () => {
  const text =
    'Vantrell closed its school for robots on Monday.\n' +
    'The head said: "Robots of Vantrell cost 3 million. They learn in 2 days. They go home."';
  expect(lead('Vantrell closes school for robots', text)[1] ?? '').not.toMatch(/^They/u);
});

test('a later sentence with "also" before its verb does not open a lead', () => {
  const text =
    'Sign up for the newsletter now.\nThe firm Quern also cut 530 jobs at its plant in Elm Park.';
  expect(lead('Quern cuts 530 jobs at plant in Elm Park', text)).toEqual([]);
});

test('words for days inside quotation marks stay, and a day in brackets replaces its word', () => {
  expect(trimDay('林知远称“今天是节日”')).toBe('林知远称“今天是节日”');
  expect(trimDay('昨晚（4月30日）20时，层岚致歉。')).toBe('4月30日20时，层岚致歉。');
  expect(trimDay('今天的视频')).toBe('今天的视频');
  expect(trimDay('skiff 3.4 is out')).toBe('skiff 3.4 is out');
});

test('a lead shares words with the titles of the other reports', () => {
  const text = 'Vantrell told a court on Monday that it will pay a fine of $4 million.';
  const title = 'Vantrell pays fine of $4 million, Quern opens school';
  const topic = new Set(['quern', 'opens', 'school']);
  expect(leadOf({ title, text, language: 'en' })).toEqual([text]);
  expect(leadOf({ title, text, language: 'en', topic })).toEqual([]);
});

test.each([
  [
    'a recalled time',
    'Speaking earlier this year, Vantrell said that it will cut 530 jobs at its plant.',
  ],
  ['a reference', 'Vantrell took one step closer to that goal when it cut 530 jobs at its plant.'],
])('after a caption, a sentence with %s does not open a lead', (_, text) => {
  const caption = { title: 'Vantrell jobs', language: 'en', isCaption: true };
  expect(leadOf({ ...caption, text })).toEqual([]);
});

test('a later Chinese sentence with words of the title or an event opens a lead', () => {
  const title = '观棠将裁撤北方工厂岗位';
  const first = '各地的情况仍在变化之中。';
  const later = '总的考虑是，由观棠出资安置北方工厂岗位上的员工。';
  expect(lead(title, `${first}\n${later}`, 'zh')).toEqual([]);
});

test('sentences are joined with a space in English, also after a quotation', () => {
  expect(joinSentences(['It was “hard.”', 'Lund left.'])).toBe('It was “hard.” Lund left.');
  expect(joinSentences(['他说“很难。”', '林知远离开。'])).toBe('他说“很难。”林知远离开。');
});
