// One request to a model's server and what came of it, told apart by what it means for money: an
// answer, a no (nothing was done), nothing sent, or lost (it may have been done, and billed).
import type { World } from '../../kernel/world.ts';
import type { ModelSettings } from './model-config.ts';
import { oneLine } from './parse-completion.ts';
import { exhaustedMs, retryAfterMs } from './rate-headers.ts';

export type Sent =
  | {
      readonly kind: 'answer';
      readonly body: Uint8Array;
      /** The server says that what is allowed is used up for so long; 0: it does not. */
      readonly exhaustedMs: number;
    }
  | {
      readonly kind: 'no';
      readonly status: number;
      readonly retryAfterMs: number | null;
      /** For records: what the server said. */
      readonly detail: string;
    }
  | { readonly kind: 'unsent'; readonly detail: string }
  | { readonly kind: 'lost'; readonly detail: string }
  /** It answered more than anybody reads: paid for, and of no use. */
  | { readonly kind: 'flood'; readonly detail: string };

const mostBytes = 4_000_000;

/** Statuses of someone in between who gave up waiting: the model may have gone on. */
const gaveUpWaiting = [408, 499, 504, 524];

export async function sendRequest(
  { clock, net }: World,
  { url, key, file }: ModelSettings,
  asked: { readonly path: string; readonly body: string; readonly receipt: string },
): Promise<Sent> {
  const outcome = await net.request({
    url: `${url}${asked.path}`,
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      // Servers that know it answer a repeated question from memory; the others ignore it.
      'idempotency-key': asked.receipt,
      ...(key !== null && { authorization: `Bearer ${key}` }),
    },
    body: asked.body,
    timeoutMs: Math.round(file.timeoutSeconds * 1000),
    maxBytes: mostBytes,
    maxRedirects: 0,
    isPolite: false,
    // It was written down by the operator, and is often a machine of the same network.
    privateHosts: [new URL(url).host],
  });
  if (outcome.kind === 'failed') {
    const { reason, message: detail } = outcome;
    if (reason === 'too_large') return { kind: 'flood', detail };
    const isUnsent = ['invalid_url', 'address_refused', 'dns', 'connect', 'tls'].includes(reason);
    return { kind: isUnsent ? 'unsent' : 'lost', detail };
  }
  const { status, headers, body } = outcome;
  if (status >= 200 && status < 300) {
    return { kind: 'answer', body, exhaustedMs: exhaustedMs(headers) };
  }
  const said = oneLine(new TextDecoder().decode(body.subarray(0, 2_000)));
  const detail = `HTTP ${status}${said === '' ? '' : `: ${said}`}`;
  if (gaveUpWaiting.includes(status)) return { kind: 'lost', detail };
  return { kind: 'no', status, retryAfterMs: retryAfterMs(headers, clock.now()), detail };
}
