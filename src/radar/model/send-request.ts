// Sends one request and classifies the result by its cost: a reply, a refusal (no work done), not
// sent, or lost (possibly billed).
import { retryAfterMs } from '../../kernel/http/retry-after.ts';
import { HOUR_MS } from '../../kernel/time/durations.ts';
import type { World } from '../../kernel/world.ts';
import type { ModelSettings } from './model-config.ts';
import { oneLine } from './parse-completion.ts';
import { resetDelayMs } from './rate-headers.ts';

export type SendResult =
  | {
      readonly kind: 'reply';
      readonly body: Uint8Array;
      /** Milliseconds until all exhausted limits reset; 0 when no limit is exhausted. */
      readonly exhaustedMs: number;
    }
  | {
      readonly kind: 'refused';
      readonly status: number;
      readonly retryAfterMs: number | null;
      /** The server's text for records. */
      readonly detail: string;
    }
  | { readonly kind: 'unsent'; readonly detail: string }
  | { readonly kind: 'lost'; readonly detail: string }
  /** The reply exceeds the size limit: paid and unusable. */
  | { readonly kind: 'too_large'; readonly detail: string };

const maxBytes = 4_000_000;

/** A proxy returns one of these statuses when it stops waiting. The model may have continued. */
const proxyTimeoutStatuses = [408, 499, 504, 524];

export async function sendRequest(
  { clock, net }: World,
  { url, key, file }: ModelSettings,
  request: { readonly path: string; readonly body: string; readonly idempotencyKey: string },
): Promise<SendResult> {
  const outcome = await net.request({
    url: `${url}${request.path}`,
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      // Servers with idempotency keys return the stored reply. Others ignore the header.
      'idempotency-key': request.idempotencyKey,
      ...(key !== null && { authorization: `Bearer ${key}` }),
    },
    body: request.body,
    timeoutMs: Math.round(file.timeoutSeconds * 1000),
    maxBytes,
    maxRedirects: 0,
    isPolite: false,
    // The operator configured this address, which is often in the private network.
    privateHosts: [new URL(url).host],
  });
  if (outcome.kind === 'failed') {
    const { reason, message: detail } = outcome;
    if (reason === 'too_large') return { kind: 'too_large', detail };
    const wasNotSent = ['invalid_url', 'address_refused', 'dns', 'connect', 'tls'].includes(reason);
    return { kind: wasNotSent ? 'unsent' : 'lost', detail };
  }
  const { status, headers, body } = outcome;
  if (status >= 200 && status < 300) {
    return { kind: 'reply', body, exhaustedMs: resetDelayMs(headers) };
  }
  const reason = oneLine(new TextDecoder().decode(body.subarray(0, 2_000)));
  const detail = `HTTP ${status}${reason === '' ? '' : `: ${reason}`}`;
  if (proxyTimeoutStatuses.includes(status)) return { kind: 'lost', detail };
  return {
    kind: 'refused',
    status,
    retryAfterMs: retryAfterMs(headers, clock.now(), HOUR_MS),
    detail,
  };
}
