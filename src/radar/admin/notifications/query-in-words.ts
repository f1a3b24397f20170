// Describes a subscription's query and schedule in words.
import type { Html } from '../../../kernel/html/html.ts';
import { html } from '../../../kernel/html/html.ts';
import { renderDateTime } from '../../../kernel/web/format-time.ts';
import type {
  Schedule,
  Subscription,
  SubscriptionInput,
} from '../../subscriptions/subscription.ts';
import type { RadarPageContext } from '../admin-context.ts';
import { notificationMessages } from '../messages/notifications.ts';

export function describeQuery(
  { site, labels }: RadarPageContext,
  subscription: SubscriptionInput,
): string {
  const messages = notificationMessages(site.language);
  const { words: phrases, comma } = messages;
  const joinTexts = (texts: readonly string[]) => texts.join(comma);
  switch (subscription.kind) {
    case 'story':
      return phrases.story(subscription.match.story);
    case 'report':
      return joinTexts(subscription.match.reports.map((kind) => messages.reports[kind]));
    case 'alerts':
      return messages.severities[subscription.match.severity];
    case 'news': {
      const { any, none, categories, sources, languages, mode, minScore } = subscription.match;
      const filters = [
        any.length > 0 ? phrases.any(joinTexts(any)) : '',
        none.length > 0 ? phrases.none(joinTexts(none)) : '',
        joinTexts(categories.map((id) => labels[id] ?? id)),
        joinTexts(sources),
        joinTexts(languages.map((language) => messages.languageNames[language])),
        // A minimum score of 0 excludes only items without a score.
        minScore === null || minScore === 0 ? '' : phrases.score(minScore),
      ].filter((part) => part !== '');
      const modeText = mode === 'all' ? phrases.all : phrases.selected;
      const hasMode = mode === 'all' || filters.length === 0;
      return [...filters, ...(hasMode ? [modeText] : [])].join(' · ');
    }
  }
}

export function describeSchedule({ site }: RadarPageContext, schedule: Schedule): string {
  const messages = notificationMessages(site.language);
  if ('at' in schedule) return messages.instant;
  if ('every' in schedule) {
    return messages.schedules[String(schedule.every)] ?? messages.every(schedule.every);
  }
  const { daily, days, zone } = schedule;
  const dayNames = days.length === 7 ? [] : days.map((day) => messages.dayNames[day - 1] ?? '');
  return [daily.join(messages.comma), dayNames.join(messages.comma), zone]
    .filter((part) => part !== '')
    .join(' · ');
}

export const renderNextRun = (
  { site, world }: RadarPageContext,
  { nextAt, state }: Subscription,
): Html =>
  state !== 'on' || nextAt === null ? html`–` : html`${renderDateTime({ site, world }, nextAt)}`;
