// An error in the form that chat clients read: `{ error: { message, type, param, code } }`.

export type ChatError = {
  readonly message: string;
  readonly type: string;
  readonly param: string | null;
  readonly code: string | null;
};

const MESSAGE_MAX = 1_000;

/** What an upstream calls an error, from a body or from inside a stream; null when it is none. */
export function readChatError(value: unknown): ChatError | null {
  if (typeof value !== 'object' || value === null || !('error' in value)) return null;
  const { error } = value;
  if (typeof error === 'string') return named({ message: error });
  if (typeof error !== 'object' || error === null) return null;
  return named(error as Record<string, unknown>);
}

function named({ message, type, param, code }: Record<string, unknown>): ChatError {
  const text = (given: unknown) => (typeof given === 'string' ? given.slice(0, MESSAGE_MAX) : null);
  return {
    message: text(message) ?? 'The upstream gave no reason.',
    type: text(type) ?? 'invalid_request_error',
    param: text(param),
    code: text(code) ?? (typeof code === 'number' ? String(code) : null),
  };
}

/** About what was asked, so the caller may read it; else it is between the upstream and us. */
export function isCallersError({ type, code }: ChatError): boolean {
  return type === 'invalid_request_error' || /^(context_length|content_)/.test(code ?? '');
}
