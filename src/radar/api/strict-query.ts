// Strict queries (feed contract, "Requests"): a parameter that is undeclared, repeated, badly
// encoded or out of bounds is an invalid request that names it.
import type { z } from 'zod';
import { Fault } from '../../kernel/errors/fault.ts';

/** `raw`: the query without its question mark. `schema`: a strict object of optional strings. */
export function strictQuery<S extends z.ZodObject>(raw: string, schema: S): z.output<S> {
  const values = new Map<string, string>();
  for (const pair of raw.split('&')) {
    if (pair === '') continue;
    const index = pair.indexOf('=');
    const name = decode(index === -1 ? pair : pair.slice(0, index), 'The query');
    const text = printable(name);
    if (!Object.hasOwn(schema.shape, name)) {
      const declared = Object.keys(schema.shape);
      const allowedNames = declared.length === 0 ? 'none' : declared.join(', ');
      throw invalid(`Unknown query parameter "${text}". This address takes: ${allowedNames}.`);
    }
    if (values.has(name)) throw invalid(`The query parameter "${text}" is given twice.`);
    const value = decode(
      index === -1 ? '' : pair.slice(index + 1),
      `The query parameter "${text}"`,
    );
    if (/\p{Cc}/u.test(value)) {
      throw invalid(`The query parameter "${text}" contains a control character.`);
    }
    values.set(name, value);
  }
  const result = schema.safeParse(Object.fromEntries(values));
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw invalid(`The query parameter "${String(issue?.path[0])}" ${issue?.message}.`);
}

function decode(text: string, name: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw invalid(`${name} is not valid percent-encoded UTF-8.`);
  }
}

const printable = (name: string) => name.slice(0, 60).replaceAll(/\p{Cc}/gu, '?');

export const invalid = (message: string) => new Fault('invalid_request', message);
