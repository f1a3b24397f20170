// Parses query parameters of the gateway. Each may occur once, must be well encoded, and must be
// known to the endpoint.
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

/** Like `wholeNumberWithin`, with a default when the parameter is absent. */
export const wholeNumber = (min: number, max: number, defaultValue: number) =>
  wholeNumberWithin(min, max).default(defaultValue);

/** Parses a whole number in decimal digits within bounds. */
export function wholeNumberWithin(min: number, max: number) {
  const message = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^(0|[1-9]\d{0,5})$/, message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, message)
    .meta({ type: 'integer', minimum: min, maximum: max });
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw invalidQueryFault('The query is not valid percent-encoded UTF-8.');
  }
}

const printableName = (name: string) => name.slice(0, 60).replaceAll(/\p{Cc}/gu, '?');
const invalidQueryFault = (message: string) => new Fault('invalid_request', message);
