// Strict queries (feed contract, "Requests"): an undeclared, repeated, badly encoded or
// out-of-bounds parameter makes the request invalid, and the message names the parameter.
import type { z } from 'zod';
import { Fault } from '../../kernel/errors/fault.ts';

/** `raw`: the query without its question mark. `schema`: a strict object of optional strings. */
export function strictQuery<S extends z.ZodObject>(raw: string, schema: S): z.output<S> {
  const values = new Map<string, string>();
  for (const pair of raw.split('&')) {
    if (pair === '') continue;
    const index = pair.indexOf('=');
    const name = decodeValue(index === -1 ? pair : pair.slice(0, index), 'The query');
    const text = printable(name);
    if (!Object.hasOwn(schema.shape, name)) {
      const declaredNames = Object.keys(schema.shape);
      const allowedNames = declaredNames.length === 0 ? 'none' : declaredNames.join(', ');
      throw invalidQuery(`Unknown query parameter "${text}". This address takes: ${allowedNames}.`);
    }
    if (values.has(name)) throw invalidQuery(`The query parameter "${text}" is given twice.`);
    const value = decodeValue(
      index === -1 ? '' : pair.slice(index + 1),
      `The query parameter "${text}"`,
    );
    if (/\p{Cc}/u.test(value)) {
      throw invalidQuery(`The query parameter "${text}" contains a control character.`);
    }
    values.set(name, value);
  }
  const result = schema.safeParse(Object.fromEntries(values));
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw invalidQuery(`The query parameter "${String(issue?.path[0])}" ${issue?.message}.`);
}

function decodeValue(text: string, name: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw invalidQuery(`${name} is not valid percent-encoded UTF-8.`);
  }
}

const printable = (name: string) => name.slice(0, 60).replaceAll(/\p{Cc}/gu, '?');

export const invalidQuery = (message: string) => new Fault('invalid_request', message);
