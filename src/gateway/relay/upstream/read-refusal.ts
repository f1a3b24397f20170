// What an upstream's answer other than 200 means: the caller's fault, ours, or its own trouble.
import type { PipeAnswer } from '../../../kernel/net/streaming-client.ts';
import type { UpstreamFailure, UpstreamRefusal } from '../attempt.ts';
import { type ChatError, readChatError } from '../chat-error.ts';
import { readBounded } from './read-bounded.ts';
import type { Upstream } from './upstream.ts';

const BODY_MAX = 64 * 1024;
const BUSY_MS = 1_000;
const BUSY_MAX_MS = 60_000;

export async function readRefusal(
  upstream: Upstream,
  { status, headers, body }: PipeAnswer,
  now: number,
): Promise<UpstreamRefusal | UpstreamFailure> {
  const error = readError(await readBounded(body, BODY_MAX).catch(() => null), status);
  const said = error === null ? `status ${status}` : `status ${status}: ${error.message}`;
  const trouble = (
    code: UpstreamFailure['code'],
    more: Partial<UpstreamFailure> = {},
  ): UpstreamFailure => {
    return { kind: 'trouble', code, problem: said, waitMs: 0, mayPass: false, ...more };
  };
  switch (status) {
    // Our key, our credit, our contract: nothing the caller could change.
    case 401:
    case 402:
    case 403:
      return trouble('capability_unavailable');
    case 408:
      return trouble('upstream_timeout');
    case 404:
      return trouble('upstream_error');
    case 429:
    case 503: {
      const waitMs = waitOf(headers['retry-after'], now);
      return trouble('capability_unavailable', { waitMs });
    }
    default:
      if (status < 400 || status >= 500) return trouble('upstream_error', { mayPass: true });
      return { kind: 'refused', upstream, status, error: error ?? nameless };
  }
}

const nameless: ChatError = {
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

/** Retry-After (RFC 9110, 10.2.3): seconds or a date. */
function waitOf(header: string | undefined, now: number): number {
  const text = String(header ?? '').trim();
  const ms = /^\d{1,6}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
  return Math.min(BUSY_MAX_MS, Math.max(BUSY_MS, Number.isFinite(ms) ? ms : BUSY_MS));
}
