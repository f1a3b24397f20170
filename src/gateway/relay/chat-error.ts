// Reads and classifies errors in the format of the chat API: `{ error: { message, type, param, code
// } }`.

export type ChatError = {
  readonly message: string;
  readonly type: string;
  readonly param: string | null;
  readonly code: string | null;
};

/** The error when an upstream sends an error without details. */
export const unexplainedError: ChatError = {
  message: 'The upstream gave no reason.',
  type: 'server_error',
  param: null,
  code: null,
};

const MAX_MESSAGE_LENGTH = 1_000;

/**
 * Statuses of refusals that concern the operator's key, credit, rate or address. A caller cannot
 * correct the cause of such a refusal.
 */
const operatorStatuses: readonly number[] = [401, 402, 403, 404, 408, 429];

/**
 * Reads an upstream's error from a response body or from an event of a stream. Returns null for
 * anything else. `status` is the HTTP status, because some upstreams give no error type.
 */
export function readChatError(value: unknown, status = 200): ChatError | null {
  if (typeof value !== 'object' || value === null || !('error' in value)) return null;
  const { error } = value;
  if (typeof error === 'string') return toChatError({ message: error }, status);
  if (typeof error !== 'object' || error === null) return null;
  return toChatError(error as Record<string, unknown>, status);
}

function toChatError(
  { message, type, param, code }: Record<string, unknown>,
  status: number,
): ChatError {
  const text = (value: unknown) =>
    typeof value === 'string' ? value.slice(0, MAX_MESSAGE_LENGTH) : null;
  // In a response with status 200, some upstreams write the real status into `code`.
  return {
    message: text(message) ?? unexplainedError.message,
    type: text(type) ?? errorTypeOf(typeof code === 'number' ? code : status),
    param: text(param),
    code: text(code) ?? (typeof code === 'number' ? String(code) : null),
  };
}

const errorTypeOf = (status: number) =>
  status >= 400 && status < 500 && !operatorStatuses.includes(status)
    ? 'invalid_request_error'
    : 'server_error';

/**
 * Whether the request caused the error, so that the caller receives the error's text. The codes
 * concern the length of the request or its content.
 */
export function isCallerError({ type, code }: ChatError): boolean {
  return type === 'invalid_request_error' || /^(context_length|content_)/.test(code ?? '');
}
