// Sends each alert when it is raised, every 24 hours while its condition lasts, and when it is
// cleared. One notification contains all alerts of one condition that are sent at the same time.
import { readFreeShare } from '../kernel/files/free-space.ts';
import type { Db } from '../kernel/ports/db.ts';
import { DAY_MS } from '../kernel/time/durations.ts';
import { type QuietHours, quietUntil } from '../kernel/time/local-times.ts';
import type { World } from '../kernel/world.ts';
import {
  listSourceEvidence,
  readInstallationEvidence,
} from '../store/notifications/alert-evidence.ts';
import {
  type AlertRow,
  clearAlert,
  deleteOldAlerts,
  insertAlert,
  listRaisedAlerts,
  markAlertsSent,
} from '../store/notifications/alerts.ts';
import { createNotifications } from '../store/notifications/deliveries.ts';
import {
  listAlertSubscriptionRows,
  type SubscriptionRow,
} from '../store/notifications/subscriptions.ts';
import { inTransaction } from '../store/platform/db.ts';
import { findConditions, type ModelEvidence } from './conditions.ts';
import { createSourceReports } from './source-report.ts';

export type AlertDeps = {
  /** The folder of an embedded database; null: the database is elsewhere. */
  readonly dataDir: string | null;
  /** When this process began. */
  readonly startedAt: number;
  /** IANA zone of the weekly source report. */
  readonly zone: string;
  /** Age of the oldest waiting job, ms; null: no job waits. */
  readonly oldestJobMs: () => Promise<number | null>;
  /** Null: no model is configured. */
  readonly model: (() => Promise<ModelEvidence>) | null;
};

/** Alerts are deleted after this time. */
const ALERT_LIFE_MS = 365 * DAY_MS;

/** Returns the number of raised alerts. */
export async function evaluateAlerts(world: World, db: Db, deps: AlertDeps): Promise<number> {
  const now = world.clock.now();
  const evidence = {
    now,
    sources: await listSourceEvidence(db, now),
    installation: await readInstallationEvidence(db, now),
    freeDisk: deps.dataDir === null ? null : await readFreeShare(deps.dataDir),
    startedAt: deps.startedAt,
    oldestJobMs: await deps.oldestJobMs(),
    model: deps.model === null ? null : await deps.model(),
  };
  await deleteOldAlerts(db, now - ALERT_LIFE_MS);
  await createSourceReports(world, db, deps.zone);
  return inTransaction(db, async (tx) => {
    const raisedAlerts = new Map((await listRaisedAlerts(tx)).map((alert) => [alert.key, alert]));
    const findings = findConditions(evidence, (key) => raisedAlerts.has(key));
    const findingKeys = new Set(findings.map(({ key }) => key));
    const newAlerts: AlertRow[] = [];
    for (const finding of findings) {
      if (raisedAlerts.has(finding.key)) continue;
      const id = `alr_${world.ids.next()}`;
      const alert = await insertAlert(tx, { ...finding, id, raisedAt: now });
      if (alert !== null) newAlerts.push(alert);
    }
    const clearedAlerts: AlertRow[] = [];
    for (const alert of raisedAlerts.values()) {
      if (!findingKeys.has(alert.key) && (await clearAlert(tx, alert.id, now)))
        clearedAlerts.push(alert);
    }
    const continuingAlerts = [...raisedAlerts.values()].filter(
      ({ key, sent_at }) => findingKeys.has(key) && (sent_at ?? 0) <= now - DAY_MS,
    );
    await announce(world, tx, [...newAlerts, ...continuingAlerts], 'raised');
    await announce(world, tx, clearedAlerts, 'cleared');
    await markAlertsSent(
      tx,
      [...newAlerts, ...continuingAlerts].map(({ id }) => id),
      now,
    );
    return findings.length;
  });
}

async function announce(
  world: World,
  tx: Db,
  alerts: readonly AlertRow[],
  transition: 'raised' | 'cleared',
): Promise<void> {
  if (alerts.length === 0) return;
  const subscriptions = await listAlertSubscriptionRows(tx);
  // Alerts of one condition that were sent equally often have the same reason.
  for (const group of Map.groupBy(
    alerts,
    ({ condition, sent }) => `${condition} ${sent}`,
  ).values()) {
    const [first] = group;
    if (first === undefined) continue;
    const reason = transition === 'raised' ? `raised:${first.sent + 1}` : 'cleared';
    const matching = subscriptions.filter((subscription) =>
      matchesSubscription(subscription, first),
    );
    await createNotifications(
      tx,
      matching.map((subscription) => notificationOf(world, subscription, group, reason)),
    );
  }
}

const matchesSubscription = ({ match }: SubscriptionRow, { severity }: AlertRow): boolean =>
  severity === 'page' || (match as { severity?: string }).severity !== 'page';

/** Alerts of severity `page` ignore quiet hours. */
function notificationOf(
  world: World,
  subscription: SubscriptionRow,
  alerts: readonly AlertRow[],
  reason: string,
) {
  const now = world.clock.now();
  const isUrgent = alerts.some(({ severity }) => severity === 'page');
  const quietEnd = isUrgent ? null : quietUntil(subscription.quiet as QuietHours | null, now);
  const subjects = alerts.map(({ id }) => `alert:${id}`);
  return {
    id: `ntf_${world.ids.next()}`,
    deliveryId: `dlv_${world.ids.next()}`,
    channelId: subscription.channel_id,
    subscription_id: subscription.id,
    subject: subjects[0] ?? '',
    reason,
    subjects,
    items: [],
    contradictions: 0,
    created_at: now,
    ...(quietEnd !== null && { dueAt: quietEnd }),
  };
}
