// Describes one capability for agents, from its validation schemas.
import type { Capability } from '../../capabilities/capability.ts';
import { dataOf } from '../openapi/data.ts';
import { jsonSchema } from '../openapi/json-schema.ts';

export function describeCapability(capability: Capability): object {
  const { id, name, method, path, key, input, isAsync } = capability;
  return {
    id,
    name,
    endpoint: `${method} ${path}`,
    key,
    answers_with: isAsync ? 'job' : 'data',
    input: jsonSchema(input),
    data: jsonSchema(dataOf(id)),
  };
}
