// Converts HTML to readable plain text. All functions take linear time and never throw, because the
// input is untrusted.
import { decode } from 'html-entities';
import { readTokens, type Token } from './markup.ts';

/** Elements without readable text. Their whole content is removed. */
const invisibleElements = new Set(
  (
    'script style nav noscript template iframe object embed applet svg math canvas audio video ' +
    'head select textarea button form'
  ).split(' '),
);
const rawTextElements = new Set(['script', 'style', 'iframe', 'textarea', 'noscript', 'title']);
const blockElements = new Set(
  (
    'address article aside blockquote body br caption center dd details dialog dir div dl dt ' +
    'fieldset figcaption figure footer h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main ' +
    'menu ol p pre section summary table tbody td tfoot th thead title tr ul'
  ).split(' '),
);
const voidElements = new Set(
  'area base br col embed frame hr img input link meta param source track wbr'.split(' '),
);

/** Windows-1252 characters of the bytes and references 0x80..0x9F, as their authors intended. */
const windows1252 =
  '\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021' +
  '\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f' +
  '\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014' +
  '\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178';

/** Replaces a C1 control by its windows-1252 character (`\x92` is an apostrophe). */
export function decodeC1Controls(text: string): string {
  return text.replace(/[\u0080-\u009f]/g, (char) => windows1252[char.charCodeAt(0) - 0x80] ?? '');
}

/**
 * Unicode's stream-safe format (UAX 15) ends a run of marks after thirty. Normalizing a longer run
 * takes quadratic time.
 */
const markRuns = /\p{M}(?<=\p{M}{31})/gu;

/**
 * Removes control characters (except line breaks and tabs) and lone surrogates, and normalizes to
 * NFC. Controls that reorder visible text (embeddings, overrides, isolates; UAX 9) are removed as
 * well.
 */
export function stripControl(text: string): string {
  return (
    text
      .replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are removed
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufeff\ufffe\uffff]/g, '')
      .replace(/[\u202a-\u202e\u2066-\u2069]/g, '')
      .replace(markRuns, '')
      .toWellFormed()
      .normalize('NFC')
  );
}

/** Trims, and replaces every run of white space by one space. Invisible characters are removed. */
export function foldWhitespace(text: string): string {
  return text
    .replace(/[\u00ad\u200b\u2060\ufeff]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Resolves HTML's named and numeric references once (`&amp;lt;` becomes `&lt;`). */
export function resolveEntities(text: string): string {
  return text.includes('&') ? decode(text, { level: 'html5', scope: 'body' }) : text;
}

/**
 * Converts HTML to plain text in NFC. Tags, scripts, styles and navigation are removed, references
 * are decoded once, and block elements start new lines. White space is folded and empty lines are
 * dropped. Other text is unchanged, including a `<` that starts no tag.
 */
export function plainText(html: string): string {
  let text = '';
  // The current invisible element, and the number of open elements of its name.
  let invisibleElement: { readonly name: string; depth: number } | null = null;
  for (const token of readTokens(html, { rawText: rawTextElements })) {
    if (token.kind === 'open' || token.kind === 'close') {
      const name = token.name.toLowerCase();
      if (invisibleElement !== null) {
        if (name === invisibleElement.name && !isVoidElement(token, name)) {
          invisibleElement.depth += token.kind === 'open' ? 1 : -1;
          if (invisibleElement.depth === 0) invisibleElement = null;
        }
      } else if (token.kind === 'open' && isInvisible(token, name) && !isVoidElement(token, name)) {
        invisibleElement = { name, depth: 1 };
      } else if (blockElements.has(name)) text += '\n';
      continue;
    }
    if (invisibleElement === null) text += textOf(token);
  }
  return stripControl(decodeC1Controls(text))
    .split('\n')
    .map(foldWhitespace)
    .filter((line) => line !== '')
    .join('\n');
}

/** Text that browsers do not show: `hidden`, or hidden by an inline style. */
const hiddenStyle = new RegExp(
  String.raw`(?:^|[;\s])(?:display\s*:\s*none|visibility\s*:\s*hidden|` +
    String.raw`opacity\s*:\s*0?\.?0*(?![.\d])|font-size\s*:\s*0?\.?0*(?:px|pt|em|rem|%)?(?![.\d]))`,
  'i',
);

const MAX_STYLE_CHARACTERS = 1_000;
/** Whether a `style` hides its element. Only the first 1,000 characters are read. */
const isHiddenStyle = (style: string): boolean =>
  hiddenStyle.test(style.slice(0, MAX_STYLE_CHARACTERS));

function isInvisible(token: Extract<Token, { kind: 'open' }>, name: string): boolean {
  if (invisibleElements.has(name)) return true;
  return token.attributes.some(([key, value]) => {
    const attribute = key.toLowerCase();
    if (attribute === 'hidden') return value.toLowerCase() !== 'until-found';
    return attribute === 'style' && isHiddenStyle(value);
  });
}

function isVoidElement(token: Token, name: string): boolean {
  return token.kind === 'open' && (token.isSelfClosing || voidElements.has(name));
}

function textOf(token: Token): string {
  switch (token.kind) {
    case 'text':
      return foldSource(resolveEntities(token.text));
    case 'cdata':
      return token.text;
    case 'cut':
      // An incomplete tag is dropped; `a <b and nothing more` is text.
      return /^<\/?[a-z][\w:-]*(?:\s+[\w:-]+\s*=|\s*\/?$)/i.test(token.text)
        ? ''
        : foldSource(resolveEntities(token.text));
    default:
      return '';
  }
}

/** Line breaks of the source are white space in HTML; only elements break lines. */
function foldSource(text: string): string {
  return text.replace(/[\r\n\t\f]+/g, ' ');
}
