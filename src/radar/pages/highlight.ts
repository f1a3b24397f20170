// Marks the parts of a query in a text. Both are compared in lower case. A match that needs full
// folding, such as a full-width letter, stays unmarked.
import { type Html, html } from '../../kernel/html/html.ts';
import type { TextQuery } from '../publication/search/query.ts';

export function highlight(text: string, { parts }: TextQuery): Html {
  const lowerCaseText = text.toLowerCase();
  // A few characters change their length in lower case, so positions would differ.
  if (lowerCaseText.length !== text.length) return html`${text}`;
  const spans = mergeSpans(
    parts.flatMap(({ text: part, matchesInsideWords }) =>
      findSpans(lowerCaseText, part, matchesInsideWords),
    ),
  );
  let end = 0;
  const pieces = spans.map(([from, to]) => {
    const piece = html`${text.slice(end, from)}<mark>${text.slice(from, to)}</mark>`;
    end = to;
    return piece;
  });
  return html`${pieces}${text.slice(end)}`;
}

type Span = readonly [from: number, to: number];

const wordCharacter = /[\p{L}\p{N}]/u;

function findSpans(text: string, part: string, matchesInsideWords: boolean): readonly Span[] {
  const spans: Span[] = [];
  for (let index = text.indexOf(part); index !== -1; index = text.indexOf(part, index + 1)) {
    const isStart = index === 0 || !wordCharacter.test(text[index - 1] ?? '');
    if (matchesInsideWords || isStart) spans.push([index, index + part.length]);
  }
  return spans;
}

function mergeSpans(spans: readonly Span[]): readonly Span[] {
  const mergedSpans: [number, number][] = [];
  for (const [from, to] of spans.toSorted((a, b) => a[0] - b[0] || a[1] - b[1])) {
    const lastSpan = mergedSpans.at(-1);
    if (lastSpan !== undefined && from <= lastSpan[1]) lastSpan[1] = Math.max(lastSpan[1], to);
    else mergedSpans.push([from, to]);
  }
  return mergedSpans;
}
