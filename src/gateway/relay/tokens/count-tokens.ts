// Counts tokens with OpenAI's vocabulary `o200k_base`. Models with other vocabularies have other
// counts, so this count is used only when a provider reports no usage. Relay contract, 2.4.
import { countTokens as countPiece } from 'gpt-tokenizer/encoding/o200k_base';
import { endOfPiece } from './text-pieces.ts';

/** The work grows with the square of a word's length: 200,000 letters took a minute. */
const PIECE_CHARACTERS = 1_000;
const options = { disallowedSpecial: new Set<string>() };

export function countTokens(text: string): number {
  let tokens = 0;
  for (let from = 0; from < text.length; ) {
    const to = endOfPiece(text, from, PIECE_CHARACTERS);
    tokens += countPiece(text.slice(from, to), options);
    from = to;
  }
  return tokens;
}
