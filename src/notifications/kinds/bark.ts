// Bark: push notifications of Apple devices, by api.day.app or by a self-hosted server.
import type { ChannelKind } from '../channel-kind.ts';
import { entryTexts, plain } from '../dialects.ts';
import { fitMessage, type NotificationMessage, omittedText } from '../message.ts';

/** Apple's push service permits 4,096 bytes. */
const MAX_BYTES = 3_000;

export const bark: ChannelKind = {
  name: 'bark',
  title: 'Bark',
  fields: [
    { name: 'key', type: 'secret', isRequired: true, pattern: /^[\w-]{4,100}$/ },
    { name: 'url', type: 'url', isRequired: false, preset: 'https://api.day.app' },
  ],
  rates: [{ perSecond: 1, burst: 1 }],
  hasIds: false,
  responses: {
    success: { statuses: [200], code: { field: 'code', values: [200] } },
    wait: [{ field: null, values: [429] }],
    broken: [
      { field: null, values: [400] },
      { field: 'code', values: [400] },
    ],
    otherRefusals: 'refuse',
  },
  render: (message, { fields, skip }) => ({
    url: `${(fields.url ?? 'https://api.day.app').replace(/\/+$/, '')}/push`,
    body: fitMessage(
      message,
      (smaller) =>
        JSON.stringify({
          device_key: fields.key,
          title: smaller.title,
          body: bodyOf(smaller),
          url: smaller.link.url,
          group: 'radar',
          level: smaller.isUrgent ? 'timeSensitive' : 'active',
          isArchive: '1',
        }),
      (body) => Buffer.byteLength(body) <= MAX_BYTES,
      skip,
    ),
  }),
};

/** A tap on the notification opens the link. Without other text, the body is the link's label. */
function bodyOf(message: NotificationMessage): string {
  const lines = [...entryTexts(plain, message), omittedText(message) ?? ''];
  return lines.filter((line) => line !== '').join('\n') || plain.escape(message.link.label);
}
