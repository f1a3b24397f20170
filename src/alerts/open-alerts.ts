// Alerts of one process. The worker evaluates the stored conditions once a minute. Every process
// keeps the channels of alerts in memory, and sends by itself, hourly, while the database is away.
import { openPoller } from '../kernel/concurrency/poller.ts';
import { messageOf } from '../kernel/errors/fault.ts';
import type { Smtp } from '../kernel/net/smtp.ts';
import type { Db } from '../kernel/ports/db.ts';
import { HOUR_MS, MINUTE_MS } from '../kernel/time/durations.ts';
import type { World } from '../kernel/world.ts';
import type { ChannelFields, ChannelKind } from '../notifications/channel-kind.ts';
import { channelKindOf } from '../notifications/channel-kinds.ts';
import { openFields } from '../notifications/channels.ts';
import { sendMessage } from '../notifications/send-message.ts';
import { raisedAlerts } from '../store/notifications/alerts.ts';
import { findChannelRow } from '../store/notifications/channels.ts';
import { alertSubscriptionRows } from '../store/notifications/subscriptions.ts';
import { alertWords } from './alert-texts.ts';
import { type AlertRules, evaluateAlerts } from './evaluate-alerts.ts';

export type AlertOptions = {
  /** Null: another process evaluates the stored conditions. */
  readonly rules: AlertRules | null;
  readonly smtp: Smtp | null;
  /** Requested every minute while nothing is raised; null: none is configured. */
  readonly heartbeat: string | null;
  /** As operators know this process. */
  readonly name: string;
  readonly url: string;
};

export type AlertService = { close(): Promise<void> };

const AWAY_MS = 2 * MINUTE_MS;

type KnownChannel = {
  readonly subscriptionId: string;
  readonly language: 'en' | 'zh-CN';
  readonly kind: ChannelKind;
  readonly fields: ChannelFields;
};

export function openAlerts(world: World, db: Db, options: AlertOptions): AlertService {
  let channels: readonly KnownChannel[] = [];
  let seenAt = world.clock.now();
  let sentAt = Number.NEGATIVE_INFINITY;
  const rounds = openPoller(world, {
    what: 'alerts',
    intervalMs: MINUTE_MS,
    nextDueAt: async () => null,
    poll: async () => {
      try {
        channels = await knownChannels(world, db);
        const { rules } = options;
        const raised =
          rules === null ? (await raisedAlerts(db)).length : await evaluateAlerts(world, db, rules);
        seenAt = world.clock.now();
        if (raised === 0) await beat(world, options.heartbeat);
      } catch (error) {
        const now = world.clock.now();
        world.log.warn({ error: messageOf(error) }, 'alerts could not be evaluated');
        if (now - seenAt < AWAY_MS || now - sentAt < HOUR_MS) return;
        sentAt = now;
        await Promise.all(channels.map((channel) => sendAway(world, options, channel)));
      }
    },
  });
  return { close: rounds.close };
}

async function knownChannels(world: World, db: Db): Promise<readonly KnownChannel[]> {
  const known: KnownChannel[] = [];
  for (const { id, channel_id, language } of await alertSubscriptionRows(db)) {
    const row = await findChannelRow(db, channel_id);
    const kind = row === null ? null : channelKindOf(row.kind);
    const fields = row === null ? null : await openFields(world, db, row);
    if (kind !== null && fields !== null)
      known.push({ subscriptionId: id, language, kind, fields });
  }
  return known;
}

/** Once, to one channel: nothing can be queued without a database. */
async function sendAway(
  world: World,
  { smtp, name, url }: AlertOptions,
  { subscriptionId, language, kind, fields }: KnownChannel,
): Promise<void> {
  const words = alertWords[language];
  const now = world.clock.now();
  const result = await sendMessage(world, smtp, {
    kind,
    fields,
    message: {
      event: 'alert.raised',
      language,
      title: words.away(name),
      entries: [{ title: words.awayAction, url: null, summary: null, lines: [] }],
      more: 0,
      link: { url: `${url}/admin/health`, label: words.open },
      isUrgent: true,
      data: { reason: 'raised:1', alerts: [{ condition: 'database_away', process: name }] },
    },
    id: `dlv_${world.ids.next()}`,
    eventAt: now,
    subscriptionId,
    remoteId: null,
  });
  if (result.kind !== 'delivered') world.log.warn({ subscriptionId }, 'an alert was not delivered');
}

async function beat({ net, log }: World, url: string | null): Promise<void> {
  if (url === null) return;
  const outcome = await net.request({
    url,
    timeoutMs: 10_000,
    maxBytes: 65_536,
    isPolite: false,
  });
  if (outcome.kind === 'failed') log.warn({ error: outcome.message }, 'the heartbeat failed');
}
