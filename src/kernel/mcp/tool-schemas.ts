// Schemas of MCP tools. The SDK lists them, and our own code checks the arguments. A mistake is
// reported in the same words as over HTTP, all faulty arguments at once.
import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { formatProblems, problemsOf } from '../errors/describe-issue.ts';
import { Fault } from '../errors/fault.ts';

/** A server is made for every request; conversion takes milliseconds. */
const converted = new WeakMap<z.ZodType, Record<string, unknown>>();

/** Listed as JSON Schema; every value passes. `schema`: a constant, as it is converted once. */
export function listedSchema(
  schema: z.ZodType,
): StandardSchemaWithJSON<Record<string, unknown>, Record<string, unknown>> {
  const json = () => {
    const known = converted.get(schema) ?? jsonSchemaOf(schema);
    converted.set(schema, known);
    return known;
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

/** As input: fields may be added to answers, so further ones are allowed. */
function jsonSchemaOf(schema: z.ZodType): Record<string, unknown> {
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
  });
  return json;
}

/** Throws a Fault `invalid_request` that names every faulty argument. */
export function readArguments<S extends z.ZodObject>(schema: S, given: unknown): z.output<S> {
  const problems = problemsOf(schema, given);
  if (problems.length === 0) return schema.parse(given);
  throw new Fault('invalid_request', formatProblems(problems, 'argument'));
}

/** A message of a handler that reads addresses, in the words of a tool. */
export const inToolWords = (message: string) =>
  message.replaceAll(/\b(?:query|path) parameter\b/gi, 'argument');
