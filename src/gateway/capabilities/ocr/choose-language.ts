// Selects tesseract's language for an image. `chi_sim` alone reads Chinese better than
// `eng+chi_sim`, and Latin text slightly worse than `eng`. The second language runs only when the
// first result is uncertain.
import type { OcrLanguage } from './ocr-engine.ts';
import type { OcrBlock } from './read-tsv.ts';

export type OcrAttempt = { readonly language: OcrLanguage; readonly blocks: OcrBlock[] };

/** An English result is certain when at most a tenth of its text has a confidence below 0.8. */
const minConfidence = 0.8;
const maxUncertainShare = 0.1;
/** A Chinese result needs two Han characters with at least this confidence. */
const minHanConfidence = 0.5;
const minHanCharacters = 2;

/** Whether an English result is certain enough that no second language is needed. */
export function isConfident(blocks: readonly OcrBlock[]): boolean {
  const total = countVisible(blocks);
  const uncertain = countVisible(blocks.filter((block) => block.confidence < minConfidence));
  return total > 0 && uncertain / total <= maxUncertainShare;
}

/**
 * Selects the Chinese attempt when it has enough certain Han characters. Otherwise the attempt with
 * the higher mean confidence is selected.
 */
export function betterAttempt(english: OcrAttempt, chinese: OcrAttempt): OcrAttempt {
  const hanCount = chinese.blocks
    .filter((block) => block.confidence >= minHanConfidence)
    .reduce((sum, block) => sum + countOf(block.text, /\p{Script=Han}/gu), 0);
  if (hanCount >= minHanCharacters) return chinese;
  return meanConfidence(english.blocks) >= meanConfidence(chinese.blocks) ? english : chinese;
}

/** Number of characters that are not white space. */
function countVisible(blocks: readonly OcrBlock[]): number {
  return blocks.reduce((sum, { text }) => sum + countOf(text, /\S/gu), 0);
}

function meanConfidence(blocks: readonly OcrBlock[]): number {
  const total = countVisible(blocks);
  if (total === 0) return 0;
  const sum = blocks.reduce(
    (all, { text, confidence }) => all + countOf(text, /\S/gu) * confidence,
    0,
  );
  return sum / total;
}

function countOf(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
