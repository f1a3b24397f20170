// Resolves character and entity references of XML, HTML's entity names, and entities of the
// document type. Declared entities do not nest, and their total expansion is bounded, which
// prevents entity bombs.
import { decode } from 'html-entities';
import { decodeC1Controls } from '../../../../kernel/text/text.ts';

/** Maximum number of declared entities. */
const MAX_DECLARED = 500;

/** Maximum length of a declared entity's value, in characters. The rest is cut off. */
const MAX_VALUE = 1_000;

/** Maximum total expansion of one document's declared entities, in characters. */
const MAX_EXPANSION = 1_000_000;

const declaration = /<!ENTITY\s{1,20}([\w.:-]{1,60})\s{1,20}(?:"([^"]*)"|'([^']*)')\s{0,20}>/gi;
const reference = /&(?:#(x[0-9a-f]{1,6}|\d{1,7});?|([a-z_][\w.:-]{0,60});)/gi;

/** The references of one document. */
export class Entities {
  readonly #declared = new Map<string, string>();
  #remainingExpansion = MAX_EXPANSION;

  /** Declares a document type's entities. An entity that refers to another one becomes empty. */
  declare(doctype: string): void {
    for (const [, name = '', doubleQuoted, singleQuoted] of doctype
      .slice(0, 100_000)
      .matchAll(declaration)) {
      if (this.#declared.size >= MAX_DECLARED) return;
      const value = new Entities().resolve(
        (doubleQuoted ?? singleQuoted ?? '').slice(0, MAX_VALUE),
      );
      this.#declared.set(name, /&[\w.:-]+;/.test(value) ? '' : value);
    }
  }

  /** Resolves each reference once; other text stays unchanged. */
  resolve(text: string): string {
    if (!text.includes('&')) return text;
    return text.replace(reference, (match, number?: string, name?: string) => {
      if (number !== undefined) return characterOf(number);
      const value = this.#declared.get(name ?? '');
      if (value === undefined) return decode(match, { level: 'html5', scope: 'strict' });
      this.#remainingExpansion -= value.length;
      return this.#remainingExpansion >= 0 ? value : '';
    });
  }
}

function characterOf(number: string): string {
  const code = /^x/i.test(number) ? Number.parseInt(number.slice(1), 16) : Number(number);
  if (code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return '\ufffd';
  return decodeC1Controls(String.fromCodePoint(code));
}
