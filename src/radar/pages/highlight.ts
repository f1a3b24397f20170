// Marks the parts of a query in a text. Both are compared in lower case. A match that needs full
// folding, such as a full-width letter, stays unmarked.
import { type Html, html } from '../../kernel/html/html.ts';
import type { TextQuery } from '../publication/search/query.ts';

export function highlight(text: string, { parts }: TextQuery): Html {
  const lower = text.toLowerCase();
  // A few characters change their length in lower case, so positions would differ.
  if (lower.length !== text.length) return html`${text}`;
  const spans = mergeSpans(
    parts.flatMap(({ text: part, matchesInsideWords }) => spansOf(lower, part, matchesInsideWords)),
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

const wordSign = /[\p{L}\p{N}]/u;

function spansOf(text: string, part: string, matchesInsideWords: boolean): readonly Span[] {
  const spans: Span[] = [];
  for (let index = text.indexOf(part); index !== -1; index = text.indexOf(part, index + 1)) {
    const isStart = index === 0 || !wordSign.test(text[index - 1] ?? '');
    if (matchesInsideWords || isStart) spans.push([index, index + part.length]);
  }
  return spans;
}

function mergeSpans(spans: readonly Span[]): readonly Span[] {
  const merged: [number, number][] = [];
  for (const [from, to] of spans.toSorted((a, b) => a[0] - b[0] || a[1] - b[1])) {
    const last = merged.at(-1);
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to);
    else merged.push([from, to]);
  }
  return merged;
}
