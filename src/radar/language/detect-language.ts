// Detects the language of a text. Scripts decide first (Han, kana, Hangul, Cyrillic …), n-grams
// distinguish Latin languages. The source's declaration is used unless the text clearly contradicts
// it, because names and short headlines are ambiguous.
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { eld } from 'eld/small';

type NgramDetector = typeof eld;

/** The beginning of a text is sufficient and bounds the work. */
const MAX_CHARACTERS = 2_000;

/**
 * Factor by which the score of another Latin language must exceed that of the expected language.
 * Measured: 8 of 4,452 English headlines are assigned to another language.
 */
const LATIN_MARGIN = { fewWords: 1.35, sentence: 1.1 };

const scripts = [
  { script: /\p{Script=Hangul}/gu, languages: ['ko'] },
  { script: /\p{Script=Cyrillic}/gu, languages: ['ru', 'uk', 'bg', 'sr', 'be', 'mk'] },
  { script: /\p{Script=Arabic}/gu, languages: ['ar', 'fa', 'ur'] },
  { script: /\p{Script=Hebrew}/gu, languages: ['he', 'yi'] },
  { script: /\p{Script=Thai}/gu, languages: ['th'] },
  { script: /\p{Script=Devanagari}/gu, languages: ['hi', 'mr', 'ne'] },
  { script: /\p{Script=Greek}/gu, languages: ['el'] },
] as const;

/** Languages whose script is not Latin. */
const nonLatinLanguages = new Set<string>([
  'zh',
  'ja',
  ...scripts.flatMap(({ languages }) => languages),
]);

let loadedDetector: NgramDetector | null = null;

/**
 * Loads the n-grams, once, which blocks the thread for 150 ms. They are 45 MB of objects, a third
 * of the heap of a node that only serves readers. Each collection of all objects visits them. The
 * package has no export for `require`, so its file is loaded.
 */
export function loadNgramDetector(): NgramDetector {
  if (loadedDetector === null) {
    const file = fileURLToPath(import.meta.resolve('eld/small'));
    const loaded: { readonly eld: NgramDetector } = createRequire(import.meta.url)(file);
    loadedDetector = loaded.eld;
  }
  return loadedDetector;
}

/**
 * The primary language tag of `text` (`en`, `zh`, `ja`, …). `declared` is the source's BCP 47 tag
 * or null. A text without letters has the declared language, or `en` without a declaration.
 */
export function detectLanguage(text: string, declared: string | null): string {
  const declaredTag = primaryTag(declared);
  const sample = text.slice(0, MAX_CHARACTERS);
  return detectByScript(sample, declaredTag) ?? detectLatin(sample, declaredTag);
}

function primaryTag(declared: string | null): string | null {
  const tag = declared?.trim().toLowerCase().split(/[-_]/, 1)[0] ?? '';
  return /^[a-z]{2,3}$/.test(tag) ? tag : null;
}

/** Null for text in Latin letters or without letters. One ideograph counts as half a word. */
function detectByScript(sample: string, declaredTag: string | null): string | null {
  const latinWords = count(sample, /\p{Script=Latin}[\p{Script=Latin}\p{M}\p{N}'’.-]*/gu);
  const kana = count(sample, /[\p{Script=Hiragana}\p{Script=Katakana}]/gu);
  const han = count(sample, /\p{Script=Han}/gu);
  // A Chinese headline may hold company names in Latin letters: "OpenAI 发布 GPT-6 Turbo".
  if (han + kana >= 2 && (han + kana) / 2 >= latinWords / 4) {
    const isJapanese = kana / (han + kana) > 0.15 || (declaredTag === 'ja' && kana > 0);
    return isJapanese ? 'ja' : 'zh';
  }
  for (const { script, languages } of scripts) {
    const letters = count(sample, script);
    // A script decides from three letters on, and with at least half as many words as Latin. A word
    // counts as three letters.
    if (letters < 3 || letters / 3 < latinWords / 2) continue;
    const scriptLanguages: readonly string[] = languages;
    if (declaredTag !== null && scriptLanguages.includes(declaredTag)) return declaredTag;
    // The n-gram model lacks Hindi and reports Marathi.
    const guess = languages[0] === 'hi' ? 'hi' : loadNgramDetector().detect(sample).language;
    return scriptLanguages.includes(guess) ? guess : languages[0];
  }
  return null;
}

function detectLatin(sample: string, declaredTag: string | null): string {
  const expected = declaredTag === null || nonLatinLanguages.has(declaredTag) ? 'en' : declaredTag;
  if (!/\p{L}/u.test(sample)) return declaredTag ?? 'en';
  const detected = loadNgramDetector().detect(sample);
  if (detected.language === '' || detected.language === expected) return expected;
  if (nonLatinLanguages.has(detected.language) || !detected.isReliable()) return expected;
  const scores = detected.getScores();
  const best = scores[detected.language] ?? 0;
  const words = sample.toLowerCase().match(/\p{L}[\p{L}\p{M}'’-]*/gu) ?? [];
  const hasFewWords = new Set(words).size < 6;
  // Five ASCII words cannot contradict the source's declaration.
  if (hasFewWords && declaredTag === expected && /^[\0-\x7f‘’“”–—]*$/u.test(sample))
    return expected;
  const margin = hasFewWords ? LATIN_MARGIN.fewWords : LATIN_MARGIN.sentence;
  return best >= margin * (scores[expected] ?? 0) ? detected.language : expected;
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
