// Standard Webhooks 1.0: a signed JSON event. While the secret is rotated, the event has a
// signature of each secret.
import { signWebhook } from '../../kernel/crypto/sign-webhook.ts';
import { toWireTime } from '../../kernel/time/calendar.ts';
import type { ChannelKind } from '../channel-kind.ts';
import type { NotificationMessage } from '../message.ts';

const MAX_BYTES = 256 * 1024;

export const webhook: ChannelKind = {
  name: 'webhook',
  title: 'Webhook',
  fields: [
    { name: 'url', type: 'url', isRequired: true },
    {
      name: 'secret',
      type: 'secret',
      isRequired: false,
      pattern: /^whsec_[A-Za-z0-9+/]{32,88}=*$/,
    },
    {
      name: 'oldSecret',
      type: 'secret',
      isRequired: false,
      pattern: /^whsec_[A-Za-z0-9+/]+=*$/,
      isForRotation: true,
    },
    {
      name: 'oldSecretUntil',
      type: 'text',
      isRequired: false,
      pattern: /^\d{13}$/,
      isForRotation: true,
    },
  ],
  rates: [{ perSecond: 20, burst: 20 }],
  hasIds: true,
  responses: {
    success: { statuses: '2xx' },
    wait: [{ field: null, values: [429] }],
    broken: [{ field: null, values: [410] }],
    otherRefusals: 'retry',
  },
  render: (message, { fields, id, at, eventAt }) => {
    const body = fitData(message, eventAt);
    const secrets = [
      fields.secret,
      ...(Number(fields.oldSecretUntil ?? 0) > at ? [fields.oldSecret] : []),
    ].flatMap((text) => (text === undefined ? [] : [secretBytes(text)]));
    return { url: fields.url ?? '', body, headers: signWebhook({ id, at, body }, secrets) };
  },
};

const secretBytes = (text: string) => Buffer.from(text.replace(/^whsec_/, ''), 'base64');

/** The last items are left out until the body has at most MAX_BYTES. */
function fitData({ event, data }: NotificationMessage, eventAt: number): string {
  const items = Array.isArray(data.items) ? data.items : [];
  for (let count = items.length; ; count -= 1) {
    const shortenedData = count === items.length ? data : { ...data, items: items.slice(0, count) };
    const body = JSON.stringify({
      type: event,
      timestamp: toWireTime(eventAt),
      data: shortenedData,
    });
    if (count <= 0 || Buffer.byteLength(body) <= MAX_BYTES) return body;
  }
}
