// Which language a text is in. Scripts decide first (Han, kana, Hangul, Cyrillic …); among the
// languages of Latin script n-grams do, and what the source declared is believed unless the text
// clearly speaks against it: names and short headlines look like anything.
import { eld } from 'eld/small';

/** Only the beginning is read: enough to tell, and a bound on the work. */
const readCharacters = 2_000;

/** How much better another Latin language must score than the expected one; more for a few words,
 * which may be all names. Measured: 8 of 4,452 English headlines are taken for another language. */
const latinMargin = { fewWords: 1.35, sentence: 1.1 };

const scripts = [
  { script: /\p{Script=Hangul}/gu, languages: ['ko'] },
  { script: /\p{Script=Cyrillic}/gu, languages: ['ru', 'uk', 'bg', 'sr', 'be', 'mk'] },
  { script: /\p{Script=Arabic}/gu, languages: ['ar', 'fa', 'ur'] },
  { script: /\p{Script=Hebrew}/gu, languages: ['he', 'yi'] },
  { script: /\p{Script=Thai}/gu, languages: ['th'] },
  { script: /\p{Script=Devanagari}/gu, languages: ['hi', 'mr', 'ne'] },
  { script: /\p{Script=Greek}/gu, languages: ['el'] },
] as const;

/** A language, written with letters, is one of these scripts' (not Latin's). */
const notLatin = new Set<string>(['zh', 'ja', ...scripts.flatMap((s) => s.languages)]);

/**
 * The primary language tag of `text` (`en`, `zh`, `ja`, …). `declared` is the source's own claim
 * (BCP 47), or null. A text without letters has the declared language, else `en`.
 */
export function detectLanguage(text: string, declared: string | null): string {
  const claim = primaryTag(declared);
  const sample = text.slice(0, readCharacters);
  return byScript(sample, claim) ?? byLatin(sample, claim);
}

function primaryTag(declared: string | null): string | null {
  const tag = declared?.trim().toLowerCase().split(/[-_]/, 1)[0] ?? '';
  return /^[a-z]{2,3}$/.test(tag) ? tag : null;
}

/** Null when the text is in Latin letters, or in none. One ideograph weighs like half a word. */
function byScript(sample: string, claim: string | null): string | null {
  const latinWords = count(sample, /\p{Script=Latin}[\p{Script=Latin}\p{M}\p{N}'’.-]*/gu);
  const kana = count(sample, /[\p{Script=Hiragana}\p{Script=Katakana}]/gu);
  const han = count(sample, /\p{Script=Han}/gu);
  // A headline names its companies in Latin letters: "OpenAI 发布 GPT-6 Turbo" is Chinese.
  if (han + kana >= 2 && (han + kana) / 2 >= latinWords / 4) {
    return kana / (han + kana) > 0.15 ? 'ja' : claim === 'ja' && kana > 0 ? 'ja' : 'zh';
  }
  for (const { script, languages } of scripts) {
    const letters = count(sample, script);
    if (letters < 3 || letters / 3 < latinWords / 2) continue;
    const known: readonly string[] = languages;
    if (claim !== null && known.includes(claim)) return claim;
    // The n-grams know no Hindi, and call it Marathi.
    const guess = languages[0] === 'hi' ? 'hi' : eld.detect(sample).language;
    return known.includes(guess) ? guess : languages[0];
  }
  return null;
}

function byLatin(sample: string, claim: string | null): string {
  const expected = claim === null || notLatin.has(claim) ? 'en' : claim;
  if (!/\p{L}/u.test(sample)) return claim ?? 'en';
  const found = eld.detect(sample);
  if (found.language === '' || found.language === expected) return expected;
  if (notLatin.has(found.language) || !found.isReliable()) return expected;
  const scores = found.getScores();
  const best = scores[found.language] ?? 0;
  const words = sample.toLowerCase().match(/\p{L}[\p{L}\p{M}'’-]*/gu) ?? [];
  const isFew = new Set(words).size < 6;
  // Five names without an accent prove nothing against what the source says of itself.
  if (isFew && claim === expected && /^[\0-\x7f‘’“”–—]*$/u.test(sample)) return expected;
  const margin = isFew ? latinMargin.fewWords : latinMargin.sentence;
  return best >= margin * (scores[expected] ?? 0) ? found.language : expected;
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
