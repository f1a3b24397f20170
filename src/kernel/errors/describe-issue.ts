// Describes validation issues for API clients: the field, and what to write instead.
import type { z } from 'zod';

type Issue = z.core.$ZodRawIssue | z.core.$ZodIssue;

export type FieldProblem = {
  /** The path of the field: `params.limit`, `image_urls[0]`; empty for the whole value. */
  readonly field: string;
  /** Continues a sentence that begins with the field: `is required`. */
  readonly message: string;
};

const MAX_SHOWN_CHARACTERS = 60;
const UNKNOWN_FIELD = 'is not known here';
/** A response names at most this number of problems. */
export const MAX_PROBLEMS = 20;
const shortenText = (text: string) =>
  text.slice(0, MAX_SHOWN_CHARACTERS).replaceAll(/\p{Cc}/gu, '?');

/** Checks a value against a schema and returns one problem per field; empty: the value is valid. */
export function problemsOf(schema: z.ZodType, value: unknown): readonly FieldProblem[] {
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return [];
  const problems = result.error.issues.flatMap(describeIssue);
  const allProblems = [
    ...problems,
    ...(hasNoMatchingKind(result.error.issues) ? sharedProblems(schema, value) : []),
  ];
  // A Map keeps the last problem of each field. The first problem counts, so the list is reversed.
  return [
    ...new Map(allProblems.toReversed().map((problem) => [problem.field, problem])).values(),
  ].toReversed();
}

/** Returns one problem, or one problem for each of the first unknown fields. */
function describeIssue(issue: Issue): readonly FieldProblem[] {
  const path = issue.path ?? [];
  if (issue.code === 'unrecognized_keys') {
    // A body of 256 KiB can have 20,000 unknown fields. To compare them all would take seconds.
    return issue.keys.slice(0, MAX_PROBLEMS).map((key) => ({
      field: nameOf([...path, key]),
      message: UNKNOWN_FIELD,
    }));
  }
  return [{ field: nameOf(path), message: messageFor(issue) }];
}

/** All problems as one text. `fieldKind`: `field`, `argument` or `query parameter`. */
export function formatProblems(problems: readonly FieldProblem[], fieldKind: string): string {
  return problems
    .map(({ field, message }) => {
      if (field === '') return `The ${containerNames[fieldKind] ?? 'query'} ${message}.`;
      if (message === UNKNOWN_FIELD) return `Unknown ${fieldKind}: "${field}".`;
      return `The ${fieldKind} "${field}" ${message}.`;
    })
    .join(' ');
}

const containerNames: Readonly<Record<string, string>> = {
  field: 'body',
  argument: 'object of arguments',
};

export function nameOf(path: readonly PropertyKey[]): string {
  return path
    .map((part, index) => {
      if (typeof part === 'number') return `[${part}]`;
      return index === 0 ? shortenText(String(part)) : `.${shortenText(String(part))}`;
    })
    .join('');
}

/**
 * Continues a sentence that begins with the field. The issue needs its input: `reportInput` of the
 * validator.
 */
export function messageFor(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return 'is required';
      return `must be ${typeTexts[issue.expected] ?? issue.expected}`;
    case 'too_small':
      return boundMessage(issue.origin, Number(issue.minimum), 'least');
    case 'too_big':
      return boundMessage(issue.origin, Number(issue.maximum), 'most');
    case 'invalid_value':
      if (issue.input === undefined) return 'is required';
      return formatChoices(issue.values.map(String));
    case 'invalid_format':
      return ownMessage(issue) ?? formatTexts[issue.format] ?? removePeriod(issue.message);
    case 'invalid_union':
      return ownMessage(issue) ?? 'does not have an accepted form';
    default:
      return ownMessage(issue) ?? 'does not have the expected form';
  }
}

const formatChoices = (values: readonly string[]) =>
  `must be ${values.length > 1 ? 'one of ' : ''}${values.join(', ')}`;

const typeTexts: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'a list',
};

const formatTexts: Readonly<Record<string, string>> = {
  url: 'must be an absolute http or https address',
};

function boundMessage(origin: string, bound: number, limit: 'least' | 'most'): string {
  if (origin === 'string') {
    if (limit === 'least' && bound === 1) return 'must not be empty';
    return `must have at ${limit} ${bound} characters`;
  }
  if (origin === 'array') return `must have at ${limit} ${bound} entr${bound === 1 ? 'y' : 'ies'}`;
  return `must be at ${limit} ${bound}`;
}

/** The message of a schema in this program; messages of the validator begin with `Invalid`. */
function ownMessage({ message }: Issue): string | null {
  return message === undefined || message.startsWith('Invalid') ? null : removePeriod(message);
}

const removePeriod = (message: string | undefined) =>
  (message ?? 'is not valid').replace(/\.$/, '');

/** When the value's kind matches no option of a union, the validator lists no errors by option. */
const hasNoMatchingKind = (issues: readonly Issue[]) =>
  issues.some((issue) => issue.code === 'invalid_union' && issue.errors.length === 0);

/** The problems that a value of unknown kind has with every option of a union. */
function sharedProblems(schema: z.ZodType, value: unknown): readonly FieldProblem[] {
  const { options } = schema as { readonly options?: readonly z.ZodType[] };
  const [firstProblems, ...otherProblems] = (options ?? []).map((option) =>
    problemsOf(option, value),
  );
  return (firstProblems ?? []).filter(({ field }) =>
    otherProblems.every((problems) => problems.some((problem) => problem.field === field)),
  );
}
