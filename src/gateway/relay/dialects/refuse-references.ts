// Refuses requests that refer to objects in the operator's account at the upstream, because
// unrelated customers share that account. Relay contract, 1.3.
import { Fault } from '../../../kernel/errors/fault.ts';
import { isRecord } from '../is-record.ts';
import type { ModelRequest } from './dialect.ts';
import { isPresent } from './request-fields.ts';

/**
 * Matches the names of references, and escapes that a name can contain. Most requests contain no
 * match and need no search.
 */
const REFERENCE_NAMES = /file_ids?"|"container"|vector_store_ids|item_reference|\\u00/;

/**
 * Throws a Fault `stateless_only` that names the first reference in the searched members. Throws
 * also when one of the refused members is present.
 */
export function refuseReferences(
  { body, text }: Pick<ModelRequest, 'body' | 'text'>,
  searchedMembers: readonly string[],
  refusedMembers: readonly string[] = [],
): void {
  for (const name of refusedMembers) if (isPresent(body[name])) throw statelessOnlyFault(name);
  if (!REFERENCE_NAMES.test(text)) return;
  for (const name of searchedMembers) {
    const path = findReference(body[name]);
    if (path !== null) throw statelessOnlyFault(name + path);
  }
}

export const statelessOnlyFault = (param: string) =>
  new Fault(
    'stateless_only',
    `The field "${param}" refers to state at the provider. Send the content itself.`,
    { members: { param } },
  );

const referenceNames = new Set(['file_id', 'file_ids', 'container', 'vector_store_ids']);

/** Schemas and arguments of the client's own tools may use any name. */
export const clientObjects: ReadonlySet<string> = new Set([
  ...['parameters', 'input_schema', 'input_examples', 'schema'],
  ...['arguments', 'input'],
]);

/**
 * Returns the path of the first reference below the value; null: the value contains no reference.
 * Only the path of a reference becomes text, because a body has up to 500,000 values.
 */
function findReference(value: unknown): string | null {
  if (Array.isArray(value)) {
    for (const [index, element] of value.entries()) {
      const path = findReference(element);
      if (path !== null) return `[${index}]${path}`;
    }
    return null;
  }
  if (!isRecord(value)) return null;
  if (value.type === 'item_reference') return '';
  for (const name in value) {
    if (clientObjects.has(name)) continue;
    const member = value[name];
    if (referenceNames.has(name) && isPresent(member)) return `.${name}`;
    const path = findReference(member);
    if (path !== null) return `.${name}${path}`;
  }
  return null;
}
