// Sends a test message to one channel at once, without retries. The operator sees the service's
// response.
import type { Smtp } from '../kernel/net/smtp.ts';
import type { Db } from '../kernel/ports/db.ts';
import type { World } from '../kernel/world.ts';
import { findChannelRow } from '../store/notifications/channels.ts';
import { channelKindOf } from './channel-kinds.ts';
import { type CheckedChannel, decryptFields } from './channels.ts';
import type { NotificationMessage } from './message.ts';
import type { DeliveryResult } from './read-response.ts';
import { sendMessage } from './send-message.ts';

export type ChannelTest =
  | { readonly kind: 'not_found' }
  | { readonly kind: 'unreadable' }
  | { readonly kind: 'tested'; readonly result: DeliveryResult };

export type TestSite = {
  readonly url: string;
  readonly name: string;
  readonly language: 'en' | 'zh-CN';
};

export async function testChannel(
  world: World,
  db: Db,
  { smtp, site }: { readonly smtp: Smtp | null; readonly site: TestSite },
  id: string,
): Promise<ChannelTest> {
  const row = await findChannelRow(db, id);
  const kind = row === null ? null : channelKindOf(row.kind);
  if (row === null || kind === null) return { kind: 'not_found' };
  const fields = await decryptFields(world, db, row);
  if (fields === null) return { kind: 'unreadable' };
  const channel = { kind, fields, name: row.name };
  return { kind: 'tested', result: await sendTest(world, { smtp, site }, channel) };
}

/** Sends a test message to a stored channel, or to one that is not stored yet. */
export function sendTest(
  world: World,
  { smtp, site }: { readonly smtp: Smtp | null; readonly site: TestSite },
  { kind, fields, name }: Pick<CheckedChannel, 'kind' | 'fields' | 'name'>,
): Promise<DeliveryResult> {
  return sendMessage(world, smtp, {
    kind,
    fields,
    message: testMessage(site, name),
    id: `dlv_${world.ids.next()}`,
    eventAt: world.clock.now(),
    subscriptionId: 'test',
    remoteId: null,
  });
}

const texts = {
  en: {
    title: (site: string) => `Test of ${site}`,
    line: (name: string) => `The channel “${name}” receives notifications.`,
    label: 'Open the radar',
  },
  'zh-CN': {
    title: (site: string) => `${site} 的测试`,
    line: (name: string) => `渠道“${name}”可以收到通知。`,
    label: '打开雷达',
  },
} as const;

function testMessage({ url, name, language }: TestSite, channel: string): NotificationMessage {
  const messages = texts[language];
  return {
    event: 'test',
    language,
    title: messages.title(name),
    entries: [{ title: null, url: null, summary: messages.line(channel), lines: [] }],
    omittedCount: 0,
    link: { url, label: messages.label },
    isUrgent: false,
    data: { message: messages.line(channel) },
  };
}
