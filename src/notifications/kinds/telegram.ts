// Telegram: a bot writes to a chat, or to a topic of a chat. Sent messages are edited in place.
import type { ChannelFields, ChannelKind } from '../channel-kind.ts';
import { telegram as dialect, fullText } from '../dialects.ts';
import { fitMessage, type NotificationMessage } from '../message.ts';

/** The service permits 4,096 visible characters. */
const MAX_CHARACTERS = 4_000;

export const telegram: ChannelKind = {
  name: 'telegram',
  title: 'Telegram',
  fields: [
    { name: 'token', type: 'secret', isRequired: true, pattern: /^\d{1,20}:[\w-]{10,100}$/ },
    { name: 'chat', type: 'text', isRequired: true, pattern: /^(-?\d{1,20}|@\w{3,64})$/ },
    { name: 'thread', type: 'text', isRequired: false, pattern: /^\d{1,12}$/ },
    { name: 'url', type: 'url', isRequired: false, preset: 'https://api.telegram.org' },
  ],
  // A chat permits one message a second, and a group permits 20 a minute.
  rates: [
    { perSecond: 1, burst: 1 },
    { perSecond: 20 / 60, burst: 20 },
  ],
  hasIds: false,
  responses: {
    success: { statuses: [200], code: { field: 'ok', values: [true] } },
    wait: [{ field: null, values: [429] }],
    waitField: 'parameters.retry_after',
    broken: [
      { field: null, values: [401, 403] },
      { field: null, values: [400], text: 'chat not found' },
    ],
    unchanged: { field: null, values: [400], text: 'message is not modified' },
    idField: 'result.message_id',
    otherRefusals: 'refuse',
  },
  render: (message, { fields, skip }) => ({
    url: methodUrl(fields, 'sendMessage'),
    body: JSON.stringify({
      chat_id: fields.chat,
      ...(fields.thread !== undefined && { message_thread_id: Number(fields.thread) }),
      ...textOf(message, skip),
    }),
  }),
  edit: (message, { fields, skip, remoteId }) => ({
    url: methodUrl(fields, 'editMessageText'),
    body: JSON.stringify({
      chat_id: fields.chat,
      message_id: Number(remoteId),
      ...textOf(message, skip),
    }),
  }),
};

const methodUrl = (fields: ChannelFields, method: string) =>
  `${(fields.url ?? 'https://api.telegram.org').replace(/\/+$/, '')}/bot${fields.token}/${method}`;

const entity = /&(?:amp|lt|gt);/g;
const tag = /<[^>]*>/g;

/** The limit counts visible characters: a tag counts as none, and an entity as one. */
const visibleLength = (text: string) => text.replace(tag, '').replace(entity, '.').length;

function textOf(message: NotificationMessage, skip: number) {
  const text = fitMessage(
    message,
    (smaller) => fullText(dialect, smaller),
    (rendered) => visibleLength(rendered) <= MAX_CHARACTERS,
    skip,
  );
  return { text, parse_mode: 'HTML', link_preview_options: { is_disabled: true } };
}
