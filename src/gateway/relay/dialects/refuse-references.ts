// References into the operator's account at the upstream. Unrelated customers share that account,
// so references do not pass. Relay contract, 1.3.
import { Fault } from '../../../kernel/errors/fault.ts';
import { isRecord } from '../is-record.ts';
import type { ModelRequest } from './dialect.ts';
import { isGiven } from './request-fields.ts';

/** The names, also with an escaped character: most requests contain none of them. */
const MAY_REFER = /file_ids?"|"container"|vector_store_ids|item_reference|\\u00/;

/**
 * Throws a Fault `stateless_only` that names the first reference in these members. `refused` are
 * members that must be absent.
 */
export function refuseReferences(
  { body, text }: Pick<ModelRequest, 'body' | 'text'>,
  searched: readonly string[],
  refused: readonly string[] = [],
): void {
  for (const name of refused) if (isGiven(body[name])) throw statelessOnly(name);
  if (!MAY_REFER.test(text)) return;
  for (const name of searched) {
    const found = findReference(body[name], name);
    if (found !== null) throw statelessOnly(found);
  }
}

export const statelessOnly = (param: string) =>
  new Fault(
    'stateless_only',
    `The field "${param}" refers to state at the provider. Send the content itself.`,
    { members: { param } },
  );

const references = new Set(['file_id', 'file_ids', 'container', 'vector_store_ids']);

/** Schemas and arguments of the client's own tools may use any name. */
export const clientObjects: ReadonlySet<string> = new Set([
  ...['parameters', 'input_schema', 'input_examples', 'schema'],
  ...['arguments', 'input'],
]);

/** The path of the first reference; null: there is none. */
function findReference(value: unknown, path: string): string | null {
  if (Array.isArray(value)) {
    for (const [index, element] of value.entries()) {
      const found = findReference(element, `${path}[${index}]`);
      if (found !== null) return found;
    }
    return null;
  }
  if (!isRecord(value)) return null;
  if (value.type === 'item_reference') return path;
  for (const [name, member] of Object.entries(value)) {
    if (clientObjects.has(name)) continue;
    if (references.has(name) && isGiven(member)) return `${path}.${name}`;
    const found = findReference(member, `${path}.${name}`);
    if (found !== null) return found;
  }
  return null;
}
