// Splits markup (XML or HTML, valid or broken) into tokens in one pass. Each character is read
// once, so the time is linear. Input that is no markup becomes text tokens.

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

const CDATA_START = '<![CDATA[';
const nameStart = /[A-Za-z_:\u{80}-\u{10ffff}]/u;
const nameEnd = /[\s/><="']/g;
const whiteSpace = /\s/;
const attributeNameEnd = /[\s/><=]/g;
const unquotedEnd = /[\s><]/g;

export type MarkupOptions = {
  /** Lower-case names of elements whose content is not markup (HTML's script, style). */
  readonly rawText?: ReadonlySet<string>;
};

class Scanner {
  readonly source: string;
  position = 0;
  isSubsetEndAbsent = false;
  /** Terminators that do not occur in the remaining text, so they are not searched again. */
  readonly #absentTerminators = new Set<string>();
  #lessThanAt = -1;

  constructor(source: string) {
    this.source = source;
  }

  /**
   * The next position of `text`, or -1. A miss is cached, because it also holds for later
   * positions.
   */
  find(text: string, from: number): number {
    if (this.#absentTerminators.has(text)) return -1;
    const index = this.source.indexOf(text, from);
    if (index < 0) this.#absentTerminators.add(text);
    return index;
  }

  /** The next `<` at or after `from`; the end of the input when there is none. */
  findLessThan(from: number): number {
    if (this.#lessThanAt < from) {
      const index = this.source.indexOf('<', from);
      this.#lessThanAt = index < 0 ? this.source.length : index;
    }
    return this.#lessThanAt;
  }

  /** The first place at or after `from` that a global pattern matches, or the end. */
  findPattern(pattern: RegExp, from: number): number {
    pattern.lastIndex = from;
    return pattern.exec(this.source)?.index ?? this.source.length;
  }
}

/** Every character of the source belongs to exactly one token. */
export function* readTokens(source: string, options: MarkupOptions = {}): Generator<Token> {
  const scanner = new Scanner(source);
  while (scanner.position < source.length) {
    const start = scanner.findLessThan(scanner.position);
    if (start > scanner.position)
      yield { kind: 'text', text: source.slice(scanner.position, start) };
    scanner.position = start;
    if (start >= source.length) return;
    const token = readMarkup(scanner);
    if (token === null) {
      scanner.position = start + 1;
      yield { kind: 'text', text: '<' };
      continue;
    }
    yield token;
    if (token.kind !== 'open' || token.isSelfClosing) continue;
    const name = token.name.toLowerCase();
    if (options.rawText?.has(name)) yield* readRawText(scanner, name);
  }
}

function* readRawText(scanner: Scanner, name: string): Generator<Token> {
  // A new pattern per element, because `lastIndex` must not be shared. The pattern ignores case, so
  // `</SCRIPT` also ends the element.
  const end = scanner.findPattern(new RegExp(`</${name}(?=[\\s/>])`, 'gi'), scanner.position);
  if (end > scanner.position)
    yield { kind: 'text', text: scanner.source.slice(scanner.position, end) };
  scanner.position = end;
}

/** The token at the `<` of `scanner.position`; null when that `<` is text. */
function readMarkup(scanner: Scanner): Token | null {
  const { source, position: index } = scanner;
  const next = source[index + 1] ?? '';
  if (next === '!') return readDeclaration(scanner);
  if (next === '?') {
    const end = scanner.find('>', index + 2);
    if (end < 0) return readUnclosed(scanner);
    scanner.position = end + 1;
    return { kind: 'instruction', text: source.slice(index + 2, end) };
  }
  if (next === '/') return readCloseTag(scanner);
  return nameStart.test(next) || isHighSurrogate(next) ? readOpenTag(scanner) : null;
}

function isHighSurrogate(unit: string): boolean {
  return unit >= '\ud800' && unit <= '\udbff';
}

function readUnclosed(scanner: Scanner): Token {
  const text = scanner.source.slice(scanner.position);
  scanner.position = scanner.source.length;
  return { kind: 'cut', text };
}

function readDeclaration(scanner: Scanner): Token | null {
  const { source, position: index } = scanner;
  if (source.startsWith('<!--', index)) return readComment(scanner);
  if (source.startsWith(CDATA_START, index)) {
    const start = index + CDATA_START.length;
    const end = scanner.find(']]>', start);
    const stop = end < 0 ? source.length : end;
    scanner.position = end < 0 ? stop : end + 3;
    return { kind: 'cdata', text: source.slice(start, stop) };
  }
  if (!/^<!(?:\[|[a-z])/i.test(source.slice(index, index + 3))) return null;
  const end = scanner.find('>', index + 2);
  if (end < 0) return readUnclosed(scanner);
  if (!/^<!doctype/i.test(source.slice(index, index + 9))) {
    scanner.position = end + 1;
    return { kind: 'comment', text: source.slice(index + 2, end) };
  }
  const subset = source.slice(index, end).indexOf('[');
  const stop = subset < 0 ? end : findSubsetEnd(scanner, index + subset + 1, end);
  scanner.position = stop + 1;
  return { kind: 'doctype', text: source.slice(index + 2, stop) };
}

/** The `>` after the internal subset's `]`; the first `>` when the subset has no end. */
function findSubsetEnd(scanner: Scanner, from: number, fallback: number): number {
  if (scanner.isSubsetEndAbsent) return fallback;
  const close = /\]\s*>/g;
  const end = scanner.findPattern(close, from);
  scanner.isSubsetEndAbsent = end >= scanner.source.length;
  return scanner.isSubsetEndAbsent ? fallback : close.lastIndex - 1;
}

function readComment(scanner: Scanner): Token | null {
  const { source, position: index } = scanner;
  // HTML: `<!-->` and `<!--->` are whole comments.
  const shortComment = /^<!--(-?>)/.exec(source.slice(index, index + 6));
  const end = shortComment ? -1 : scanner.find('-->', index + 4);
  if (end >= 0) {
    scanner.position = end + 3;
    return { kind: 'comment', text: source.slice(index + 4, end) };
  }
  // An unclosed comment ends at the next `>`, so that the following text is still parsed.
  const tagEnd = scanner.find('>', index + 4);
  if (tagEnd < 0) return readUnclosed(scanner);
  scanner.position = tagEnd + 1;
  return { kind: 'comment', text: source.slice(index + 4, tagEnd) };
}

function readCloseTag(scanner: Scanner): Token | null {
  const { source, position: index } = scanner;
  const first = source[index + 2] ?? '';
  if (!nameStart.test(first) && !isHighSurrogate(first)) return null;
  const nameStop = scanner.findPattern(nameEnd, index + 2);
  const name = source.slice(index + 2, nameStop);
  let stop = nameStop;
  // A close tag without `>` ends where the next tag begins.
  while (stop < source.length && source[stop] !== '>' && source[stop] !== '<') stop += 1;
  scanner.position = source[stop] === '>' ? stop + 1 : stop;
  return { kind: 'close', name };
}

function readOpenTag(scanner: Scanner): Token {
  const { source, position: index } = scanner;
  let position = scanner.findPattern(nameEnd, index + 1);
  const name = source.slice(index + 1, position);
  const attributes: (readonly [string, string])[] = [];
  let isSelfClosing = false;
  for (;;) {
    while (whiteSpace.test(source[position] ?? '')) position += 1;
    const char = source[position];
    if (char === undefined) return readUnclosed(scanner);
    if (char === '>') break;
    if (char === '<') return readTextUntil(scanner, position);
    const isStray = `/="'`.includes(char);
    if (isStray) {
      isSelfClosing = char === '/' && source[position + 1] === '>';
      position += 1;
      continue;
    }
    const nameStop = scanner.findPattern(attributeNameEnd, position);
    const attribute = source.slice(position, nameStop);
    position = nameStop;
    while (whiteSpace.test(source[position] ?? '')) position += 1;
    if (source[position] !== '=') {
      attributes.push([attribute, '']);
      continue;
    }
    const value = readValue(scanner, position + 1);
    attributes.push([attribute, value.text]);
    position = value.end;
  }
  scanner.position = position + 1;
  return { kind: 'open', name, attributes, isSelfClosing };
}

/** A second `<` inside a tag means that the preceding text was not a tag (`if a <b then <i>…`). */
function readTextUntil(scanner: Scanner, end: number): Token {
  const text = scanner.source.slice(scanner.position, end);
  scanner.position = end;
  return { kind: 'text', text };
}

function readValue(scanner: Scanner, from: number): { text: string; end: number } {
  const { source } = scanner;
  let start = from;
  while (whiteSpace.test(source[start] ?? '')) start += 1;
  const quote = source[start];
  if (quote !== '"' && quote !== "'") {
    let end = scanner.findPattern(unquotedEnd, start);
    if (source[end] === '>' && source[end - 1] === '/' && end - 1 > start) end -= 1;
    // `href=http://…">`: an unpaired quote is not part of the value.
    return { text: source.slice(start, end).replace(/["']$/, ''), end };
  }
  const close = scanner.find(quote, start + 1);
  // The quote closes the value when a delimiter follows it, or when no tag begins before it.
  const isEnclosed = close >= 0 && /^(?:[\s/>?]|$)/.test(source[close + 1] ?? '');
  if (close >= 0 && (isEnclosed || scanner.findLessThan(start + 1) > close)) {
    return { text: source.slice(start + 1, close), end: close + 1 };
  }
  // The closing quote is missing: the value ends with the tag.
  const end = scanner.findPattern(unquotedEnd, start + 1);
  return { text: source.slice(start + 1, end), end };
}
