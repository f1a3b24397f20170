// Line breaks of a title in an image. Latin text breaks between words. Chinese text breaks between
// any two characters that may end and begin a line.

/** Width of a text at font size 1. */
export type Measure = (text: string) => number;

const notAtLineStart = /^[，。、；：？！）」』】》〉”’％%,.;:?!)\]}…—]/u;
const notAtLineEnd = /[（「『【《〈“‘([{]$/u;
/** Characters that are not parts of words: a line may break before and after each. */
const singleCharacter = /[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef\u3000-\u30ff]/u;

/**
 * Advance widths of U+0020 to U+017F in thousandths of the font size. Any other character is as
 * wide as the font size.
 */
export function measureBy(latin: readonly number[]): Measure {
  return (text) => {
    let width = 0;
    for (const character of text)
      width += (latin[(character.codePointAt(0) ?? 0) - 32] ?? 1000) / 1000;
    return width;
  };
}

/** Lines no wider than `width`. Text beyond `max` lines ends in an ellipsis. */
export function breakLines(
  text: string,
  { width, max }: { readonly width: number; readonly max: number },
  measure: Measure,
): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const piece of splitPieces(text, width, measure)) {
    if (line !== '' && measure((line + piece).trimEnd()) > width) {
      lines.push(line.trimEnd());
      line = piece.trimStart();
    } else {
      line += piece;
    }
  }
  if (line.trim() !== '') lines.push(line.trimEnd());
  if (lines.length <= max) return lines;
  return [...lines.slice(0, max - 1), shortenLine(lines[max - 1] ?? '', width, measure)];
}

function shortenLine(line: string, width: number, measure: Measure): string {
  let characters = Array.from(line);
  while (characters.length > 0 && measure(`${characters.join('')}…`) > width)
    characters = characters.slice(0, -1);
  return `${characters.join('').trimEnd()}…`;
}

/** Pieces that do not break: words with the next space, Chinese characters with punctuation. */
function splitPieces(text: string, width: number, measure: Measure): readonly string[] {
  const pieces: string[] = [];
  for (const character of text.replace(/\s+/g, ' ').trim()) {
    const lastPiece = pieces.at(-1);
    const isJoined =
      lastPiece !== undefined &&
      (character === ' ' ||
        notAtLineStart.test(character) ||
        notAtLineEnd.test(lastPiece) ||
        isOneWord(lastPiece, character));
    // A word wider than the line is broken where the line ends.
    if (isJoined && measure(lastPiece + character) <= width)
      pieces[pieces.length - 1] = lastPiece + character;
    else pieces.push(character);
  }
  return pieces;
}

const isOneWord = (lastPiece: string, character: string) =>
  !lastPiece.endsWith(' ') &&
  !singleCharacter.test(character) &&
  !singleCharacter.test(lastPiece.at(-1) ?? '');
