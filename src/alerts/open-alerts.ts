// Alerts of one process. The worker evaluates the stored conditions once a minute. Every process
// keeps the channels of alerts in memory. It sends an alert to these channels once an hour while
// the database is unavailable, and once a day while no worker runs.
import { openPoller } from '../kernel/concurrency/poller.ts';
import { messageOf } from '../kernel/errors/fault.ts';
import type { Smtp } from '../kernel/net/smtp.ts';
import type { Db } from '../kernel/ports/db.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../kernel/time/durations.ts';
import type { World } from '../kernel/world.ts';
import type { ChannelFields, ChannelKind } from '../notifications/channel-kind.ts';
import { channelKindOf } from '../notifications/channel-kinds.ts';
import { decryptFields } from '../notifications/channels.ts';
import { sendMessage } from '../notifications/send-message.ts';
import {
  clearAlert,
  insertAlert,
  listRaisedAlerts,
  markAlertsSent,
} from '../store/notifications/alerts.ts';
import { findChannelRow } from '../store/notifications/channels.ts';
import { listAlertSubscriptionRows } from '../store/notifications/subscriptions.ts';
import { findWorkerTickAt } from '../store/platform/worker-ticks.ts';
import { alertMessages, alertTextOf } from './alert-texts.ts';
import { workerFinding } from './conditions.ts';
import { type AlertDeps, evaluateAlerts } from './evaluate-alerts.ts';

export type AlertOptions = {
  /** Null: another process evaluates the stored conditions. */
  readonly evaluation: Omit<AlertDeps, 'startedAt'> | null;
  readonly smtp: Smtp | null;
  /** The address that is requested every minute while no alert is raised; null: not configured. */
  readonly heartbeat: string | null;
  /** The name of this process for operators. */
  readonly name: string;
  readonly url: string;
};

export type AlertService = { close(): Promise<void> };

/** A shorter failure of the database raises no alert. */
const DATABASE_FAILURE_MS = 2 * MINUTE_MS;

type KnownChannel = {
  readonly subscriptionId: string;
  readonly language: 'en' | 'zh-CN';
  readonly kind: ChannelKind;
  readonly fields: ChannelFields;
};

export function openAlerts(world: World, db: Db, options: AlertOptions): AlertService {
  let channels: readonly KnownChannel[] = [];
  const startedAt = world.clock.now();
  let evaluatedAt = startedAt;
  let databaseAlertSentAt: number | null = null;
  const send = (finding: LocalAlert) =>
    Promise.all(channels.map((channel) => sendLocally(world, options, channel, finding)));
  const poller = openPoller(world, {
    taskName: 'alerts',
    intervalMs: MINUTE_MS,
    nextDueAt: async () => null,
    poll: async () => {
      try {
        channels = await listKnownChannels(world, db);
        const { evaluation } = options;
        if (evaluation === null) await watchWorker(world, db, startedAt, send);
        const raisedCount =
          evaluation === null
            ? (await listRaisedAlerts(db)).length
            : await evaluateAlerts(world, db, { ...evaluation, startedAt });
        evaluatedAt = world.clock.now();
        if (databaseAlertSentAt !== null)
          await send({ condition: 'database_away', isCleared: true, facts: {} });
        databaseAlertSentAt = null;
        if (raisedCount === 0) await sendHeartbeat(world, options.heartbeat);
      } catch (error) {
        const now = world.clock.now();
        world.log.warn({ error: messageOf(error) }, 'alerts could not be evaluated');
        if (
          now - evaluatedAt < DATABASE_FAILURE_MS ||
          now - (databaseAlertSentAt ?? Number.NEGATIVE_INFINITY) < HOUR_MS
        )
          return;
        databaseAlertSentAt = now;
        await send({ condition: 'database_away', isCleared: false, facts: {} });
      }
    },
  });
  return { close: poller.close };
}

async function listKnownChannels(world: World, db: Db): Promise<readonly KnownChannel[]> {
  const knownChannels: KnownChannel[] = [];
  for (const { id, channel_id, language } of await listAlertSubscriptionRows(db)) {
    const row = await findChannelRow(db, channel_id);
    const kind = row === null ? null : channelKindOf(row.kind);
    const fields = row === null ? null : await decryptFields(world, db, row);
    if (kind !== null && fields !== null)
      knownChannels.push({ subscriptionId: id, language, kind, fields });
  }
  return knownChannels;
}

