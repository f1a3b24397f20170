// Checks the form of a text: length, language, plain text, literal quotations, and no repetition
// of the instructions.
import { detectLanguage } from '../../language/detect-language.ts';
import { foldName } from './known-names.ts';
import { lettersAndDigits, type SourceText } from './source-text.ts';

export type LengthBounds = { readonly latin: number; readonly wide: number };

/** Describes the fault of a text that is too long or too short; null otherwise. */
export function findLengthFault(text: string, bounds: LengthBounds): string | null {
  const words = text.match(/[\p{Script=Latin}\p{N}][^\s\p{sc=Han}]*|\p{sc=Han}/gu)?.length ?? 0;
  if (words < (isWide(text) ? 5 : 3)) return 'it is too short to say anything';
  const max = isWide(text) ? bounds.wide : bounds.latin;
  const length = [...text].length;
  return length <= max ? null : `it has ${length} characters, and may have ${max}`;
}

/** `language` is the site's. Names in another script are allowed. */
export function findLanguageFault(text: string, language: 'en' | 'zh-CN'): string | null {
  const han = text.match(/\p{sc=Han}/gu)?.length ?? 0;
  const words = text.match(/\p{Script=Latin}[\p{Script=Latin}\p{M}'’-]*/gu) ?? [];
  if (language === 'zh-CN') {
    const foreignText =
      /[\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Cyrillic}\p{sc=Arabic}]/u;
    // Three ideographs for each two lower-case Latin words; words with a capital can be names.
    const isMostlyHan =
      han >= 2 && han * 2 >= words.filter((word) => /^\p{Ll}/u.test(word)).length * 3;
    return isMostlyHan && !foreignText.test(text) ? null : 'it is not in Chinese';
  }
  if (/[\p{sc=Cyrillic}\p{sc=Arabic}\p{sc=Hangul}\p{sc=Hiragana}]/u.test(text)) {
    return 'it is not in English';
  }
  if (han > 0 && han >= 2 * words.length) return 'it is not in English';
  // A few words may all be names, so only a longer text shows its language.
  const hasManyWords = words.filter((word) => /^\p{Ll}/u.test(word)).length >= 6;
  const withoutHan = text.replace(/\p{sc=Han}+/gu, ' ');
  return hasManyWords && detectLanguage(withoutHan, 'en') !== 'en' ? 'it is not in English' : null;
}

const address = /(?:https?|ftp|javascript|data):|www\.|\]\(|mailto:/iu;
const host =
  /(?<![\p{L}\p{N}@.-])(?:[a-z0-9-]+\.)+[a-z]{2,12}(?:\/\S*)?(?![\p{Script=Latin}\p{N}])/giu;
const mailAddress = /[\p{L}\p{N}._-]+@[\p{L}\p{N}-]+\.[a-z]{2,}/u;
const markup =
  /<\/?[a-z!]|&(?:lt|gt|amp|#\d+|#x[0-9a-f]+);|```|`|\*\*|__|^\s*(?:#{1,6}|[-*•]|\d+[.)])\s/imu;
const json = /[{}]|"\s*:\s*["\d[]/u;
const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|\p{Variation_Selector}/u;
const emoji = /(?![©®™‼⁉↔-↪])\p{Extended_Pictographic}/u;
/** A word of forty letters is encoded data. */
const base64Word = /[A-Za-z0-9+/=_-]{40,}/u;

/** Markup, addresses, invisible characters, emoji and code do not belong in plain text. */
export function findPlainTextFault(text: string, source: SourceText): string | null {
  if (text.trim() === '') return 'it is empty';
  if (hidden.test(text)) return 'it has invisible characters or line breaks';
  if (address.test(text) || mailAddress.test(text)) return 'it has a link or an address';
  const addressMatch = [...text.matchAll(host)].find(([name]) => {
    // "Character.AI" and "Node.js" are names. With a path they are addresses.
    return name.includes('/') || !source.text.includes(foldName(name));
  });
  if (addressMatch !== undefined) return `it has an address (${addressMatch[0].slice(0, 60)})`;
  if (markup.test(text)) return 'it has markup';
  if (json.test(text)) return 'it has code';
  if (emoji.test(text)) return 'it has emoji';
  return base64Word.test(text) ? 'it has a run of letters that is no word' : null;
}

const quotation = /“([^”]{2,})”|「([^」]{2,})」|『([^』]{2,})』|"([^"]{2,})"|‘([^’]{12,})’/gu;

