// An error in the form that chat clients read: `{ error: { message, type, param, code } }`.

export type ChatError = {
  readonly message: string;
  readonly type: string;
  readonly param: string | null;
  readonly code: string | null;
};

const MESSAGE_MAX = 1_000;

/** Refusals of our key, credit, pace or address: nothing that a caller could change. */
const ours: readonly number[] = [401, 402, 403, 404, 408, 429];

/**
 * What an upstream calls an error, from a body or from inside a stream; null when it is none.
 * `status`: of the answer; not every upstream says of which type its error is.
 */
export function readChatError(value: unknown, status = 200): ChatError | null {
  if (typeof value !== 'object' || value === null || !('error' in value)) return null;
  const { error } = value;
  if (typeof error === 'string') return named({ message: error }, status);
  if (typeof error !== 'object' || error === null) return null;
  return named(error as Record<string, unknown>, status);
}

function named({ message, type, param, code }: Record<string, unknown>, status: number): ChatError {
  const text = (given: unknown) => (typeof given === 'string' ? given.slice(0, MESSAGE_MAX) : null);
  // Inside an answer of 200 some write the status that they mean as the code.
  return {
    message: text(message) ?? 'The upstream gave no reason.',
    type: text(type) ?? typeOf(typeof code === 'number' ? code : status),
    param: text(param),
    code: text(code) ?? (typeof code === 'number' ? String(code) : null),
  };
}

const typeOf = (status: number) =>
  status >= 400 && status < 500 && !ours.includes(status)
    ? 'invalid_request_error'
    : 'server_error';

/** About what was asked, so the caller may read it; else it is between the upstream and us. */
export function isCallersError({ type, code }: ChatError): boolean {
  return type === 'invalid_request_error' || /^(context_length|content_)/.test(code ?? '');
}
