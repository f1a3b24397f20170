// Splits markup (XML or HTML, valid or broken) into tokens in one pass. Each character is read
// once, so the time is linear. Everything that is no markup is text.

export type Token =
  | { readonly kind: 'text' | 'cdata'; readonly text: string }
  | {
      readonly kind: 'open';
      /** As written, including its prefix. */
      readonly name: string;
      /** Names as written, values raw: entities are not resolved. */
      readonly attributes: readonly (readonly [string, string])[];
      readonly isSelfClosing: boolean;
    }
  | { readonly kind: 'close'; readonly name: string }
  | { readonly kind: 'comment' | 'doctype' | 'instruction'; readonly text: string }
  /** The input ends inside a tag. */
  | { readonly kind: 'cut'; readonly text: string };

const nameStart = /[A-Za-z_:\u{80}-\u{10ffff}]/u;
const nameEnd = /[\s/><="']/g;
const space = /\s/;
const attributeNameEnd = /[\s/><=]/g;
const unquotedEnd = /[\s><]/g;

export type MarkupOptions = {
  /** Lower-case names of elements whose content is not markup (HTML's script, style). */
  readonly rawText?: ReadonlySet<string>;
};

class Scanner {
  readonly source: string;
  at = 0;
  isSubsetEndAbsent = false;
  /** Terminators that do not occur in the remaining text, so they are not searched again. */
  readonly #absent = new Set<string>();
  #lessThanAt = -1;

  constructor(source: string) {
    this.source = source;
  }

  /** The next position of `what`, or -1. Misses are cached, because they are final. */
  find(text: string, from: number): number {
    if (this.#absent.has(text)) return -1;
    const index = this.source.indexOf(text, from);
    if (index < 0) this.#absent.add(text);
    return index;
  }

  /** The next `<` at or after `from`; the end of the input when there is none. */
  lessThan(from: number): number {
    if (this.#lessThanAt < from) {
      const index = this.source.indexOf('<', from);
      this.#lessThanAt = index < 0 ? this.source.length : index;
    }
    return this.#lessThanAt;
  }

  /** The first place at or after `from` that a global pattern matches, or the end. */
  until(pattern: RegExp, from: number): number {
    pattern.lastIndex = from;
    return pattern.exec(this.source)?.index ?? this.source.length;
  }
}

/** Every character of the source is in exactly one token, or is part of its punctuation. */
export function* tokens(source: string, options: MarkupOptions = {}): Generator<Token> {
  const scan = new Scanner(source);
  while (scan.at < source.length) {
    const start = scan.lessThan(scan.at);
    if (start > scan.at) yield { kind: 'text', text: source.slice(scan.at, start) };
    scan.at = start;
    if (start >= source.length) return;
    const token = markupAt(scan);
    if (token === null) {
      scan.at = start + 1;
      yield { kind: 'text', text: '<' };
      continue;
    }
    yield token;
    if (token.kind !== 'open' || token.isSelfClosing) continue;
    const name = token.name.toLowerCase();
    if (options.rawText?.has(name)) yield* rawText(scan, name);
  }
}

function* rawText(scan: Scanner, name: string): Generator<Token> {
  // A new pattern per element, because `lastIndex` must not be shared. `</script` in any case ends
  // it.
  const end = scan.until(new RegExp(`</${name}(?=[\\s/>])`, 'gi'), scan.at);
  if (end > scan.at) yield { kind: 'text', text: scan.source.slice(scan.at, end) };
  scan.at = end;
}

/** The token at the `<` of `scan.at`; null when that `<` is text. */
function markupAt(scan: Scanner): Token | null {
  const { source, at: index } = scan;
  const next = source[index + 1] ?? '';
  if (next === '!') return declarationAt(scan);
  if (next === '?') {
    const end = scan.find('>', index + 2);
    if (end < 0) return cutAt(scan);
    scan.at = end + 1;
    return { kind: 'instruction', text: source.slice(index + 2, end) };
  }
  if (next === '/') return closeAt(scan);
  return nameStart.test(next) || isSurrogate(next) ? openAt(scan) : null;
}

function isSurrogate(unit: string): boolean {
  return unit >= '\ud800' && unit <= '\udbff';
}

function cutAt(scan: Scanner): Token {
  const text = scan.source.slice(scan.at);
  scan.at = scan.source.length;
  return { kind: 'cut', text };
}

function declarationAt(scan: Scanner): Token | null {
  const { source, at: index } = scan;
  if (source.startsWith('<!--', index)) return commentAt(scan);
  if (source.startsWith('<![CDATA[', index)) {
    const end = scan.find(']]>', index + 9);
    const stop = end < 0 ? source.length : end;
    scan.at = end < 0 ? stop : end + 3;
    return { kind: 'cdata', text: source.slice(index + 9, stop) };
  }
  if (!/^<!(?:\[|[a-z])/i.test(source.slice(index, index + 3))) return null;
  const end = scan.find('>', index + 2);
  if (end < 0) return cutAt(scan);
  if (!/^<!doctype/i.test(source.slice(index, index + 9))) {
    scan.at = end + 1;
    return { kind: 'comment', text: source.slice(index + 2, end) };
  }
  const subset = source.slice(index, end).indexOf('[');
  const stop = subset < 0 ? end : subsetEnd(scan, index + subset + 1, end);
  scan.at = stop + 1;
  return { kind: 'doctype', text: source.slice(index + 2, stop) };
}

/** The `>` after the internal subset's `]`; the first `>` when the subset has no end. */
function subsetEnd(scan: Scanner, from: number, fallback: number): number {
  if (scan.isSubsetEndAbsent) return fallback;
  const close = /\]\s*>/g;
  const end = scan.until(close, from);
  scan.isSubsetEndAbsent = end >= scan.source.length;
  return scan.isSubsetEndAbsent ? fallback : close.lastIndex - 1;
}

function commentAt(scan: Scanner): Token | null {
  const { source, at: index } = scan;
  // HTML: `<!-->` and `<!--->` are whole comments.
  const short = /^<!--(-?>)/.exec(source.slice(index, index + 6));
  const end = short ? -1 : scan.find('-->', index + 4);
  if (end >= 0) {
    scan.at = end + 3;
    return { kind: 'comment', text: source.slice(index + 4, end) };
  }
  // An unclosed comment ends at the next `>`, so that the rest is still parsed.
  const tagEnd = scan.find('>', index + 4);
  if (tagEnd < 0) return cutAt(scan);
  scan.at = tagEnd + 1;
  return { kind: 'comment', text: source.slice(index + 4, tagEnd) };
}

function closeAt(scan: Scanner): Token | null {
  const { source, at: index } = scan;
  const first = source[index + 2] ?? '';
  if (!nameStart.test(first) && !isSurrogate(first)) return null;
  const nameStop = scan.until(nameEnd, index + 2);
  const name = source.slice(index + 2, nameStop);
  let stop = nameStop;
  // A close tag that lost its `>` ends where the next tag begins.
  while (stop < source.length && source[stop] !== '>' && source[stop] !== '<') stop += 1;
  scan.at = source[stop] === '>' ? stop + 1 : stop;
  return { kind: 'close', name };
}

function openAt(scan: Scanner): Token {
  const { source, at: index } = scan;
  let position = scan.until(nameEnd, index + 1);
  const name = source.slice(index + 1, position);
  const attributes: (readonly [string, string])[] = [];
  let isSelfClosing = false;
  for (;;) {
    while (space.test(source[position] ?? '')) position += 1;
    const char = source[position];
    if (char === undefined) return cutAt(scan);
    if (char === '>') break;
    if (char === '<') return textUpTo(scan, position);
    if (char === '/' || char === '=' || char === '"' || char === "'") {
      isSelfClosing = char === '/' && source[position + 1] === '>';
      position += 1;
      continue;
    }
    const nameStop = scan.until(attributeNameEnd, position);
    const attribute = source.slice(position, nameStop);
    position = nameStop;
    while (space.test(source[position] ?? '')) position += 1;
    if (source[position] !== '=') {
      attributes.push([attribute, '']);
      continue;
    }
    const value = valueAt(scan, position + 1);
    attributes.push([attribute, value.text]);
    position = value.end;
  }
  scan.at = position + 1;
  return { kind: 'open', name, attributes, isSelfClosing };
}

/** A `<` inside a tag: the text before it was no tag (`if a <b then <i>…`). */
function textUpTo(scan: Scanner, end: number): Token {
  const text = scan.source.slice(scan.at, end);
  scan.at = end;
  return { kind: 'text', text };
}

function valueAt(scan: Scanner, from: number): { text: string; end: number } {
  const { source } = scan;
  let start = from;
  while (space.test(source[start] ?? '')) start += 1;
  const quote = source[start];
  if (quote !== '"' && quote !== "'") {
    let end = scan.until(unquotedEnd, start);
    if (source[end] === '>' && source[end - 1] === '/' && end - 1 > start) end -= 1;
    // `href=http://…">`: an unpaired quote is not part of the value.
    return { text: source.slice(start, end).replace(/["']$/, ''), end };
  }
  const close = scan.find(quote, start + 1);
  const isEnclosed = close >= 0 && /^(?:[\s/>?]|$)/.test(source[close + 1] ?? '');
  if (close >= 0 && (isEnclosed || scan.lessThan(start + 1) > close)) {
    return { text: source.slice(start + 1, close), end: close + 1 };
  }
  // The closing quote is missing: the value ends with the tag.
  const end = scan.until(unquotedEnd, start + 1);
  return { text: source.slice(start + 1, end), end };
}
