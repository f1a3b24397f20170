import { describe, expect, it, test } from 'vitest';
import {
  removeOutlet,
  removeRepeatedHeading,
  removeTitle,
  separateHeadings,
} from './separate-headings.ts';

describe('a title that a text joins to its first sentence', () => {
  it('is removed in English and Chinese', () => {
    const english = 'Lichuan closes two of its plantsLichuan said on Monday that it closes them.';
    expect(removeTitle(english, 'Lichuan closes two of its plants')).toBe(
      'Lichuan said on Monday that it closes them.',
    );
    const chinese = '头条新闻观棠宣布关闭两座北方工厂公司周五表示，两座工厂将在年底之前关闭。';
    expect(removeTitle(chinese, '观棠宣布关闭两座北方工厂')).toBe(
      '公司周五表示，两座工厂将在年底之前关闭。',
    );
  });

  it('is removed before a sentence with the same subject', () => {
    const title = "Lichuan said it did not 'threaten' its plants'";
    const sentence = `${title} Lichuan insists that it closes them in December.`;
    expect(removeTitle(sentence, title)).toBe('Lichuan insists that it closes them in December.');
  });

  it('stays where the sentence continues', () => {
    const sentence = 'Lichuan closes two of its plants in the north of the province by December.';
    expect(removeTitle(sentence, 'Lichuan closes two of its plants')).toBe(sentence);
    const chinese = '观棠宣布关闭两座北方工厂的消息在周五传出，股价下跌百分之三。';
    expect(removeTitle(chinese, '观棠宣布关闭两座北方工厂')).toBe(chinese);
  });
});

describe('a heading inside a text', () => {
  it('is separated where both halves of a joined word occur alone in the text', () => {
    const text = 'The plantsLichuan closes. The plants of Lichuan are old.';
    expect(separateHeadings(text)).toBe(
      'The plants\nLichuan closes. The plants of Lichuan are old.',
    );
    expect(separateHeadings('The maker of DeepLake said so.')).toBe(
      'The maker of DeepLake said so.',
    );
  });

  it('is separated from a Chinese sentence that opens with a date', () => {
    expect(separateHeadings('观棠关闭两座北方工厂5月30日，观棠表示工厂已经关闭。')).toBe(
      '观棠关闭两座北方工厂\n5月30日，观棠表示工厂已经关闭。',
    );
    expect(separateHeadings('观棠关闭的两座工厂将在5月30日，也就是周日停产。')).toBe(
      '观棠关闭的两座工厂将在5月30日，也就是周日停产。',
    );
  });

  it('is not detected between a speaker and the day of the statement', () => {
    const sentence = '观棠研究院院长林知远1月10日称，新工厂将在三月投产。';
    expect(separateHeadings(sentence)).toBe(sentence);
  });

  it('is removed when the sentence repeats it', () => {
    expect(
      removeRepeatedHeading('观棠关闭两座北方的工厂8月1日，观棠关闭两座北方的工厂，并裁员三百人。'),
    ).toBe('8月1日，观棠关闭两座北方的工厂，并裁员三百人。');
  });
});

test('the name of an outlet is removed before the name that begins the title', () => {
  const title = '观棠集团关闭两座工厂';
  expect(removeOutlet('江北新闻观棠集团周五表示关闭工厂。', title)).toBe(
    '观棠集团周五表示关闭工厂。',
  );
  expect(removeOutlet('江北法院要求观棠集团关闭工厂。', title)).toBe(
    '江北法院要求观棠集团关闭工厂。',
  );
});
