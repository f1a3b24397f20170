// Query parameters that several addresses share. Every problem of a schema is a clause that follows
// the parameter's name.
import { z } from 'zod';
import { parseQuery, type TextQuery } from '../../publication/search/query.ts';
import { invalidQueryFault } from '../strict-query.ts';

export function oneOf<const T extends readonly [string, ...string[]]>(values: T) {
  return z.enum(values, { error: `must be one of ${values.join(', ')}` });
}

export const noParameters = z.strictObject({});

/** The words of the parameter `q`. */
export function readSearchText(text: string): TextQuery {
  const parsed = parseQuery(text);
  if (parsed.kind === 'query') return parsed.query;
  throw invalidQueryFault('The query parameter "q" must have 2 to 200 characters after trimming.');
}
