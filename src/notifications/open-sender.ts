// Sends notifications. One process claims a due delivery for a limited time and renders it from
// current public content. It marks the delivery as `sending`, sends it and stores the outcome.
// After a crash the outcome is unknown. The delivery is then sent again with the same id, unless
// its channel drops deliveries with an unknown outcome.
import { openPoller } from '../kernel/concurrency/poller.ts';
import { messageOf } from '../kernel/errors/fault.ts';
import type { Smtp } from '../kernel/net/smtp.ts';
import type { Db } from '../kernel/ports/db.ts';
import type { RateLimit } from '../kernel/rate-limit/gcra.ts';
import { DAY_MS } from '../kernel/time/durations.ts';
import { nextTryAt } from '../kernel/time/plan-retries.ts';
import type { World } from '../kernel/world.ts';
import {
  addDeadLetter,
  type ChannelRow,
  listReadyChannels,
  lockChannel,
  markChannelBroken,
  pauseChannel,
  replaceChannelSecret,
  resetDeadLetters,
  savePace,
} from '../store/notifications/channels.ts';
import {
  type ClaimedDelivery,
  claimChannelDeliveries,
  countWaiting,
  createNotifications,
  DELIVERIES_CHANNEL,
  type DeliveryOutcome,
  deleteOldNotifications,
  expireDeliveries,
  findNextDeliveryAt,
  findRemoteId,
  listQueuedStories,
  markReplaced,
  markSending,
  saveOutcome,
} from '../store/notifications/deliveries.ts';
import { findSubscriptionRow, setSubscriptionState } from '../store/notifications/subscriptions.ts';
import { inTransaction } from '../store/platform/db.ts';
import { listen } from '../store/platform/notifications.ts';
import type { ChannelFields, ChannelKind } from './channel-kind.ts';
import { channelKindOf } from './channel-kinds.ts';
import { decryptFields, encryptFields } from './channels.ts';
import type { NotificationMessage } from './message.ts';
import { reserveSendTime } from './pace.ts';
import type { DeliveryResult } from './read-response.ts';
import { failureTexts } from './reason-texts.ts';
import { sendMessage } from './send-message.ts';

export type ContentRequest = Pick<
  ClaimedDelivery,
  'subscriptionId' | 'subject' | 'reason' | 'subjects' | 'items' | 'createdAt'
>;

export type SenderDeps = {
  /** Renders current public content; null: no content of the notification is public any more. */
  readonly content: (request: ContentRequest) => Promise<NotificationMessage | null>;
  /** Null: no mail server is configured. */
  readonly smtp: Smtp | null;
  /** Limit of mails per minute to one channel. */
  readonly mailsPerMinute: number;
  readonly onOutcome?: (state: DeliveryOutcome['state'], isUnsure: boolean) => void;
};

export type NotificationSender = { close(): Promise<void> };

/** Channels that this process serves concurrently. */
const CHANNELS_MAX = 32;
/** Deliveries that a process claims at once from one channel. */
const BATCH_MAX = 20;
/** A claim lasts longer than the timeout of a request. */
const CLAIM_MS = 60_000;
const POLL_INTERVAL_MS = 30_000;
/** A waiting delivery expires after this time. */
const SENDABLE_MS = DAY_MS;
/** A waiting delivery of a broken or inactive channel expires after this time. */
const INACTIVE_SENDABLE_MS = 7 * DAY_MS;
/** Notifications are deleted after this time, unless their story still changes. */
const NOTIFICATION_LIFE_MS = 30 * DAY_MS;
/** This number of failed deliveries in a row breaks a channel. */
const FAILED_DELIVERIES_MAX = 5;
/** This number of failed mails in a row ends the subscription of the last mail. */
const FAILED_MAILS_MAX = 3;

