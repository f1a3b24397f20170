// Sends webhooks. One process claims a due delivery and sends the delivery once, with a signature.
// When the endpoint does not accept the delivery, another attempt follows later. After a crash the
// delivery is sent again with the same id, as Standard Webhooks requires. A slow endpoint does not
// delay deliveries to other endpoints.

import { openPoller } from '../../kernel/concurrency/poller.ts';
import { signWebhook } from '../../kernel/crypto/sign-webhook.ts';
import { messageOf } from '../../kernel/errors/fault.ts';
import { retryAfterMs } from '../../kernel/http/retry-after.ts';
import type { NetFailure, NetOutcome } from '../../kernel/net/net.ts';
import type { Db } from '../../kernel/ports/db.ts';
import { DAY_MS, HOUR_MS } from '../../kernel/time/durations.ts';
import { nextTryAt } from '../../kernel/time/plan-retries.ts';
import type { World } from '../../kernel/world.ts';
import { markEndpointGone } from '../../store/gateway/webhook-endpoints.ts';
import {
  claimDeliveries,
  type Delivery,
  deleteOldEvents,
  findNextDeliveryAt,
  saveAttempt,
  WEBHOOKS_CHANNEL,
} from '../../store/gateway/webhook-events.ts';
import { listen } from '../../store/platform/notifications.ts';
import { openSecretReader, type SecretReader } from './endpoint-secrets.ts';
import { type AlertMail, queueAlertMails } from './mail-alerts.ts';
import { raiseAlerts } from './raise-alerts.ts';

export type WebhookSender = { close(): Promise<void> };

/** Concurrent deliveries of this process. */
const MAX_RUNNING = 32;
/** Concurrent deliveries per endpoint and per account, over all processes. */
const ENDPOINT_LIMITS = { perEndpoint: 2, perAccount: 4 };
const TIMEOUT_MS = 15_000;
/** A delivery without a result after this time can be claimed again. */
const CLAIM_MS = 60_000;
/** Interval of the search for due alerts, and for deliveries whose notification was lost. */
const POLL_INTERVAL_MS = 30_000;
const RETENTION_MS = 30 * DAY_MS;
const MAX_ERROR_LENGTH = 300;

/** `mail` null: mail delivery is not configured. */
export function openWebhookSender(
  world: World,
  db: Db,
  mail: AlertMail | null = null,
): WebhookSender {
  let lastAlertCheckAt = Number.NEGATIVE_INFINITY;
  const runningDeliveries = new Set<Promise<void>>();
  const readSecret = openSecretReader(world, db);
  const startDelivery = (delivery: Delivery, signal: AbortSignal): void => {
    const pendingDelivery = sendDelivery(world, db, { delivery, readSecret, signal })
      .catch((error) => {
        // The claim of the delivery expires, and the delivery is sent again.
        const { endpointId, eventId } = delivery;
        const fields = { endpointId, eventId, error: messageOf(error) };
        world.log.warn(fields, 'a webhook was not sent or not recorded; it is sent again');
      })
      .finally(() => {
        runningDeliveries.delete(pendingDelivery);
        poller.wake();
      });
    runningDeliveries.add(pendingDelivery);
  };
  const poller = openPoller(world, {
    taskName: 'webhooks',
    intervalMs: POLL_INTERVAL_MS,
    nextDueAt: () => findNextDeliveryAt(db),
    poll: async (signal) => {
      if (world.clock.now() - lastAlertCheckAt >= POLL_INTERVAL_MS) {
        lastAlertCheckAt = world.clock.now();
        await raiseAlerts(world, db);
        await deleteOldEvents(db, lastAlertCheckAt - RETENTION_MS);
      }
      if (mail !== null) await queueAlertMails(world, db, mail);
      while (!signal.aborted && runningDeliveries.size < MAX_RUNNING) {
        const now = world.clock.now();
        const max = MAX_RUNNING - runningDeliveries.size;
        const limits = { now, until: now + CLAIM_MS, max, ...ENDPOINT_LIMITS };
        const claimedDeliveries = await claimDeliveries(db, limits);
        if (claimedDeliveries.length === 0) break;
        for (const delivery of claimedDeliveries) startDelivery(delivery, signal);
      }
    },
  });
  const subscription = { channel: WEBHOOKS_CHANNEL, applicationName: 'radar gateway webhooks' };
  const listener = listen(world, db, subscription, poller.wake);
  return {
    close: async () => {
      await poller.close();
      await Promise.all(runningDeliveries);
      await listener.close();
    },
  };
}

type SendRequest = {
  readonly delivery: Delivery;
  readonly readSecret: SecretReader;
  readonly signal: AbortSignal;
};

async function sendDelivery(world: World, db: Db, request: SendRequest): Promise<void> {
  const { delivery, readSecret, signal } = request;
  const at = world.clock.now();
  const { endpointId, secret, oldSecret, oldSecretUntil, body, url } = delivery;
  const isOldSecretValid = oldSecret !== null && (oldSecretUntil ?? 0) > at;
  const secrets = await Promise.all(
    (isOldSecretValid ? [secret, oldSecret] : [secret]).map((stored) =>
      readSecret({ id: endpointId, stored }),
    ),
  );
  const outcome = await world.net.request({
    url,
    body,
    signal,
    method: 'POST',
    timeoutMs: TIMEOUT_MS,
    maxBytes: 65_536,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'content-radar-webhooks',
      ...signWebhook({ id: delivery.eventId, at, body }, secrets),
    },
    // The customer's address; redirects are not followed.
    maxRedirects: 0,
    isPolite: false,
  });
  // A delivery that the shutdown aborted is not a failure: its claim expires, and it is sent again.
  if (signal.aborted && outcome.kind === 'failed') return;
  const tries = delivery.tries + 1;
  const now = world.clock.now();
  const { status, error } = toDeliveryOutcome(outcome);
  if (outcome.kind === 'failed') {
    const { eventId } = delivery;
    world.log.info({ endpointId, eventId, error: outcome.message }, 'a webhook was not delivered');
  }
  const attempt = { tries, status, error, at: now };
  if (error === null) {
    return saveAttempt(db, delivery, { ...attempt, state: 'delivered', dueAt: null });
  }
  const headers = outcome.kind === 'response' ? outcome.headers : {};
  const dueAt = status === 410 ? null : nextTryAt(tries, now, retryAfterMs(headers, now, HOUR_MS));
  await saveAttempt(db, delivery, {
    ...attempt,
    state: dueAt === null ? 'failed' : 'waiting',
    dueAt,
  });
  if (status === 410) await markEndpointGone(db, delivery.endpointId);
}

function toDeliveryOutcome(outcome: NetOutcome): { status: number | null; error: string | null } {
  if (outcome.kind === 'failed') {
    return { status: null, error: formatFailure(outcome) };
  }
  const { status, headers } = outcome;
  if (status >= 200 && status < 300) return { status, error: null };
  const to = headers.location === undefined ? '' : ` to ${headers.location}`;
  const error = status < 400 ? `a redirect${to}, which is not followed` : `status ${status}`;
  return { status, error: error.slice(0, MAX_ERROR_LENGTH) };
}

/**
 * Returns the failure text for the customer. A refused address, an unknown name, a closed port and
 * a timeout share one text. Different texts would reveal the operator's own network.
 */
function formatFailure({ reason }: NetFailure): string {
  switch (reason) {
    case 'too_large':
    case 'redirects':
    case 'protocol':
      return 'The response could not be read.';
    default:
      return `The address could not be reached, or did not respond within ${TIMEOUT_MS / 1000} s.`;
  }
}
