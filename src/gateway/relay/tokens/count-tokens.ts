// Counts tokens with OpenAI's vocabulary `o200k_base`. Models with other vocabularies have other
// counts, so this count is used only when a provider reports no usage. Relay contract, 2.4.
import { countTokens as countPiece } from 'gpt-tokenizer/encoding/o200k_base';

/** The work grows with the square of a word's length: 200,000 letters took a minute. */
const PIECE_CHARACTERS = 1_000;
const options = { disallowedSpecial: new Set<string>() };

export function countTokens(text: string): number {
  let tokens = 0;
  for (let from = 0; from < text.length; ) {
    const to = endOfPiece(text, from);
    tokens += countPiece(text.slice(from, to), options);
    from = to;
  }
  return tokens;
}

/**
 * A piece ends before its last space, because tokens begin with a space. A piece without a space
 * ends inside a word.
 */
function endOfPiece(text: string, from: number): number {
  const to = from + PIECE_CHARACTERS;
  if (to >= text.length) return text.length;
  const space = text.lastIndexOf(' ', to);
  if (space > from) return space;
  // A surrogate pair stays together.
  return (text.codePointAt(to - 1) ?? 0) > 0xffff ? to + 1 : to;
}
