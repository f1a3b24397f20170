// Strict queries (feed contract, "Requests"): an undeclared, repeated, badly encoded or
// out-of-bounds parameter makes the request invalid, and the message names the parameter.
import type { z } from 'zod';
import { Fault } from '../../kernel/errors/fault.ts';

/** Maximum number of problems that a message states. */
const PROBLEMS_MAX = 5;

/**
 * `raw`: the query without its question mark. `schema`: a strict object of optional strings. The
 * message of the fault states every problem.
 */
export function readStrictQuery<S extends z.ZodObject>(raw: string, schema: S): z.output<S> {
  const values = new Map<string, string>();
  const problems: string[] = [];
  let hasUnknownName = false;
  for (const pair of raw.split('&')) {
    if (pair === '') continue;
    const index = pair.indexOf('=');
    const name = decodeValue(index === -1 ? pair : pair.slice(0, index), 'The query');
    const text = toPrintable(name);
    if (!Object.hasOwn(schema.shape, name)) {
      problems.push(`Unknown query parameter "${text}".`);
      hasUnknownName = true;
      continue;
    }
    if (values.has(name)) {
      problems.push(`The query parameter "${text}" is given twice.`);
      continue;
    }
    const value = decodeValue(
      index === -1 ? '' : pair.slice(index + 1),
      `The query parameter "${text}"`,
    );
    if (/\p{Cc}/u.test(value)) {
      problems.push(`The query parameter "${text}" contains a control character.`);
    }
    values.set(name, value);
  }
  const result = schema.safeParse(Object.fromEntries(values));
  if (result.success && problems.length === 0) return result.data;
  const issues = Map.groupBy(result.error?.issues ?? [], ({ path }) => String(path[0]));
  for (const [name, [issue]] of issues) {
    problems.push(`The query parameter "${name}" ${issue?.message}.`);
  }
  const names = Object.keys(schema.shape).join(', ') || 'none';
  const statedProblems = [...new Set(problems)].slice(0, PROBLEMS_MAX);
  if (hasUnknownName) statedProblems.push(`This address takes: ${names}.`);
  throw invalidQueryFault(statedProblems.join(' '));
}

function decodeValue(text: string, name: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw invalidQueryFault(`${name} is not valid percent-encoded UTF-8.`);
  }
}

const toPrintable = (name: string) => name.slice(0, 60).replaceAll(/\p{Cc}/gu, '?');

export const invalidQueryFault = (message: string) => new Fault('invalid_request', message);
