import { describe, expect, it } from 'vitest';
import { foldText } from './fold.ts';

describe('folding', () => {
  it.each([
    ['GPT-5', 'gpt-5'],
    ['STRASSE', 'strasse'],
    ['Straße', 'strasse'],
    ['STRAẞE', 'strasse'],
    ['ΟΔΥΣΣΕΎΣ', 'οδυσσεύσ'],
    ['ὀδυσσεύς', 'ὀδυσσεύσ'],
    ['İstanbul', 'i̇stanbul'],
    ['ılık', 'ılık'],
    ['ＧＰＴ－４', 'gpt-4'],
    ['ﬁne', 'fine'],
    ['ŉ', 'ʼn'],
    ['Å', 'å'],
    ['e\u0301', 'é'],
    ['ﾓﾃﾞﾙ', 'モデル'],
    ['한국', '한국'],
    ['㎏', 'kg'],
    ['①', '1'],
    ['大模型', '大模型'],
    ['Ꭰꭰ', 'ꭰꭰ'],
  ])('%s becomes %s', (text, folded) => {
    expect(foldText(text)).toBe(folded);
  });

  it('maps all cases of a letter to one form, as Unicode does', () => {
    const exceptions: string[] = [];
    for (let codePoint = 0; codePoint < 0x20000; codePoint++) {
      if (codePoint >= 0xd800 && codePoint < 0xe000) continue;
      const letter = String.fromCodePoint(codePoint);
      // Dotless ı has the same capital as i but is another letter. Unicode's table does not change
      // it.
      if (letter === 'ı') continue;
      const folded = foldText(letter);
      const forms = [foldText(letter.toUpperCase()), foldText(letter.toLowerCase())];
      if (forms.some((form) => form.normalize('NFKC') !== folded.normalize('NFKC')))
        exceptions.push(letter);
    }
    expect(exceptions).toEqual([]);
  });

  it('changes nothing when applied a second time', () => {
    const exceptions: string[] = [];
    for (let codePoint = 0; codePoint < 0x20000; codePoint++) {
      if (codePoint >= 0xd800 && codePoint < 0xe000) continue;
      const folded = foldText(String.fromCodePoint(codePoint)).normalize('NFKC');
      if (foldText(folded).normalize('NFKC') !== folded)
        exceptions.push(String.fromCodePoint(codePoint));
    }
    expect(exceptions).toEqual([]);
  });
});
