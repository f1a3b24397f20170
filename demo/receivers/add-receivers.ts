// Adds a channel for each receiver of the demonstration, with subscriptions to news, reports and
// alerts.
import type { Smtp } from '../../src/kernel/net/smtp.ts';
import type { Db } from '../../src/kernel/ports/db.ts';
import type { World } from '../../src/kernel/world.ts';
import { channelKinds } from '../../src/notifications/channel-kinds.ts';
import { addChannel } from '../../src/notifications/channels.ts';
import { type TestSite, testChannel } from '../../src/notifications/test-channel.ts';
import { addSubscription } from '../../src/radar/subscriptions/change-subscriptions.ts';
import { matchBatch, openMatcher } from '../../src/radar/subscriptions/match-log.ts';
import { type Services, serviceKinds } from './open-services.ts';

type ReceiverDeps = {
  readonly services: Services;
  readonly smtp: Smtp;
  readonly site: TestSite;
};

const subscriptionNames = {
  en: { news: 'News', reports: 'Reports', alerts: 'Alerts' },
  'zh-CN': { news: '新闻', reports: '报告', alerts: '告警' },
} as const;

/** Each channel also receives a test message at once, so that its page is not empty. */
export async function addReceivers(
  world: World,
  db: Db,
  { services, smtp, site }: ReceiverDeps,
): Promise<void> {
  const names = subscriptionNames[site.language];
  const kinds = [
    ...serviceKinds.map((kind) => ({ kind, fields: services.fieldsOf(kind) })),
    { kind: 'email' as const, fields: { to: 'ada@radar.localhost' } },
  ];
  for (const { kind, fields } of kinds) {
    const { title } = channelKinds[kind];
    const addedChannel = await addChannel(
      world,
      db,
      { kind, name: title, fields },
      { hasSmtp: true },
    );
    if (addedChannel.kind !== 'added') continue;
    const language = kind === 'feishu' || kind === 'wecom' || kind === 'dingtalk' ? 'zh-CN' : 'en';
    const commonFields = { channel: addedChannel.id, language };
    for (const subscription of [
      { ...commonFields, name: names.news, kind: 'news', match: { minScore: 0 } },
      {
        ...commonFields,
        name: names.reports,
        kind: 'report',
        match: { reports: ['daily', 'weekly'] },
      },
      { ...commonFields, name: names.alerts, kind: 'alerts', match: {} },
    ]) {
      await addSubscription(world, db, subscription, { categories: [] });
    }
    await testChannel(world, db, { smtp, site: { ...site, language } }, addedChannel.id);
  }
  // The first batch only sets the start position: the subscriptions match later items.
  await matchBatch(world, db, openMatcher());
}
