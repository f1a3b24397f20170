// Selects tesseract's language for an image. `chi_sim` alone reads Chinese better than
// `eng+chi_sim`, and Latin text slightly worse than `eng`. The second language runs only when the
// first result is uncertain.
import type { OcrLanguage } from './ocr-engine.ts';
import type { OcrBlock } from './read-tsv.ts';

export type OcrAttempt = { readonly language: OcrLanguage; readonly blocks: OcrBlock[] };

const sureAbove = 0.8;
const maxUnsureShare = 0.1;

/** Whether an English result is certain enough that no second one is needed. */
export function isConfident(blocks: readonly OcrBlock[]): boolean {
  const total = weightOf(blocks);
  const unsureWeight = weightOf(blocks.filter((block) => block.confidence < sureAbove));
  return total > 0 && unsureWeight / total <= maxUnsureShare;
}

/**
 * Selects the Chinese attempt when it has Han characters of some confidence. Otherwise the attempt
 * with the higher mean confidence is selected.
 */
export function betterAttempt(english: OcrAttempt, chinese: OcrAttempt): OcrAttempt {
  const hanCount = chinese.blocks
    .filter((block) => block.confidence >= 0.5)
    .reduce((sum, block) => sum + countOf(block.text, /\p{Script=Han}/gu), 0);
  if (hanCount >= 2) return chinese;
  return meanConfidence(english.blocks) >= meanConfidence(chinese.blocks) ? english : chinese;
}

function weightOf(blocks: readonly OcrBlock[]): number {
  return blocks.reduce((sum, { text }) => sum + countOf(text, /\S/gu), 0);
}

function meanConfidence(blocks: readonly OcrBlock[]): number {
  const weight = weightOf(blocks);
  if (weight === 0) return 0;
  const sum = blocks.reduce(
    (total, { text, confidence }) => total + countOf(text, /\S/gu) * confidence,
    0,
  );
  return sum / weight;
}

function countOf(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
