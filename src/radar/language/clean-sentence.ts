// Decides which sentences can be quoted. It removes bylines, datelines and remains of markup, and
// refuses navigation, captions, code and calls to subscribe.

export type SentencePatterns = {
  /** Regular expressions of beginnings that are removed from a sentence. */
  readonly trims: readonly string[];
  /** Regular expressions of sentences that cannot be quoted. */
  readonly drops: readonly string[];
};

/** The sentence in quotable form; null when it cannot be quoted. */
export type SentenceCleaner = (sentence: string) => string | null;

const footnotes =
  /\[\^[^\]]{1,60}\]|\[\d{1,3}(?:[,–-]\d{1,3})*\]|\s*\((?:see )?(?:fig|table)\.? ?\d+\)/giu;
const link = /!?\[(?<label>[^\]]{1,200})\]\([^)\s]{1,500}\)/gu;
const emphasis = /\*\*|__|`|^#{1,6}\s+|^>\s+/gu;
const emojiOrInvisible = /\p{Extended_Pictographic}|\ufe0f|[\u200b\u200c]|\u200d|\u2060|\ufeff/gu;

export function openSentenceCleaner(rules: SentencePatterns): SentenceCleaner {
  const trimPatterns = rules.trims.map((source) => new RegExp(source, 'iu'));
  const dropPatterns = rules.drops.map((source) => new RegExp(source, 'iu'));
  return (sentence) => {
    const cleaned = sentence
      .replace(link, '$<label>')
      .replace(footnotes, '')
      .replace(emphasis, '')
      .replace(emojiOrInvisible, (mark) => (/[©®™↔→]/u.test(mark) ? mark : ''))
      .replace(/\s+/gu, ' ')
      .replace(/ ([.,;:!?])(?=\s|$)/gu, '$1')
      .replace(/(?<=\d)，(?=\d{3}(?!\d))/gu, ',')
      .trim();
    const text = unwrapBrackets(
      trimPatterns.reduce((remaining, trim) => remaining.replace(trim, ''), cleaned).trim(),
    );
    const isTrimmed = text !== cleaned;
    if (!isProse(text)) return null;
    if (dropPatterns.some((drop) => drop.test(cleaned) || (isTrimmed && drop.test(text))))
      return null;
    return text;
  };
}

/** True for enough letters, typical proportions, and balanced brackets and quotation marks. */
function isProse(text: string): boolean {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const digits = text.match(/\p{N}/gu)?.length ?? 0;
  const visible = text.replace(/\s/gu, '').length;
  if (letters < 6 || letters < 0.4 * visible || letters + digits < 0.6 * visible) return false;
  const upper = text.match(/\p{Lu}/gu)?.length ?? 0;
  // More than half of the letters of a longer text are capitals.
  if (letters > 20 && upper > 0.5 * letters) return false;
  // Two separators of a navigation bar, or a short text that is repeated six times.
  if (/(?:\s[|·•›»>→]\s.*){2}/u.test(text) || /(.{1,3})\1{6}/u.test(text)) return false;
  const count = (mark: string) => text.split(mark).length - 1;
  const pairs = [
    ['(', ')'],
    ['（', '）'],
    ['“', '”'],
    ['「', '」'],
    ['[', ']'],
    ['《', '》'],
  ] as const;
  return pairs.every(([open, close]) => count(open) === count(close)) && count('"') % 2 === 0;
}

/** Removes brackets around the whole text, and closing marks at its beginning. */
function unwrapBrackets(text: string): string {
  const insideBrackets = /^[(（](?<inside>[^()（）]+)[)）]$/u.exec(text)?.groups?.inside;
  return (insideBrackets ?? text).replace(/^[\p{Pe}\p{Pf}”’,;:，；：、.。]+\s*/u, '').trim();
}
