import { describe, expect, it } from 'vitest';
import { parseQuery } from './query.ts';

const words = (...texts: string[]) => texts.map((text) => ({ text, matchesInsideWords: false }));

describe('a search query', () => {
  it('is trimmed of Unicode white space and split into folded parts', () => {
    expect(parseQuery('\u3000 Big\u00a0MODEL \u2003new\u0085')).toEqual({
      kind: 'query',
      query: { text: 'Big\u00a0MODEL \u2003new', parts: words('model', 'big', 'new') },
    });
  });

  it('matches parts with Han, Kana or Hangul anywhere, others at word starts', () => {
    expect(parseQuery('gpt大模型 モデル 모델 ﾓﾃﾞﾙ agent')).toEqual({
      kind: 'query',
      query: {
        text: 'gpt大模型 モデル 모델 ﾓﾃﾞﾙ agent',
        parts: [
          { text: 'gpt大模型', matchesInsideWords: true },
          { text: 'agent', matchesInsideWords: false },
          { text: 'モデル', matchesInsideWords: true },
          { text: '모델', matchesInsideWords: true },
        ],
      },
    });
  });

  it('lists a part once', () => {
    expect(parseQuery('Ai AI ai ＡＩ')).toEqual({
      kind: 'query',
      query: { text: 'Ai AI ai ＡＩ', parts: words('ai') },
    });
  });

  it.each([
    ['', 'too_short'],
    ['  ', 'too_short'],
    [' a ', 'too_short'],
    ['𠮷', 'too_short'],
    ['x'.repeat(201), 'too_long'],
    ['𠮷'.repeat(201), 'too_long'],
  ])('%j is %s', (q, kind) => {
    expect(parseQuery(q)).toEqual({ kind });
  });

  it('is refused in linear time when it is mostly white space', () => {
    expect(parseQuery(`a${' '.repeat(300_000)}b`)).toEqual({ kind: 'too_long' });
  });

  it('counts code points after trimming', () => {
    expect(parseQuery('ab').kind).toBe('query');
    expect(parseQuery('𠮷𠮷').kind).toBe('query');
    expect(parseQuery(` ${'𠮷'.repeat(200)} `).kind).toBe('query');
    expect(parseQuery('ﷺﷺ').kind).toBe('query');
  });
});
