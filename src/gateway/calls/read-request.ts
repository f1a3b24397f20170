// From what was sent to what is asked: the capability's own schema says what fits, `max_charge` and
// the Idempotency-Key belong to every call. Problems name the field.
import type { z } from 'zod';
import { Fault } from '../../kernel/errors/fault.ts';
import { type MicroFen, parseCny } from '../../kernel/money.ts';
import type { CallRequest } from './call.ts';
import { fingerprintOf, prefers, readIdempotencyKey } from './idempotency.ts';

export type Asked = {
  readonly input: unknown;
  /** The same as it was sent, without `max_charge`. */
  readonly sent: unknown;
  /** Answered with 202, and done afterwards. */
  readonly isJob: boolean;
  readonly maxCharge: MicroFen | null;
  /** Null: the call is not to be recognised again. */
  readonly idempotency: { readonly key: string; readonly fingerprint: string } | null;
};

export async function readRequest(request: CallRequest): Promise<Asked> {
  const { capability, path, query } = request;
  const isPost = capability.method === 'POST';
  // Ignored on GET: reading twice is what GET is for.
  const key = isPost ? readIdempotencyKey(request.idempotencyKey) : null;
  const sent = await request.readInput();
  const { own, maxCharge } = takeMaxCharge(sent);
  const input = check(capability.input, own);
  refuseUnwritable(own, []);
  capability.check?.(input);
  const isJob = capability.isAsync || prefers(request.prefer, 'respond-async');
  const asked = { input, sent: own, isJob, maxCharge };
  if (key === null) return { ...asked, idempotency: null };
  const fingerprint = fingerprintOf({ method: capability.method, path, query, body: sent });
  return { ...asked, idempotency: { key, fingerprint } };
}

function takeMaxCharge(sent: unknown): { own: unknown; maxCharge: MicroFen | null } {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) {
    throw new Fault('invalid_request', 'The body must be a JSON object.');
  }
  if (!Object.hasOwn(sent, 'max_charge')) return { own: sent, maxCharge: null };
  const { max_charge: given, ...own } = sent as Record<string, unknown>;
  const maxCharge = typeof given === 'string' ? parseCny(given) : null;
  if (maxCharge === null || maxCharge < 0n) {
    throw new Fault(
      'invalid_request',
      'The field "max_charge" must be an amount in CNY as text, like "0.036".',
    );
  }
  return { own, maxCharge };
}

/** No text of a database or of a provider holds these (I-JSON, RFC 7493, 2.1). */
function refuseUnwritable(value: unknown, at: readonly string[]): void {
  if (typeof value === 'string') {
    if (value.isWellFormed() && !value.includes('\0')) return;
    const what = 'must hold neither U+0000 nor half of a surrogate pair';
    throw new Fault('invalid_request', `The field "${at.join('.')}": ${what}.`);
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) refuseUnwritable(inner, [...at, name]);
}

/** Throws a Fault that names the first field that does not fit. */
export function check<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new Fault('invalid_request', issue === undefined ? 'It does not fit.' : told(issue));
}

const SHOWN_MAX = 60;
const printable = (text: string) => text.slice(0, SHOWN_MAX).replaceAll(/\p{Cc}/gu, '?');

function told(issue: z.core.$ZodIssue): string {
  const at = issue.path.map(String).join('.');
  if (issue.code === 'unrecognized_keys') {
    const names = issue.keys.map((key) => `"${printable(at === '' ? key : `${at}.${key}`)}"`);
    return `Unknown field${names.length > 1 ? 's' : ''}: ${names.join(', ')}.`;
  }
  const message = issue.message.replace(/\.$/, '');
  return at === '' ? `${message}.` : `The field "${printable(at)}": ${message}.`;
}
