// Parses the input of a call. The capability's schema validates it; `max_charge` and the
// Idempotency-Key are common to all calls. Problems name the field.
import type { z } from 'zod';
import {
  type FieldProblem,
  formatProblems,
  problemsOf,
} from '../../kernel/errors/describe-issue.ts';
import { Fault } from '../../kernel/errors/fault.ts';
import { type MicroFen, parseCny } from '../../kernel/money.ts';
import type { CallRequest } from './call.ts';
import { fingerprintOf, prefers, readIdempotencyKey } from './idempotency.ts';

export type ValidatedCall = {
  readonly input: unknown;
  /** The same as it was sent, without `max_charge`. */
  readonly sent: unknown;
  /** Answered with 202, and done afterwards. */
  readonly isJob: boolean;
  readonly maxCharge: MicroFen | null;
  /** Null: the call is not to be recognised again. */
  readonly idempotency: { readonly key: string; readonly fingerprint: string } | null;
};

export async function readRequest(request: CallRequest): Promise<ValidatedCall> {
  const { capability, path, query } = request;
  const isPost = capability.method === 'POST';
  // Ignored on GET: reading twice is what GET is for.
  const key = isPost ? readIdempotencyKey(request.idempotencyKey) : null;
  const sent = await request.readInput();
  const { own, maxCharge, problems } = takeMaxCharge(sent);
  const part = isPost ? 'field' : 'query parameter';
  const more = [...problems, ...unwritableIn(own, '')];
  const input = check(capability.input, own, { part, more });
  capability.check?.(input);
  const isJob = capability.isAsync || prefers(request.prefer, 'respond-async');
  const validated = { input, sent: withoutNulls(own), isJob, maxCharge };
  if (key === null) return { ...validated, idempotency: null };
  const fingerprint = fingerprintOf({ method: capability.method, path, query, body: sent });
  return { ...validated, idempotency: { key, fingerprint } };
}

type CallBody = {
  readonly own: unknown;
  readonly maxCharge: MicroFen | null;
  readonly problems: readonly FieldProblem[];
};

function takeMaxCharge(sent: unknown): CallBody {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) {
    throw new Fault('invalid_request', 'The body must be a JSON object.');
  }
  if (!Object.hasOwn(sent, 'max_charge')) return { own: sent, maxCharge: null, problems: [] };
  const { max_charge: given, ...own } = sent as Record<string, unknown>;
  const maxCharge = typeof given === 'string' ? parseCny(given) : null;
  if (given === null || (maxCharge !== null && maxCharge >= 0n)) {
    return { own, maxCharge, problems: [] };
  }
  const message = 'must be an amount in CNY as text, like "0.036"';
  return { own, maxCharge: null, problems: [{ field: 'max_charge', message }] };
}

/** No text of a database or of a provider holds these (I-JSON, RFC 7493, 2.1). */
function unwritableIn(value: unknown, at: string): readonly FieldProblem[] {
  if (typeof value === 'string') {
    if (value.isWellFormed() && !value.includes('\0')) return [];
    return [{ field: at, message: 'must hold neither U+0000 nor half of a surrogate pair' }];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const index = Array.isArray(value) ? `[${name}]` : at === '' ? name : `.${name}`;
    return unwritableIn(inner, at + index);
  });
}

/** Members that are null, as if they had not been sent. */
function withoutNulls(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const kept = Object.entries(value).filter(([, inner]) => inner !== null);
  return Object.fromEntries(kept.map(([name, inner]) => [name, withoutNulls(inner)]));
}

/** What a field is called. */
type FieldNoun = 'field' | 'query parameter';

/** Throws a Fault that names every field that does not fit, in words and in `errors`. */
export function check<S extends z.ZodType>(
  schema: S,
  value: unknown,
  {
    part = 'field',
    more = [],
  }: { readonly part?: FieldNoun; readonly more?: readonly FieldProblem[] } = {},
): z.output<S> {
  const given = withoutNulls(value);
  // A field that is not known is refused with null as well.
  const unknown = problemsOf(schema, value).filter(isUnknown);
  const found = [
    ...problemsOf(schema, given).filter((one) => !isUnknown(one)),
    ...unknown,
    ...more,
  ];
  if (found.length > 0) throw invalidFields(found, part);
  return schema.parse(given);
}

const isUnknown = ({ message }: FieldProblem) => message === 'is not known here';

function invalidFields(errors: readonly FieldProblem[], part: FieldNoun = 'field'): Fault {
  return new Fault('invalid_request', formatProblems(errors, part), { members: { errors } });
}
