// Character and entity references of XML, with HTML's names (feeds use them undeclared) and what
// the document type declares. A declared entity may not hold another: nothing can explode.
import { decode } from 'html-entities';
import { meantByC1 } from '../../../kernel/text.ts';

export type Entities = ReadonlyMap<string, string>;

const MAX_DECLARED = 500;
const MAX_VALUE = 1_000;
const declaration = /<!ENTITY\s+([\w.:-]{1,60})\s+(?:"([^"]*)"|'([^']*)')\s*>/gi;

/** The entities of a document type's internal subset. */
export function declaredEntities(doctype: string): Entities {
  const entities = new Map<string, string>();
  for (const [, name = '', double, single] of doctype.slice(0, 100_000).matchAll(declaration)) {
    if (entities.size >= MAX_DECLARED) break;
    const value = resolveReferences((double ?? single ?? '').slice(0, MAX_VALUE), new Map());
    entities.set(name, /&[\w.:-]+;/.test(value) ? '' : value);
  }
  return entities;
}

const reference = /&(?:#(x[0-9a-f]{1,6}|\d{1,7});?|([a-z_][\w.:-]{0,60});)/gi;

/** Every reference resolved once; what is no reference stays. */
export function resolveReferences(text: string, entities: Entities): string {
  if (!text.includes('&')) return text;
  return text.replace(reference, (whole, number: string | undefined, name: string | undefined) => {
    if (number !== undefined) return characterOf(number);
    return entities.get(name ?? '') ?? decode(whole, { level: 'html5', scope: 'strict' });
  });
}

function characterOf(number: string): string {
  const code = /^x/i.test(number) ? Number.parseInt(number.slice(1), 16) : Number(number);
  if (code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return '\ufffd';
  return meantByC1(String.fromCodePoint(code));
}