/** Quotations that the source does not contain literally. */
export function findUnsupportedQuotes(text: string, source: SourceText): readonly string[] {
  return [...text.matchAll(quotation)]
    .map((match) => match.slice(1).find((part) => part !== undefined) ?? '')
    .filter((quoted) => {
      const comparableText = lettersAndDigits(foldName(quoted));
      return comparableText !== '' && !source.joinedText.includes(comparableText);
    });
}

/** Phrases with which models describe themselves and their task. */
const selfReference = new RegExp(
  [
    String.raw`\bas an? (?:ai|language model|assistant)\b`,
    String.raw`^you (?:are|work|must|should|will)\b|^(?:你|您)(?:是|现在|必须|应)`,
    String.raw`\bi(?:'m| am) (?:sorry|unable|an ai)\b`,
    String.raw`\bi (?:cannot|can't|can not|won't) (?:help|comply|assist|do)`,
    String.raw`\b(?:here is|here's) (?:the|your|a) (?:summary|title|json|translation)`,
    String.raw`\b(?:system|developer) (?:prompt|message|instruction)s?\s*[:：]`,
    String.raw`\b(?:my|your|these|the|previous|prior|above) (?:previous |prior )?instructions\b`,
    String.raw`\bignore (?:all|any|the|previous|prior|everything)\b`,
    String.raw`\b(?:source text|the provided text)\b`,
    String.raw`\bthe text (?:above|below|given|provided)\b`,
    '作为(?:一个|一名)?(?:ai|人工智能|语言模型|助手)',
    String.raw`(?:系统|开发者)(?:提示词?|指令|消息)\s*[:：]`,
    '(?:无视|忽略|忘记)(?:之前|以上|上述|前面|先前|所有)',
    '(?:以下|这)是(?:摘要|标题|翻译|总结)',
    '抱歉[，,]?我(?:无法|不能)|根据(?:您|你)的(?:要求|指令)',
  ].join('|'),
  'iu',
);

const ECHO_WORDS = 6;
/** Six short words, such as "it is one of the best", are common in any text. */
const ECHO_CHARACTERS_MIN = 20;

/**
 * Describes a text that refers to the model or its task, or repeats six consecutive words of
 * `systemMessage`; null otherwise.
 */
export function findEchoFault(
  text: string,
  systemMessage: string,
  source: SourceText,
): string | null {
  if (selfReference.test(text)) return 'it speaks of instructions or of itself';
  const promptMarks = /<<<|>>>|\{\{|^\s*(?:write in|title|summary|reason)\s*:/imu;
  if (promptMarks.test(text)) return 'it repeats the form of the question';
  const words = foldName(text).match(/[\p{Script=Latin}\p{N}]+|\p{sc=Han}/gu) ?? [];
  const systemText = lettersAndDigits(foldName(systemMessage));
  for (let index = 0; index + ECHO_WORDS <= words.length; index += 1) {
    const run = words.slice(index, index + ECHO_WORDS).join('');
    if (
      run.length >= ECHO_CHARACTERS_MIN &&
      systemText.includes(run) &&
      !source.joinedText.includes(run)
    ) {
      return 'it repeats its instructions';
    }
  }
  return null;
}

/** True for text mainly in ideographs or kana, which needs fewer characters than Latin text. */
function isWide(text: string): boolean {
  const wideCharacters =
    text.match(/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/gu)?.length ?? 0;
  return wideCharacters > 0.3 * text.length;
}