export function openNotificationSender(world: World, db: Db, deps: SenderDeps): NotificationSender {
  let expiryCheckedAt = Number.NEGATIVE_INFINITY;
  const servedChannels = new Map<string, Promise<void>>();
  const startService = (channelId: string, signal: AbortSignal): void => {
    const service = serveChannel(world, db, deps, channelId, signal)
      .catch((error) => {
        // The claims expire, and the deliveries are sent again.
        world.log.warn({ channelId, error: messageOf(error) }, 'serving a channel failed');
      })
      .finally(() => {
        servedChannels.delete(channelId);
        poller.wake();
      });
    servedChannels.set(channelId, service);
  };
  const poller = openPoller(world, {
    taskName: 'notifications',
    intervalMs: POLL_INTERVAL_MS,
    nextDueAt: () => findNextDeliveryAt(db),
    poll: async (signal) => {
      const now = world.clock.now();
      if (now - expiryCheckedAt >= POLL_INTERVAL_MS) {
        expiryCheckedAt = now;
        await expireDeliveries(db, {
          workingBefore: now - SENDABLE_MS,
          brokenBefore: now - INACTIVE_SENDABLE_MS,
          now,
        });
        await deleteOldNotifications(db, now - NOTIFICATION_LIFE_MS);
      }
      for (const id of await listReadyChannels(db, now)) {
        if (signal.aborted || servedChannels.size >= CHANNELS_MAX) return;
        if (!servedChannels.has(id)) startService(id, signal);
      }
    },
  });
  const listener = listen(
    world,
    db,
    { channel: DELIVERIES_CHANNEL, applicationName: 'radar notifications' },
    poller.wake,
  );
  return {
    close: async () => {
      await poller.close();
      await Promise.all(servedChannels.values());
      await listener.close();
    },
  };
}

async function serveChannel(
  world: World,
  db: Db,
  deps: SenderDeps,
  channelId: string,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const batch = await claimBatch(world, db, deps, channelId);
    if (batch === null || batch.deliveries.length === 0) return;
    await sendBatch(world, db, deps, batch, signal);
  }
}

type ClaimedBatch = {
  readonly channel: ChannelRow;
  readonly kind: ChannelKind;
  readonly deliveries: readonly StartedDelivery[];
};

/** The content is rendered after `startedAt`, so it has all corrections up to this time. */
type StartedDelivery = ClaimedDelivery & { readonly startedAt: number };

/** Null: another process serves the channel, or it is off, broken, deleted or not due. */
async function claimBatch(
  world: World,
  db: Db,
  deps: SenderDeps,
  channelId: string,
): Promise<ClaimedBatch | null> {
  return inTransaction(db, async (tx) => {
    const channel = await lockChannel(tx, channelId);
    const now = world.clock.now();
    if (channel === null || channel.state !== 'on' || (channel.next_at ?? 0) > now) return null;
    const kind = channelKindOf(channel.kind);
    if (kind === null) return null;
    const rates = ratesOf(kind, deps);
    await replaceQueue(world, tx, channelId, maxPerMinute(rates));
    const sendLimit = reserveSendTime(rates, channel.arrivals, now, BATCH_MAX);
    const deliveries = await claimChannelDeliveries(tx, channelId, {
      now,
      until: now + CLAIM_MS,
      max: sendLimit.permitted,
    });
    const pace = reserveSendTime(rates, channel.arrivals, now, deliveries.length);
    await savePace(tx, channelId, pace);
    const startedDeliveries = deliveries.map((delivery) => ({ ...delivery, startedAt: now }));
    return { channel, kind, deliveries: startedDeliveries };
  });
}

const ratesOf = (kind: ChannelKind, { mailsPerMinute }: SenderDeps): readonly RateLimit[] =>
  kind.render === null ? [{ perSecond: mailsPerMinute / 60, burst: mailsPerMinute }] : kind.rates;

const maxPerMinute = (rates: readonly RateLimit[]): number =>
  Math.min(...rates.map(({ perSecond }) => perSecond * 60));

