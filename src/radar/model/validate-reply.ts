// Validates a reply: its JSON, its schema, then the caller's check. Problems are described in words
// for the single repair request.
import type { ModelTask } from '../../kernel/ports/model.ts';
import { parseJsonReply } from './parse-json-reply.ts';

export type ValidationResult<T> =
  | { readonly kind: 'value'; readonly value: T }
  | { readonly kind: 'wrong'; readonly problem: string }
  /** The model declined. Another request would only add cost. */
  | { readonly kind: 'declined'; readonly problem: string };

/** The `finish` value of a reply that the server marked as a refusal. */
export const DECLINED = 'refusal';

const maxProblems = 5;

export function validateReply<T>(
  { shape, check }: Pick<ModelTask<T>, 'shape' | 'check'>,
  { content, finish }: { readonly content: string; readonly finish: string | null },
): ValidationResult<T> {
  if (finish === DECLINED || finish === 'content_filter') {
    return { kind: 'declined', problem: 'the model declines to answer' };
  }
  const wrongResult = (problem: string): ValidationResult<T> => ({ kind: 'wrong', problem });
  const json = parseJsonReply(content);
  const isTruncated = finish === 'length';
  if (json.kind === 'wrong') {
    return wrongResult(
      isTruncated ? 'it was cut off before its end: be much briefer' : json.problem,
    );
  }
  const parsed = shape.safeParse(json.value);
  if (!parsed.success) {
    const issues = parsed.error.issues.slice(0, maxProblems).map(({ path, message }) => {
      return path.length === 0 ? message : `${path.join('.')}: ${message}`;
    });
    return wrongResult(issues.join('; ').slice(0, 1_000));
  }
  const problem = check?.(parsed.data) ?? null;
  return problem === null
    ? { kind: 'value', value: parsed.data }
    : wrongResult(problem.slice(0, 1_000));
}
