// HTML as a type of its own. Every inserted value is escaped unless it is HTML already, so
// third-party text cannot become markup.

/** Markup that may stand in a page as it is. */
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

/** `html\`<p>${text}</p>\``. What is absent or false leaves nothing; lists are joined. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  let text = strings[0] ?? '';
  for (const [at, part] of parts.entries()) text += shown(part) + (strings[at + 1] ?? '');
  return new Html(text);
}

/** Markup made elsewhere by us, such as an SVG file of ours: never text that came from outside. */
export const trusted = (markup: string): Html => new Html(markup);

export const nothing = new Html('');

function shown(part: Part): string {
  if (part === null || part === undefined || part === false) return '';
  if (part instanceof Html) return part.text;
  if (typeof part === 'object') return part.map(shown).join('');
  return escapeHtml(String(part));
}

const references: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** For text and for quoted attribute values. Control characters that HTML cannot hold go. */
function escapeHtml(text: string): string {
  return text
    .replace(/[&<>"']/g, (sign) => references[sign] ?? sign)
    .replace(/[^\t\n\r\u{20}-\u{7e}\u{a0}-\u{fdcf}\u{fdf0}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '');
}

/** A link's address when it is a web address; else null: nothing else may be followed. */
export function webAddress(url: string): string | null {
  if (!URL.canParse(url)) return null;
  const { protocol, href } = new URL(url);
  return protocol === 'https:' || protocol === 'http:' ? href : null;
}
