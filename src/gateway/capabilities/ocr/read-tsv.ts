// Converts tesseract's TSV to text and blocks. Columns: level page_num block_num par_num line_num
// word_num left top width height conf text; level 5 is a word, and only words have a confidence
// (0..100).

export type OcrBlock = {
  /** One line of text. */
  readonly text: string;
  /** 0..1. */
  readonly confidence: number;
  /** Pixels from the top left corner. */
  readonly box: readonly [x: number, y: number, width: number, height: number];
};

export type OcrPage = { readonly text: string; readonly blocks: OcrBlock[] };

type Word = {
  readonly paragraph: string;
  readonly line: string;
  readonly box: readonly [number, number, number, number];
  readonly confidence: number;
  readonly text: string;
};

/** Null: not this format. */
export function readTsv(tsv: string): OcrPage | null {
  const [head, ...rows] = tsv.split('\n');
  return head?.startsWith('level\tpage_num\tblock_num') ? readTsvRows(rows) : null;
}

/** Parses rows without the heading, as tesseract's library returns them. */
export function readTsvRows(rows: readonly string[]): OcrPage {
  const words: Word[] = [];
  for (const row of rows) {
    const columns = row.split('\t');
    if (columns[0] !== '5') continue;
    const [page, block, paragraph, line] = columns.slice(1, 5);
    const [left = 0, top = 0, width = 0, height = 0, confidence = -1] = columns
      .slice(6, 11)
      .map(Number);
    const text = columns.slice(11).join('\t').trim();
    if (text === '' || !(confidence >= 0)) continue;
    words.push({
      paragraph: `${page}.${block}.${paragraph}`,
      line: `${page}.${block}.${paragraph}.${line}`,
      box: [left, top, width, height],
      confidence: Math.min(1, confidence / 100),
      text,
    });
  }
  const lines = [...Map.groupBy(words, (word) => word.line).values()];
  const blocks = lines.map(blockOf);
  const text = lines
    .map((line, index) => {
      const previousParagraph = lines[index - 1]?.[0]?.paragraph;
      if (previousParagraph === undefined) return joinLine(line);
      const separator = previousParagraph === line[0]?.paragraph ? '\n' : '\n\n';
      return separator + joinLine(line);
    })
    .join('');
  return { text, blocks };
}

function blockOf(line: readonly Word[]): OcrBlock {
  const leftEdge = Math.min(...line.map(({ box }) => box[0]));
  const top = Math.min(...line.map(({ box }) => box[1]));
  const right = Math.max(...line.map(({ box }) => box[0] + box[2]));
  const bottom = Math.max(...line.map(({ box }) => box[1] + box[3]));
  const characters = line.reduce((sum, { text }) => sum + text.length, 0);
  const weightedSum = line.reduce((sum, { text, confidence }) => sum + text.length * confidence, 0);
  return {
    text: joinLine(line),
    confidence: Math.round((weightedSum / characters) * 1000) / 1000,
    box: [leftEdge, top, right - leftEdge, bottom - top],
  };
}

const wideCharacter =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uff65]/u;

/** Joins words with spaces. Chinese text has no space between words. */
function joinLine(line: readonly Word[]): string {
  return line.reduce((text, word) => {
    const [before, after] = [text.slice(-1), word.text.slice(0, 1)];
    const needsSpace = text !== '' && !(wideCharacter.test(before) || wideCharacter.test(after));
    return text + (needsSpace ? ' ' : '') + word.text;
  }, '');
}
