// Creates the message of a notification about alerts, with one entry per alert. When all alerts
// concern sources of one host, the title is "11 sources, all at …".
import type { Db } from '../kernel/ports/db.ts';
import { toWireTime } from '../kernel/time/calendar.ts';
import type { MessageEntry, NotificationMessage } from '../notifications/message.ts';
import type { ContentRequest } from '../notifications/open-sender.ts';
import { type AlertRow, listAlertRows } from '../store/notifications/alerts.ts';
import { findSubscriptionRow } from '../store/notifications/subscriptions.ts';
import { alertMessages, alertTextOf } from './alert-texts.ts';

const ENTRIES_MAX = 10;

/** Null: the subscription or its alerts are not stored. */
export async function alertContent(
  db: Db,
  { url }: { readonly url: string },
  { subscriptionId, subjects, reason }: ContentRequest,
): Promise<NotificationMessage | null> {
  const subscription = await findSubscriptionRow(db, subscriptionId);
  const ids = subjects.map((subject) => subject.slice('alert:'.length));
  const alerts = await listAlertRows(db, ids);
  const [first] = alerts;
  if (subscription === null || first === undefined) return null;
  const { language } = subscription;
  const messages = alertMessages[language];
  const title = titleOf(language, alerts);
  const isCleared = reason === 'cleared';
  return {
    event: isCleared ? 'alert.cleared' : 'alert.raised',
    language,
    title: isCleared ? messages.cleared(title) : title,
    entries: isCleared ? [] : entriesOf(language, alerts),
    omittedCount: isCleared ? 0 : Math.max(0, alerts.length - ENTRIES_MAX),
    link: { url: `${url}/admin/health`, label: messages.open },
    isUrgent: !isCleared && alerts.some(({ severity }) => severity === 'page'),
    data: {
      subscription: { id: subscription.id, name: subscription.name },
      reason,
      alerts: alerts.map(({ id, condition, severity, facts, raised_at, cleared_at }) => {
        const texts = alertTextOf(language, condition);
        return {
          id,
          condition,
          severity,
          title: texts.title(facts),
          action: texts.action,
          facts,
          raisedAt: toWireTime(raised_at),
          clearedAt: cleared_at === null ? null : toWireTime(cleared_at),
        };
      }),
    },
  };
}

function titleOf(language: 'en' | 'zh-CN', alerts: readonly AlertRow[]): string {
  const messages = alertMessages[language];
  const [first] = alerts;
  if (first === undefined) return '';
  if (alerts.length === 1) return alertTextOf(language, first.condition).title(first.facts);
  const hosts = new Set(alerts.map(({ facts }) => facts.host));
  const [host] = hosts;
  return hosts.size === 1 && typeof host === 'string' && host !== ''
    ? messages.sourcesAtHost(alerts.length, host)
    : messages.alertCount(alerts.length);
}

/** The entry of a single alert has no title, because the title of the message is the same. */
const entriesOf = (
  language: 'en' | 'zh-CN',
  alerts: readonly AlertRow[],
): readonly MessageEntry[] =>
  alerts.slice(0, ENTRIES_MAX).map(({ condition, facts }) => {
    const { title, action } = alertTextOf(language, condition);
    const entryTitle = alerts.length === 1 ? null : title(facts);
    return { title: entryTitle, url: null, summary: null, lines: [action] };
  });