/** Deliveries that need more than a minute become one combined message for each subscription. */
async function replaceQueue(
  world: World,
  tx: Db,
  channelId: string,
  sendableInMinute: number,
): Promise<void> {
  if ((await countWaiting(tx, channelId)) <= sendableInMinute) return;
  const queued = await listQueuedStories(tx, channelId);
  const now = world.clock.now();
  for (const [subscriptionId, deliveries] of Map.groupBy(
    queued,
    (delivery) => delivery.subscriptionId,
  )) {
    if (deliveries.length < 2) continue;
    const created = await createNotifications(tx, [
      {
        id: `ntf_${world.ids.next()}`,
        deliveryId: `dlv_${world.ids.next()}`,
        channelId,
        subscription_id: subscriptionId,
        subject: 'queue',
        reason: `digest:${now}`,
        subjects: deliveries.flatMap((delivery) => delivery.subjects),
        items: deliveries.flatMap((delivery) => delivery.items),
        contradictions: 0,
        created_at: now,
      },
    ]);
    if (created.length === 0) continue;
    const ids = deliveries.map((delivery) => delivery.id);
    await markReplaced(tx, ids, now);
  }
}

async function sendBatch(
  world: World,
  db: Db,
  deps: SenderDeps,
  { channel, kind, deliveries }: ClaimedBatch,
  signal: AbortSignal,
): Promise<void> {
  const fields = await decryptFields(world, db, channel);
  const rendered = await Promise.all(
    deliveries.map(async (delivery) => ({ delivery, message: await deps.content(delivery) })),
  );
  const sendable: SendableDelivery[] = [];
  for (const { delivery, message } of rendered) {
    if (message === null) await finishDelivery(db, deps, delivery, { state: 'void' });
    else if (delivery.isUnsure && channel.when_unsure === 'drop' && !kind.hasIds) {
      const error = failureTexts.dropped;
      await finishDelivery(db, deps, delivery, { state: 'failed', error, isUnsure: true });
    } else if (fields === null) {
      const reason = failureTexts.secret;
      await markChannelBroken(db, channel.id, { reason, at: world.clock.now() });
    } else sendable.push({ delivery, message, channel, kind, fields });
  }
  await markSending(
    db,
    sendable.map(({ delivery: { id, notificationId }, message: { contradictionCounts = {} } }) => ({
      id,
      notificationId,
      stated: contradictionCounts,
    })),
  );
  await Promise.all(sendable.map((delivery) => sendDelivery(world, db, deps, delivery, signal)));
}

type SendableDelivery = {
  readonly delivery: StartedDelivery;
  readonly message: NotificationMessage;
  readonly channel: ChannelRow;
  readonly kind: ChannelKind;
  readonly fields: ChannelFields;
};

async function sendDelivery(
  world: World,
  db: Db,
  deps: SenderDeps,
  { delivery, message, channel, kind, fields }: SendableDelivery,
  signal: AbortSignal,
): Promise<void> {
  const { subscriptionId, subject, reason } = delivery;
  const isUpdate = /^(contradiction|correction|withdrawn)/.test(reason);
  const result = await sendMessage(world, deps.smtp, {
    kind,
    fields,
    message,
    id: delivery.id,
    eventAt: delivery.createdAt,
    subscriptionId,
    remoteId:
      isUpdate && kind.edit !== undefined ? await findRemoteId(db, subscriptionId, subject) : null,
    signal,
  });
  // A shutdown of this process is no failure of the delivery: after its claim it is sent again.
  if (signal.aborted && result.kind === 'retry') return;
  await applyResult(world, db, deps, { delivery, message, channel, kind, fields }, result);
}

