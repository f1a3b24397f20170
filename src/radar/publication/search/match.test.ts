import { describe, expect, it } from 'vitest';
import type { PublicItem } from '../item.ts';
import { matchesParts, searchTextOf } from './match.ts';
import { parseQuery } from './query.ts';

const item: PublicItem = {
  id: 'a',
  title: '深度求索发布GPT-5级大模型 DeepSeek V4',
  originalTitle: 'Introducing node.js agents & C++ (beta)',
  summary: 'It’s e-commerce for Straße №5 — ⚡️OpenAI, x_y, μTorrent. カタカナー 한국어는',
  sourceName: 'Orrery Labs 𐐀𐐁model',
  originalUrl: 'https://orrery.example/a',
  publishedAt: null,
  discoveredAt: 0,
  category: null,
  score: null,
  selected: false,
  reason: 'hidden reason',
  language: 'zh',
  summaryBy: 'rules',
  storyId: null,
  timelineAt: 0,
};

function matchesItem(q: string): boolean {
  const parsed = parseQuery(q);
  return parsed.kind === 'query' && matchesParts(searchTextOf(item), parsed.query.parts);
}

describe('an item matches', () => {
  it.each([
    ['deepseek', 'a whole word'],
    ['deeps', 'the beginning of a word'],
    ['DEEP v4', 'every part, in any order'],
    ['v4 deep', 'every part, in any order'],
    ['大模', 'Han anywhere'],
    ['求索 布gpt', 'Han with Latin beside it, anywhere'],
    ['gpt-5级', 'Han with Latin beside it, anywhere'],
    ['t-5级', 'a part with Han begins anywhere, in a word too'],
    ['gpt', 'a Latin word that follows Han starts there'],
    ['orrery', 'the source'],
    ['introd', 'the original title'],
    ['js', 'after a full stop a word starts'],
    ['node.js', 'a part with a symbol in it'],
    ['c++', 'a part that ends in symbols'],
    ['(beta)', 'a part that begins with a symbol, after white space'],
    ['commerce', 'after a hyphen a word starts'],
    ['s e-', 'after an apostrophe a word starts'],
    ['STRASSE', 'ß as ss'],
    ['no5', 'compatibility forms'],
    ['openai', 'after an emoji a word starts'],
    ['⚡️openai', 'a part that begins with an emoji'],
    ['ΜTOR', 'Greek capitals, the micro sign'],
    ['ﾀｶﾅｰ', 'half-width Kana'],
    ['국어', 'Hangul anywhere'],
    ['y,', 'an underscore separates words'],
  ])('%s: %s', (q) => {
    expect(matchesItem(q)).toBe(true);
  });

  it.each([
    ['seek', 'Latin in the middle of a word'],
    ['model', 'Latin after a letter outside the basic plane'],
    ['deepseek absent', 'one part missing'],
    ['模型大', 'Han in another order'],
    ['模型 deepseekv', 'white space is not skipped'],
    ['hidden', 'the reason of an item that is not selected'],
    ['++', 'symbols in the middle of a word'],
    ['labs\u0000', 'a character that the item lacks'],
    ['deepseekv4', 'white space is not skipped'],
    ['v4introducing', 'fields do not run together'],
  ])('not %s: %s', (q) => {
    expect(matchesItem(q)).toBe(false);
  });

  it('by its reason when it is selected', () => {
    const parsed = parseQuery('hidden');
    const text = searchTextOf({ ...item, selected: true });
    expect(parsed.kind === 'query' && matchesParts(text, parsed.query.parts)).toBe(true);
  });
});
