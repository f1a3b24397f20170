// Defines the interface of OCR engines, which read one image in one language. Two engines exist:
// the one inside the package, and an operator's own tesseract program.
import type { OcrPage } from './read-tsv.ts';

export type OcrLanguage = 'eng' | 'chi_sim';

export type UnreadImage = 'timed_out' | 'unreadable';

export type OcrEngine = {
  /** Resolves also when aborted; the caller checks its signal. */
  recognize(
    bytes: Uint8Array,
    language: OcrLanguage,
    signal: AbortSignal,
  ): Promise<OcrPage | UnreadImage>;
  /** Null: the engine works; otherwise the instructions for an operator. */
  missing(): Promise<string | null>;
};
