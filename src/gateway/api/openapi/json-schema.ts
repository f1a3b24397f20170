// A zod schema as JSON Schema for the OpenAPI documents.
import { z } from 'zod';

/** Converted as input schemas, which allow further fields, because responses may gain fields. */
export function jsonSchema(schema: z.ZodType): Record<string, unknown> {
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
  });
  return json;
}
