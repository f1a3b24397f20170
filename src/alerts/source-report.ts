// The weekly source report goes to the subscriptions of alerts, on Monday at 09:00 in the
// operator's zone. It lists the items of each source in the week, and the sources without items in
// 30 days.
import { Temporal } from 'temporal-polyfill';
import type { Db } from '../kernel/ports/db.ts';
import { DAY_MS } from '../kernel/time/durations.ts';
import { toInstant } from '../kernel/time/local-times.ts';
import type { World } from '../kernel/world.ts';
import type { MessageEntry, NotificationMessage } from '../notifications/message.ts';
import type { ContentRequest } from '../notifications/open-sender.ts';
import { createNotifications } from '../store/notifications/deliveries.ts';
import { listSourceWeeks, type SourceWeek } from '../store/notifications/source-week.ts';
import {
  findSubscriptionRow,
  listAlertSubscriptionRows,
  type SubscriptionRow,
} from '../store/notifications/subscriptions.ts';
import { inTransaction } from '../store/platform/db.ts';
import { sourceReportMessages } from './source-report-messages.ts';

export const SOURCE_REPORT = 'sources';

const REPORT_TIME = '09:00';
/** Mails and webhooks list all sources. A chat message lists ten sources and counts the others. */
const MAX_CHAT_ENTRIES = 10;

/** Monday of the week of `now`, in the given zone. */
function reportDay(now: number, zone: string): Temporal.PlainDate {
  const localDay = Temporal.Instant.fromEpochMilliseconds(now)
    .toZonedDateTimeISO(zone)
    .toPlainDate();
  return localDay.subtract({ days: localDay.dayOfWeek - 1 });
}

/** Creates no report more than a day after it is due. Returns the number of created reports. */
export async function createSourceReports(world: World, db: Db, zone: string): Promise<number> {
  const now = world.clock.now();
  const day = reportDay(now, zone);
  const dueAt = toInstant(day, REPORT_TIME, zone);
  if (now < dueAt || now >= dueAt + DAY_MS) return 0;
  const subscriptions = (await listAlertSubscriptionRows(db)).filter((subscription) =>
    isReportSubscription(subscription, dueAt),
  );
  const newDeliveries = subscriptions.map((subscription) => ({
    id: `ntf_${world.ids.next()}`,
    deliveryId: `dlv_${world.ids.next()}`,
    channelId: subscription.channel_id,
    subscription_id: subscription.id,
    subject: SOURCE_REPORT,
    reason: `weekly:${day}`,
    subjects: [SOURCE_REPORT],
    items: [],
    contradictions: 0,
    created_at: now,
  }));
  const created = await inTransaction(db, (tx) => createNotifications(tx, newDeliveries));
  return created.length;
}

/** A subscription to urgent alerts receives no report. */
const isReportSubscription = ({ match, created_at }: SubscriptionRow, dueAt: number): boolean =>
  created_at <= dueAt && (match as { readonly severity?: string }).severity !== 'page';

/** Null: no source is active. */
export async function sourceReportContent(
  db: Db,
  { url }: { readonly url: string },
  { subscriptionId, reason, createdAt }: ContentRequest,
): Promise<NotificationMessage | null> {
  const subscription = await findSubscriptionRow(db, subscriptionId);
  const weeks = await listSourceWeeks(db, createdAt);
  if (subscription === null || weeks.length === 0) return null;
  const { language } = subscription;
  const messages = sourceReportMessages[language];
  const entryOf = (week: SourceWeek): MessageEntry => ({
    title: week.name,
    url: `${url}/admin/sources/${encodeURIComponent(week.id)}`,
    summary: null,
    lines: [messages.line(week)],
  });
  const weeksWithoutItems = weeks.filter(({ hasItems }) => !hasItems);
  const weeksWithoutSelected = weeks.filter(
    ({ hasItems, hasSelected }) => hasItems && !hasSelected,
  );
  const emptySections = [
    [messages.withoutItems, weeksWithoutItems],
    [messages.withoutSelected, weeksWithoutSelected],
  ] as const;
  const emptyLists = emptySections.flatMap(([title, sources]): MessageEntry[] =>
    sources.length === 0
      ? []
      : [{ title, url: null, summary: null, lines: [sources.map(({ name }) => name).join(', ')] }],
  );
  const activeWeeks = weeks.filter(({ items, failures }) => items > 0 || failures > 0);
  return {
    event: 'digest',
    language,
    title: messages.title(
      weeks.reduce((sum, { items }) => sum + items, 0),
      weeks.length,
    ),
    entries: [...activeWeeks.slice(0, MAX_CHAT_ENTRIES).map(entryOf), ...emptyLists],
    mailEntries: [...activeWeeks.map(entryOf), ...emptyLists],
    omittedCount: Math.max(0, activeWeeks.length - MAX_CHAT_ENTRIES),
    link: { url: `${url}/admin/sources`, label: messages.open },
    isUrgent: false,
    data: {
      subscription: { id: subscription.id, name: subscription.name },
      reason,
      sources: weeks,
    },
  };
}