async function applyResult(
  world: World,
  db: Db,
  deps: SenderDeps,
  { delivery, channel, kind, fields }: SendableDelivery,
  result: DeliveryResult,
): Promise<void> {
  const now = world.clock.now();
  const fail = (ending: AttemptEnd) =>
    failDelivery(world, db, deps, { delivery, channel, kind }, ending);
  switch (result.kind) {
    case 'delivered': {
      const { status, remoteId } = result;
      await finishDelivery(db, deps, delivery, { state: 'delivered', status, remoteId });
      return resetDeadLetters(db, channel.id);
    }
    case 'moved': {
      const movedFields = { ...fields, chat: result.chat };
      await replaceChannelSecret(
        db,
        channel.id,
        await encryptFields(world, db, channel.id, movedFields),
      );
      return postponeDelivery(db, deps, delivery, { dueAt: now, tries: delivery.tries });
    }
    case 'broken': {
      const { status, reason } = result;
      world.log.warn(
        { channel: channel.id, reason },
        'a channel is broken; repair it, then run radar channel resume',
      );
      await markChannelBroken(db, channel.id, { reason, at: now });
      const postponed = { dueAt: now, tries: delivery.tries, status, error: reason };
      return postponeDelivery(db, deps, delivery, postponed);
    }
    case 'retry': {
      const { status, reason, waitMs, isUnsure } = result;
      const error = reason;
      if (isUnsure && channel.when_unsure === 'drop' && !kind.hasIds) {
        return finishDelivery(db, deps, delivery, { state: 'failed', status, error, isUnsure });
      }
      if (waitMs !== null) {
        await pauseChannel(db, channel.id, now + waitMs);
        const { tries } = delivery;
        const nextTry = { dueAt: now + waitMs, tries, status, error, isUnsure };
        return postponeDelivery(db, deps, delivery, nextTry);
      }
      const tries = delivery.tries + 1;
      const dueAt = nextTryAt(tries, now, null);
      if (dueAt !== null) {
        return postponeDelivery(db, deps, delivery, { dueAt, tries, status, error, isUnsure });
      }
      return fail({ status, error });
    }
    case 'too_long':
    case 'refused': {
      const { status, reason: error } = result;
      return fail({ status, error });
    }
  }
}

type AttemptEnd = {
  readonly status?: number | null;
  readonly error?: string | null;
  readonly isUnsure?: boolean;
};

async function failDelivery(
  world: World,
  db: Db,
  deps: SenderDeps,
  { delivery, channel, kind }: Pick<SendableDelivery, 'delivery' | 'channel' | 'kind'>,
  ending: AttemptEnd,
): Promise<void> {
  await finishDelivery(db, deps, delivery, { ...ending, state: 'failed' });
  const count = await addDeadLetter(db, channel.id);
  const at = world.clock.now();
  if (kind.name === 'email' && count >= FAILED_MAILS_MAX) {
    await endSubscription(db, delivery.subscriptionId);
  }
  if (count < FAILED_DELIVERIES_MAX) return;
  const reason =
    `${FAILED_DELIVERIES_MAX} deliveries in a row failed. ${ending.error ?? ''}`.trim();
  await markChannelBroken(db, channel.id, { reason, at });
}

async function endSubscription(db: Db, id: string): Promise<void> {
  await inTransaction(db, async (tx) => {
    const row = await findSubscriptionRow(tx, id);
    if (row !== null) await setSubscriptionState(tx, row, { state: 'ended', nextAt: null });
  });
}

function finishDelivery(
  db: Db,
  deps: SenderDeps,
  delivery: StartedDelivery,
  ending: AttemptEnd & {
    readonly state: DeliveryOutcome['state'];
    readonly remoteId?: string | null;
  },
): Promise<void> {
  return saveDelivery(db, deps, delivery, {
    state: ending.state,
    tries: delivery.tries + (ending.state === 'void' ? 0 : 1),
    dueAt: null,
    status: ending.status ?? null,
    error: ending.error ?? null,
    isUnsure: ending.isUnsure ?? false,
    remoteId: ending.remoteId ?? null,
  });
}

function postponeDelivery(
  db: Db,
  deps: SenderDeps,
  delivery: StartedDelivery,
  next: AttemptEnd & { readonly dueAt: number; readonly tries: number },
): Promise<void> {
  return saveDelivery(db, deps, delivery, {
    state: 'waiting',
    tries: next.tries,
    dueAt: next.dueAt,
    status: next.status ?? null,
    error: next.error ?? null,
    isUnsure: next.isUnsure ?? false,
    remoteId: null,
  });
}

async function saveDelivery(
  db: Db,
  deps: SenderDeps,
  delivery: StartedDelivery,
  outcome: Omit<DeliveryOutcome, 'at'>,
): Promise<void> {
  await saveOutcome(db, delivery.id, { ...outcome, at: delivery.startedAt });
  const isUnsure = outcome.isUnsure || delivery.wasSending;
  deps.onOutcome?.(outcome.state, isUnsure);
}
