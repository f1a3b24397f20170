// HTML as a type of its own. Every inserted value is escaped unless it is HTML already, so
// third-party text cannot become markup.

/** Markup that a page can contain without escaping. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }
}

export type Part = string | number | Html | null | undefined | false | readonly Part[];

/** `html\`<p>${text}</p>\``. Absent and false values produce nothing; lists are joined. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  let text = strings[0] ?? '';
  for (const [index, part] of parts.entries())
    text += renderPart(part) + (strings[index + 1] ?? '');
  return new Html(text);
}

/**
 * Marks markup of this program as safe, such as its own SVG files; never use it for external text.
 */
export const trusted = (markup: string): Html => new Html(markup);

export const nothing = new Html('');

function renderPart(part: Part): string {
  if (part === null || part === undefined || part === false) return '';
  if (part instanceof Html) return part.text;
  if (typeof part === 'object') return part.map(renderPart).join('');
  return escapeHtml(String(part));
}

const references: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/**
 * Escapes text and quoted attribute values, and removes control characters that HTML cannot
 * contain.
 */
function escapeHtml(text: string): string {
  return text
    .replace(/[&<>"']/g, (character) => references[character] ?? character)
    .replace(/[^\t\n\r\u{20}-\u{7e}\u{a0}-\u{fdcf}\u{fdf0}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '');
}

/**
 * The URL when it is http or https; otherwise null, because other schemes must not become links.
 */
export function webAddress(url: string): string | null {
  if (!URL.canParse(url)) return null;
  const { protocol, href } = new URL(url);
  return protocol === 'https:' || protocol === 'http:' ? href : null;
}
