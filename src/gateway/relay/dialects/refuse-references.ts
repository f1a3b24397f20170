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
    const referencePath = findReference(body[name], name);
    if (referencePath !== null) throw statelessOnlyFault(referencePath);
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

/** Returns the path of the first reference; null: the value contains no reference. */
function findReference(value: unknown, path: string): string | null {
  if (Array.isArray(value)) {
    for (const [index, element] of value.entries()) {
      const referencePath = findReference(element, `${path}[${index}]`);
      if (referencePath !== null) return referencePath;
    }
    return null;
  }
  if (!isRecord(value)) return null;
  if (value.type === 'item_reference') return path;
  for (const [name, member] of Object.entries(value)) {
    if (clientObjects.has(name)) continue;
    if (referenceNames.has(name) && isPresent(member)) return `${path}.${name}`;
    const referencePath = findReference(member, `${path}.${name}`);
    if (referencePath !== null) return referencePath;
  }
  return null;
}
