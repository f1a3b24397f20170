// Prepares schemas of MCP tools. The SDK lists the schemas, and this program checks the arguments.
// All faulty arguments are reported at once, with the messages of the HTTP API.
import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { type FieldProblem, formatProblems, problemsOf } from '../errors/describe-issue.ts';
import { Fault } from '../errors/fault.ts';

/** Kept, because a conversion takes milliseconds and every request creates a server. */
const convertedSchemas = new WeakMap<z.ZodType, Record<string, unknown>>();

/**
 * Returns a schema that is listed as JSON Schema and accepts every value. `schema` is a constant,
 * so it is converted once.
 */
export function toListedSchema(
  schema: z.ZodType,
): StandardSchemaWithJSON<Record<string, unknown>, Record<string, unknown>> {
  const json = () => {
    const cachedSchema = convertedSchemas.get(schema) ?? jsonSchemaOf(schema);
    convertedSchemas.set(schema, cachedSchema);
    return cachedSchema;
  };
  return {
    '~standard': {
      version: 1,
      vendor: 'content-radar',
      validate: (value) => ({ value: (value ?? {}) as Record<string, unknown> }),
      jsonSchema: { input: json, output: json },
    },
  };
}

/** Converts output schemas as input schemas too, which allow the fields of later versions. */
function jsonSchemaOf(schema: z.ZodType): Record<string, unknown> {
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
  });
  return json;
}

/** Throws a Fault `invalid_request` that names every faulty argument. */
export function readArguments<S extends z.ZodObject>(schema: S, values: unknown): z.output<S> {
  const problems = problemsOf(schema, values);
  if (problems.length === 0) return schema.parse(values);
  const names = Object.keys(schema.shape);
  const isUnknown = ({ field }: FieldProblem) =>
    field !== '' && !names.includes(field.split(/[.[]/, 1)[0] ?? '');
  const hint = problems.some(isUnknown) ? ` This tool takes: ${names.join(', ') || 'none'}.` : '';
  throw new Fault('invalid_request', `${formatProblems(problems, 'argument')}${hint}`);
}

/** Rewrites a message about query parameters as a message about tool arguments. */
export const rewordForTools = (message: string) =>
  message.replaceAll(/\b(?:query|path) parameter\b/gi, 'argument');
