// Sends the checkout's webhooks: signed, in no guaranteed order, and again after a response other
// than 2xx. A fault changes the delivery.
import { createHmac } from 'node:crypto';
import type { Net } from '../../../src/kernel/net/net.ts';
import { openNet } from '../../../src/kernel/net/open-net.ts';
import { type Clock, runningClock } from '../../../src/kernel/time/clock.ts';
import { newId } from './checkout-state.ts';

export type WebhookFault =
  /** Every event is sent twice at once. */
  | 'double'
  /** Events are sent after a delay. */
  | 'late'
  /** Events are sent in reverse order. */
  | 'backwards'
  /** Events are signed with another secret. */
  | 'forged'
  /** Events are signed with an old timestamp. */
  | 'stale'
  /** Events are not sent. */
  | 'silent';

export const webhookFaults: readonly WebhookFault[] = [
  ...(['double', 'late', 'backwards', 'forged', 'stale', 'silent'] as const),
];

export type Event = { readonly type: string; readonly object: object };

export type Delivery = { readonly type: string; readonly status: number | null };

export type WebhookOptions = {
  readonly clock: Clock;
  readonly secret: string;
  /** Called before each attempt; null: no receiver. */
  readonly url: () => string | null;
  readonly maxAttempts: number;
  /** Delay before the second attempt. It doubles before each further attempt. 0: no delay. */
  readonly retryMs: number;
  readonly lateMs: number;
};

export type Webhooks = {
  readonly delivered: Delivery[];
  /** Resolves when all events are delivered or given up. */
  send(events: readonly Event[], fault: WebhookFault | null): Promise<void>;
  /** Resolves when no delivery is pending. */
  idle(): Promise<void>;
  close(): Promise<void>;
};

export function signatureOf(secret: string, body: string, signedAt: number): string {
  const seconds = Math.floor(signedAt / 1000);
  const hmac = createHmac('sha256', secret).update(`${seconds}.${body}`);
  return `t=${seconds},v1=${hmac.digest('hex')}`;
}

export function openWebhooks(options: WebhookOptions): Webhooks {
  const delivered: Delivery[] = [];
  const closeSignal = new AbortController();
  const pendingDeliveries = new Set<Promise<void>>();
  const { clock } = options;
  const net = openNet({
    clock: runningClock(),
    privateHosts: ['127.0.0.0/8'],
    politenessMs: 0,
    userAgent: 'Checkout/demo',
  });
  const pause = (ms: number) => clock.sleep(ms, closeSignal.signal).catch(() => {});

  const deliver = async ({ type, object }: Event, fault: WebhookFault | null): Promise<void> => {
    const event = { id: newId('evt'), object: 'event', api_version: '2024-06-20', type };
    const created = Math.floor(clock.now() / 1000);
    const body = JSON.stringify({ ...event, created, livemode: false, data: { object } });
    if (fault === 'late') await pause(options.lateMs);
    for (
      let attempt = 0;
      attempt < options.maxAttempts && !closeSignal.signal.aborted;
      attempt += 1
    ) {
      if (attempt > 0 && options.retryMs > 0) await pause(options.retryMs * 2 ** (attempt - 1));
      const url = options.url();
      if (url === null) return;
      const signedAt = clock.now() - (fault === 'stale' ? 3_600_000 : 0);
      const secret = fault === 'forged' ? 'whsec_of_another_account' : options.secret;
      const status = await post(net, { url, body, signature: signatureOf(secret, body, signedAt) });
      delivered.push({ type, status });
      if (status !== null && status < 300) return;
    }
  };

  const send = async (events: readonly Event[], fault: WebhookFault | null): Promise<void> => {
    if (fault === 'silent') return;
    if (fault === 'double') {
      await Promise.all(events.flatMap((event) => [deliver(event, fault), deliver(event, fault)]));
      return;
    }
    const orderedEvents = fault === 'backwards' ? events.toReversed() : events;
    for (const event of orderedEvents) await deliver(event, fault);
  };

  return {
    delivered,
    send: (events, fault) => {
      const delivery = send(events, fault).finally(() => pendingDeliveries.delete(delivery));
      pendingDeliveries.add(delivery);
      return delivery;
    },
    idle: async () => {
      while (pendingDeliveries.size > 0) await Promise.allSettled(pendingDeliveries);
    },
    close: () => {
      closeSignal.abort();
      return net.close();
    },
  };
}

/** The status; null: no response. */
async function post(
  net: Net,
  delivery: { readonly url: string; readonly body: string; readonly signature: string },
): Promise<number | null> {
  const outcome = await net.request({
    url: delivery.url,
    method: 'POST',
    body: delivery.body,
    timeoutMs: 10_000,
    maxBytes: 65_536,
    isPolite: false,
    maxRedirects: 0,
    headers: { 'content-type': 'application/json', 'stripe-signature': delivery.signature },
  });
  return outcome.kind === 'response' ? outcome.status : null;
}
