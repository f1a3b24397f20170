// Finds names in ideographs, which have no capitals. A name is a run of characters that is not in
// the dictionary, or a run of transliteration characters.

import type { KnownNames } from './known-names.ts';
import type { SourceText } from './source-text.ts';
import { transliterationRun } from './transliterations.ts';

/** Characters that can stand alone in a sentence; no name begins or ends with them. */
const edgeCharacters = new Set(
  '零一二三四五六七八九十百千秒分钟点块只头的了在是将仅为与和及或称较更需可能已未不无有新大' +
    '小多少高低超约近每各该此其并也还又就才都再被把从向对由于以至到后前中上下内外间时年月日家' +
    '个名款项种次倍元万亿起止达逾均共等则而且但若如因按据让使令给用作做要会应须曾正刚今昨明首' +
    '末第几半两双单某另余来去过着得地所之者们这那哪何谁自己人台套张份位件条场届期版代号级类型' +
    '式性化率量额价费值度力部门处局署院省市县区国州镇入出收发开关停售卖买租投降涨增减升跌破满' +
    '逐仍却即便故说指认表示写道问答看见听',
);

const followingWords = new RegExp(
  '^(?:在|已|将)?(?:表示|称|说|认为|透露|指出|宣布|公司|科技|集团|资本|基金|智能|' +
    '实验室|银行|大学|医疗|医药|生物|汽车|电子|通信|网络|软件|能源|半导体|机器人|股份|控股)',
  'u',
);
const precedingTitle =
  /(?:官|总裁|董事长|创始人|经理|教授|博士|总监|主任|院长|议员|部长|律师|法官|[《“「])$/u;

/** A run between function words (no name contains them): 渡轮 and 艘 in 渡轮每艘可载. */
const wordRun = /[^\P{sc=Han}每可的了是将与和及被把而也已]+/gu;

/** Returns runs of ideographs without dictionary words, and transliterations. */
export function findHanNames(text: string, { words }: KnownNames): readonly string[] {
  const names = [...text.matchAll(transliterationRun)].flatMap(([run]) =>
    isTransliteration(run, words) ? [run] : [],
  );
  for (const { 0: run, index: from } of text.matchAll(wordRun)) {
    let unknownRun = '';
    const finishRun = (at: number) => {
      const name = trimRun(unknownRun);
      // Two characters are often a word that the dictionary lacks. They count as a name only after
      // a title, or before a word that follows names.
      const start = run.lastIndexOf(name, at - 1);
      const hasNameContext = () =>
        followingWords.test(run.slice(start + name.length)) ||
        precedingTitle.test(text.slice(0, from + start));
      if (name.length > 2 || (name.length === 2 && hasNameContext())) names.push(name);
      unknownRun = '';
    };
    for (let index = 0; index < run.length; ) {
      const word = longestWord(run, index, words);
      if (word.length > 1) finishRun(index);
      else unknownRun += word;
      index += word.length;
    }
    finishRun(run.length);
  }
  return names;
}

/** False when the run of transliteration characters consists of ordinary words. */
function isTransliteration(run: string, words: ReadonlySet<string>): boolean {
  let singleCharacters = 0;
  for (let index = 0; index < run.length; ) {
    const { length } = longestWord(run, index, words);
    if (length === 1) singleCharacters += 1;
    index += length;
  }
  return singleCharacters > 0 && !words.has(run);
}

/** Longer words of the dictionary are not found. */
const WORD_CHARACTERS_MAX = 8;

function longestWord(run: string, at: number, words: ReadonlySet<string>): string {
  for (let length = Math.min(WORD_CHARACTERS_MAX, run.length - at); length > 1; length -= 1) {
    const word = run.slice(at, at + length);
    if (words.has(word)) return word;
  }
  return String.fromCodePoint(run.codePointAt(at) ?? 0);
}

function trimRun(run: string): string {
  const chars = [...run];
  while (chars.length > 0 && edgeCharacters.has(chars[0] ?? '')) chars.shift();
  while (chars.length > 0 && edgeCharacters.has(chars.at(-1) ?? '')) chars.pop();
  return chars.join('');
}

/**
 * True when the source contains the name in parts of at least two characters. A single remaining
 * character is ignored, because it is usually a verb.
 */
export function isHanNameInSource(
  name: string,
  { text, capitals, words }: SourceText,
  { otherScript }: Pick<KnownNames, 'otherScript'>,
): boolean {
  const isInSource = (part: string) =>
    text.includes(part) ||
    (part.length > 1 &&
      (otherScript.hasSameSound(part, capitals) ||
        otherScript.hasLatinSpelling(part, text) ||
        otherScript.hasMeaning(part, words)));
  let remaining = '';
  for (let index = 0; index < name.length; ) {
    let length = name.length - index;
    while (length > 1 && !isInSource(name.slice(index, index + length))) length -= 1;
    remaining += length > 1 ? ' ' : name.charAt(index);
    index += length;
  }
  return remaining.split(' ').every((part) => trimRun(part).length < 2);
}
