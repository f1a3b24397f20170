// Parses the query parameters of a request. Each may occur once, must be valid percent-encoding,
// and must be known to the endpoint.
import { z } from 'zod';
import { Fault } from '../../kernel/errors/fault.ts';
import { validate } from '../calls/read-request.ts';

/** The parameters as strings. Throws a Fault for repeated and for undecodable parameters. */
export function queryValues(raw: string): Record<string, string> {
  const values = new Map<string, string>();
  for (const pair of raw.split('&').filter((text) => text !== '')) {
    const index = pair.indexOf('=');
    const name = decode(index === -1 ? pair : pair.slice(0, index));
    if (values.has(name))
      throw invalidQueryFault(`The query parameter "${printableName(name)}" is given twice.`);
    const value = decode(index === -1 ? '' : pair.slice(index + 1));
    if (/\p{Cc}/u.test(value)) {
      throw invalidQueryFault(
        `The query parameter "${printableName(name)}" contains a control character.`,
      );
    }
    values.set(name, value);
  }
  return Object.fromEntries(values);
}

export function readQuery<S extends z.ZodType>(raw: string, schema: S): z.output<S> {
  return validate(schema, queryValues(raw), { fieldNoun: 'query parameter' });
}

export const noParameters = z.strictObject({});

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw invalidQueryFault('The query is not valid percent-encoded UTF-8.');
  }
}

const printableName = (name: string) => name.slice(0, 60).replaceAll(/\p{Cc}/gu, '?');
const invalidQueryFault = (message: string) => new Fault('invalid_request', message);
