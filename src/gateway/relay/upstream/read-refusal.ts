// Classifies an upstream's error: caused by the caller, the operator, or the upstream. Relay
// contract, 3.2: a known error code takes precedence over the status.
import { retryAfterMs } from '../../../kernel/http/retry-after.ts';
import type { StreamedResponse } from '../../../kernel/net/streaming-client.ts';
import type { FailureClass, UpstreamFailure, UpstreamRefusal } from '../attempt.ts';
import { type ChatError, isCallerError, readChatError } from '../chat-error.ts';
import { readBounded } from './read-bounded.ts';
import type { Upstream } from './upstream.ts';

const BODY_MAX_BYTES = 64 * 1024;
const WAIT_MAX_MS = 60_000;

export async function readRefusal(
  upstream: Upstream,
  { status, headers, body }: StreamedResponse,
  now: number,
): Promise<UpstreamRefusal | UpstreamFailure> {
  const error = readError(await readBounded(body, BODY_MAX_BYTES).catch(() => null), status);
  const waitMs = retryAfterMs(headers, now, WAIT_MAX_MS);
  return classifyError(upstream, { status, error, waitMs });
}

/** Classifies an error that the upstream sent with status 200, by the code of the error. */
export function classifyInBandError(
  upstream: Upstream,
  error: ChatError,
): UpstreamRefusal | UpstreamFailure {
  const statusInBody = Number(error.code);
  if (statusInBody >= 400 && statusInBody < 600) {
    return classifyError(upstream, { status: statusInBody, error, waitMs: null });
  }
  const status = isCallerError(error) ? 400 : 500;
  return classifyError(upstream, { status, error, waitMs: null });
}

type UpstreamError = {
  readonly status: number;
  readonly error: ChatError | null;
  readonly waitMs: number | null;
};

function classifyError(
  upstream: Upstream,
  { status, error, waitMs }: UpstreamError,
): UpstreamRefusal | UpstreamFailure {
  const problem = error === null ? `status ${status}` : `status ${status}: ${error.message}`;
  const toFailure = (failure: FailureClass, code: UpstreamFailure['code']): UpstreamFailure => {
    // 429 is the rate limit of the operator's account; 503 and 529 mean an overloaded upstream.
    const isCounted = failure === 'broken' || (failure === 'busy' && status !== 429);
    const mayBeCausedByCaller = failure === 'account' && !isCertainlyAccountError(error, status);
    return { kind: 'failed', failure, code, problem, waitMs, isCounted, mayBeCausedByCaller };
  };
  const toRefusal = (reason: UpstreamRefusal['reason']): UpstreamRefusal => {
    const refusalStatus = status >= 400 && status < 500 ? status : 400;
    return {
      kind: 'refused',
      upstream,
      status: refusalStatus,
      error: error ?? unexplainedRefusal,
      reason,
    };
  };
  if (isTooLong(error, status)) return toRefusal('too_long');
  if (/^content_(policy|filter)/.test(error?.code ?? '')) return toRefusal('filtered');
  if (isAccountError(error, status)) return toFailure('account', 'capability_unavailable');
  if (status === 404 || error?.code === 'model_not_found') {
    return toFailure('unknown_model', 'upstream_error');
  }
  if (status === 429 || status === 503 || status === 529) {
    return toFailure('busy', 'capability_unavailable');
  }
  if (status === 408) return toFailure('broken', 'upstream_timeout');
  return status < 400 || status >= 500
    ? toFailure('broken', 'upstream_error')
    : toRefusal('request');
}

function isTooLong(error: ChatError | null, status: number): boolean {
  const { code, message } = error ?? unexplainedRefusal;
  if (code === 'context_length_exceeded' || code === 'model_context_window_exceeded') return true;
  return (
    status >= 400 && status < 500 && /prompt is too long|maximum context length/i.test(message)
  );
}

const accountCodes = new Set([
  'insufficient_quota',
  'enforced_spend_limit_reached',
  'billing_hard_limit_reached',
]);

/** True for errors of the operator's key, credit or contract, which the caller cannot change. */
function isAccountError(error: ChatError | null, status: number): boolean {
  if (status === 401 || status === 402 || status === 403) return true;
  if (accountCodes.has(error?.code ?? '')) return true;
  return (
    status === 400 && /credit balance is too low|spend(ing)? limit/i.test(error?.message ?? '')
  );
}

/**
 * Only status and code are used. A 403 can concern content, and a message can repeat the caller's
 * words.
 */
const isCertainlyAccountError = (error: ChatError | null, status: number) =>
  status === 401 || status === 402 || accountCodes.has(error?.code ?? '');

const unexplainedRefusal: ChatError = {
  message: 'The model’s provider refused the request.',
  type: 'invalid_request_error',
  param: null,
  code: 'invalid_request',
};

function readError(bytes: Buffer | null, status: number): ChatError | null {
  try {
    return readChatError(JSON.parse((bytes ?? '').toString('utf8')), status);
  } catch {
    return null;
  }
}
