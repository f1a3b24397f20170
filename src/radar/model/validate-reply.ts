// A model's words against what was wanted: JSON, the shape, the guard rail. What is wrong is said
// in words that its one repair attempt can use.
import type { Question } from '../../kernel/ports/model.ts';
import { readJson } from './parse-json-reply.ts';

export type ReadValue<T> =
  | { readonly kind: 'value'; readonly value: T }
  | { readonly kind: 'wrong'; readonly problem: string }
  /** It said that it will not; asking again would only cost. */
  | { readonly kind: 'declined'; readonly problem: string };

/** As `finish` of an answer that its server marked as a refusal. */
export const DECLINED = 'refusal';

const mostProblems = 5;

export function readValue<T>(
  { shape, check }: Pick<Question<T>, 'shape' | 'check'>,
  { answer, finish }: { readonly answer: string; readonly finish: string | null },
): ReadValue<T> {
  if (finish === DECLINED || finish === 'content_filter') {
    return { kind: 'declined', problem: 'the model declines to answer' };
  }
  const wrong = (problem: string): ReadValue<T> => ({ kind: 'wrong', problem });
  const json = readJson(answer);
  const isCut = finish === 'length';
  if (json.kind === 'wrong') {
    return wrong(isCut ? 'it was cut off before its end: be much briefer' : json.what);
  }
  const read = shape.safeParse(json.value);
  if (!read.success) {
    const issues = read.error.issues.slice(0, mostProblems).map(({ path, message }) => {
      return path.length === 0 ? message : `${path.join('.')}: ${message}`;
    });
    return wrong(issues.join('; ').slice(0, 1_000));
  }
  const problem = check?.(read.data) ?? null;
  return problem === null ? { kind: 'value', value: read.data } : wrong(problem.slice(0, 1_000));
}
