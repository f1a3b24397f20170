// A zod schema as JSON Schema for the OpenAPI documents.
import { z } from 'zod';

/** As input: fields may be added to answers, so nothing is said against further ones. */
export function jsonSchema(schema: z.ZodType): Record<string, unknown> {
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
  });
  return json;
}
