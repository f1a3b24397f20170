// The difference of two texts as HTML: removed words in `<del>`, new ones in `<ins>`. Chinese is
// compared by characters.
import { type Html, html } from './html.ts';
import { langOf, marked } from './text-language.ts';

type Part = { readonly kind: 'same' | 'removed' | 'added'; readonly text: string };

const token = /\p{Script=Han}|[^\s\p{Script=Han}]+|\s+/gu;
/** The table of the longest common subsequence has this many cells at most. */
const CELLS_MAX = 1_000_000;

/** `page`: the language of the page; parts in the other language have a `lang` attribute. */
export function textDiff(before: string, after: string, page: 'en' | 'zh-CN'): Html {
  return html`${diffParts(before, after).map(({ kind, text }) => {
    if (kind === 'same') return marked(text, page);
    const lang = langOf(text, page);
    return kind === 'removed' ? html`<del${lang}>${text}</del>` : html`<ins${lang}>${text}</ins>`;
  })}`;
}

/** Exported for its test. */
export function diffParts(before: string, after: string): readonly Part[] {
  const [old, now] = [before.match(token) ?? [], after.match(token) ?? []];
  if ((old.length + 1) * (now.length + 1) > CELLS_MAX) {
    return joinParts([
      { kind: 'removed', text: before },
      { kind: 'added', text: after },
    ]);
  }
  const lengths = commonLengths(old, now);
  const at = (i: number, j: number) => lengths[i * (now.length + 1) + j] ?? 0;
  const parts: Part[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length) {
    const [a, b] = [old[i], now[j]];
    if (a !== undefined && a === b) {
      parts.push({ kind: 'same', text: a });
      i += 1;
      j += 1;
    } else if (a !== undefined && (b === undefined || at(i + 1, j) >= at(i, j + 1))) {
      parts.push({ kind: 'removed', text: a });
      i += 1;
    } else {
      parts.push({ kind: 'added', text: b ?? '' });
      j += 1;
    }
  }
  return joinParts(parts);
}

/** The length of the longest common subsequence of both remainders, by pair of positions. */
function commonLengths(old: readonly string[], now: readonly string[]): Uint32Array {
  const width = now.length + 1;
  const lengths = new Uint32Array((old.length + 1) * width);
  for (let i = old.length - 1; i >= 0; i -= 1) {
    for (let j = now.length - 1; j >= 0; j -= 1) {
      const [down, right] = [lengths[(i + 1) * width + j] ?? 0, lengths[i * width + j + 1] ?? 0];
      const next = (lengths[(i + 1) * width + j + 1] ?? 0) + 1;
      lengths[i * width + j] = old[i] === now[j] ? next : Math.max(down, right);
    }
  }
  return lengths;
}

/** Joins neighbouring parts of one kind. */
function joinParts(parts: readonly Part[]): readonly Part[] {
  const joined: Part[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (part.text === '') continue;
    if (last?.kind !== part.kind) joined.push(part);
    else joined[joined.length - 1] = { kind: last.kind, text: last.text + part.text };
  }
  return joined;
}