/** An alert that this process sends without the database. */
type LocalAlert = {
  readonly condition: 'database_away' | 'worker';
  readonly isCleared: boolean;
  readonly facts: Readonly<Record<string, string | number>>;
};

/**
 * Raises, repeats and clears the alert about a missing worker, in a process that is no worker. Of
 * several processes, only the one that stores the alert sends it. A new worker can also clear it.
 */
async function watchWorker(
  world: World,
  db: Db,
  startedAt: number,
  send: (finding: LocalAlert) => Promise<unknown>,
): Promise<void> {
  const now = world.clock.now();
  const raisedAlert = (await listRaisedAlerts(db)).find(({ condition }) => condition === 'worker');
  const tickAt = await findWorkerTickAt(db);
  const finding = workerFinding({ now, startedAt, tickAt }, raisedAlert !== undefined);
  if (finding !== null && raisedAlert === undefined) {
    const { condition, key, severity, facts } = finding;
    const id = `alr_${world.ids.next()}`;
    const alert = { id, condition, key, severity, facts, raisedAt: now };
    const storedAlert = await insertAlert(db, alert);
    if (storedAlert === null) return;
    await markAlertsSent(db, [id], now);
    await send({ condition: 'worker', isCleared: false, facts });
  } else if (finding === null && raisedAlert !== undefined) {
    if (!(await clearAlert(db, raisedAlert.id, now))) return;
    await send({
      condition: 'worker',
      isCleared: true,
      facts: raisedAlert.facts as LocalAlert['facts'],
    });
  } else if (
    // The alert is repeated once a day.
    finding !== null &&
    raisedAlert !== undefined &&
    now - (raisedAlert.sent_at ?? 0) >= DAY_MS
  ) {
    await markAlertsSent(db, [raisedAlert.id], now);
    await send({ condition: 'worker', isCleared: false, facts: finding.facts });
  }
}

/** Sends to one channel at once, without a queue and without a second attempt. */
async function sendLocally(
  world: World,
  { smtp, name, url }: AlertOptions,
  { subscriptionId, language, kind, fields }: KnownChannel,
  { condition, isCleared, facts }: LocalAlert,
): Promise<void> {
  const messages = alertMessages[language];
  const now = world.clock.now();
  const text =
    condition === 'database_away'
      ? { title: messages.databaseUnavailable(name), action: messages.databaseUnavailableAction }
      : workerAlertText(language, facts);
  const result = await sendMessage(world, smtp, {
    kind,
    fields,
    message: {
      event: isCleared ? 'alert.cleared' : 'alert.raised',
      language,
      title: isCleared ? messages.cleared(text.title) : text.title,
      entries: isCleared ? [] : [{ title: text.action, url: null, summary: null, lines: [] }],
      omittedCount: 0,
      link: { url: `${url}/admin/health`, label: messages.open },
      isUrgent: !isCleared,
      data: {
        reason: isCleared ? 'cleared' : 'raised:1',
        alerts: [{ condition, process: name, facts }],
      },
    },
    id: `dlv_${world.ids.next()}`,
    eventAt: now,
    subscriptionId,
    remoteId: null,
  });
  if (result.kind !== 'delivered') world.log.warn({ subscriptionId }, 'an alert was not delivered');
}

function workerAlertText(language: 'en' | 'zh-CN', facts: LocalAlert['facts']) {
  const { title, action } = alertTextOf(language, 'worker');
  return { title: title(facts), action };
}

async function sendHeartbeat({ net, log }: World, url: string | null): Promise<void> {
  if (url === null) return;
  const outcome = await net.request({
    url,
    timeoutMs: 10_000,
    maxBytes: 65_536,
    isPolite: false,
  });
  if (outcome.kind === 'failed')
    log.warn(
      { error: outcome.message },
      'the heartbeat failed; check alerts.heartbeat in radar.config.json',
    );
}
