// Text of strangers that gives orders to machines is no news: it is taken out before any desk
// reads it, with what follows it in its paragraph. A fence in the question is the second line of
// defence, and the guard rails on what comes back are the third; none of them relies on a model's
// good sense.

import { coded, plainOrders, roles } from './instruction-patterns.ts';

export type WithoutOrders = {
  readonly text: string;
  /** How many places were cut. */
  readonly orders: number;
};

const wholeEnd = /[.!?。！？；]["'”’」』)）\]]*\s*$/u;
const invisible = /[\p{Cf}\u{e0000}-\u{e007f}]|\p{Variation_Selector}/gu;
/** Markdown's pictures: an address in plain text that nobody wrote for readers. */
const picture = /!\[[^\]\n]{0,200}\]\([^)\n]{0,2000}\)?/gu;
/** Only so much is looked at; the rest is not read by anybody. */
const READ_MAX = 60_000;
const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });

/** `text` is plain: paragraphs are lines. What remains keeps its words and their order. */
export function leaveOutOrders(text: string): WithoutOrders {
  const plain = text.slice(0, READ_MAX).replace(invisible, '').replace(picture, '');
  // A text is looked through once before it is taken apart.
  if (!isOrder(plain)) return { text: plain, orders: 0 };
  let orders = 0;
  const kept: string[] = [];
  let isCut = false;
  for (const line of plain.split('\n')) {
    // A role's line opens a message: what belongs to it is on the lines right behind.
    if (isCut && line.trim() !== '' && isMore(line)) continue;
    isCut = false;
    const { text: rest, isOrdered, isRole } = cutLine(line);
    if (isOrdered) orders += 1;
    isCut = isRole;
    if (rest.trim() !== '' || line.trim() === '') kept.push(rest);
  }
  return { text: kept.join('\n').trim(), orders };
}

type CutLine = {
  readonly text: string;
  readonly isOrdered: boolean;
  /** It opens a message as if from a system or somebody in a talk. */
  readonly isRole: boolean;
};

/** Up to the first sentence that orders; the rest of the paragraph belongs to it. */
function cutLine(line: string): CutLine {
  let kept = '';
  for (const { segment } of segmenter.segment(line)) {
    if (isOrder(segment)) {
      const place = startOfOrder(segment);
      const before = segment.slice(0, place);
      const text = `${kept}${wholeEnd.test(before) ? before : ''}`.trimEnd();
      return { text, isOrdered: true, isRole: roles.test(segment) };
    }
    kept += segment;
  }
  return { text: line, isOrdered: false, isRole: false };
}

/** Where in a sentence that was cut too long the order begins, at a mark before it. */
function startOfOrder(segment: string): number {
  const found = [...plainOrders, roles].map((pattern) => segment.search(pattern));
  const first = Math.min(...found.filter((at) => at >= 0), segment.length);
  const before = segment.slice(0, first);
  return Math.max(before.lastIndexOf('. '), before.lastIndexOf('。'), -1) + 1;
}

/** A list or a line that only makes sense after the one that was cut. */
function isMore(line: string): boolean {
  return /^\s*(?:[-*•>]|\d+[.)、]|[{["<]|\p{Ll})/u.test(line) || isOrder(line);
}

function isOrder(text: string): boolean {
  const folded = text.normalize('NFKC');
  const says = (said: string) => plainOrders.some((p) => p.test(said)) || roles.test(said);
  if (says(folded) || coded.test(folded)) return true;
  // Read backwards, and with letters moved by thirteen: nobody means that for people.
  const isLatin = /[a-z]{4}/iu.test(folded);
  return isLatin && (says([...folded].toReversed().join('')) || says(moved(folded)));
}

function moved(text: string): string {
  return text.replace(/[a-z]/giu, (letter) => {
    const from = letter <= 'Z' ? 65 : 97;
    return String.fromCharCode(((letter.charCodeAt(0) - from + 13) % 26) + from);
  });
}
