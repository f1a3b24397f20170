// The class of expected failures. `message` is sent to the client; `internal` is written to the log
// only.
import type { Code } from './codes.ts';

export type FaultDetails = {
  /** The cause for the log; never sent to the client. */
  readonly internal?: string;
  /** Whole seconds (1..120) after which a retry may succeed; null: a retry cannot succeed. */
  readonly retryAfterSeconds?: number | null;
  /** Further members of the problem (RFC 9457, 3.2), by their names on the wire. */
  readonly members?: Readonly<Record<string, unknown>>;
  /** Response header fields of this failure, in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The message for Chinese pages; APIs always return the English message. */
  readonly inChinese?: string;
  readonly cause?: unknown;
};

export class Fault extends Error {
  override readonly name = 'Fault';
  readonly code: Code;
  readonly internal: string | undefined;
  readonly retryAfterSeconds: number | null | undefined;
  readonly members: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly inChinese: string | null;

  constructor(code: Code, message: string, details: FaultDetails = {}) {
    super(message, { cause: details.cause });
    this.code = code;
    this.internal = details.internal;
    this.retryAfterSeconds = details.retryAfterSeconds;
    this.members = details.members ?? {};
    this.headers = details.headers ?? {};
    this.inChinese = details.inChinese ?? null;
  }
}

/** Any thrown value as one line of text. */
export function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) {
    return error.errors.map(messageOf).join('; ');
  }
  if (error instanceof Error) return error.message || error.name;
  const hasMessage = typeof error === 'object' && error !== null && 'message' in error;
  return String(hasMessage ? error.message : error);
}
