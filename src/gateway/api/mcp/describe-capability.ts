// Description of one capability for agents, from its validation schemas.
import { z } from 'zod';
import type { Capability } from '../../capabilities/capability.ts';
import { dataOf } from '../openapi/data.ts';

export function describeCapability(capability: Capability): object {
  const { id, name, method, path, key, input, isAsync } = capability;
  return {
    id,
    name,
    endpoint: `${method} ${path}`,
    key,
    answers_with: isAsync ? 'job' : 'data',
    input: schemaOf(input),
    data: schemaOf(dataOf(id)),
  };
}

function schemaOf(schema: z.ZodType): object {
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
  });
  return json;
}
