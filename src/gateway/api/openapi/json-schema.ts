// Converts a zod schema to JSON Schema for the OpenAPI documents.
import { z } from 'zod';

/** Every schema is converted as an input schema, which allows the fields of later versions. */
export function jsonSchema(schema: z.ZodType): Record<string, unknown> {
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
  });
  return json;
}
