// DingTalk: a custom robot of a group. After more than 20 messages in a minute, the service blocks
// the robot for ten minutes.
import { createHmac } from 'node:crypto';
import type { ChannelKind } from '../channel-kind.ts';
import { bodyText, dingtalk as dialect } from '../dialects.ts';
import { fitMessage } from '../message.ts';

/** The service permits 20,000 bytes. */
const MAX_BYTES = 18_000;

export const dingtalk: ChannelKind = {
  name: 'dingtalk',
  title: 'DingTalk',
  fields: [
    { name: 'url', type: 'url', isRequired: true },
    { name: 'secret', type: 'secret', isRequired: false },
  ],
  rates: [{ perSecond: 15 / 60, burst: 15 }],
  hasIds: false,
  responses: {
    success: { statuses: [200], code: { field: 'errcode', values: [0] } },
    wait: [
      { field: 'errcode', values: [130101], waitMs: 600_000 },
      { field: null, values: [429] },
    ],
    broken: [{ field: 'errcode', values: [310000, 300001] }],
    otherRefusals: 'refuse',
  },
  render: (message, { fields, at, skip }) => ({
    url: signedUrl(fields.url ?? '', fields.secret, at),
    body: fitMessage(
      message,
      (smaller) => {
        const title = dialect.escape(smaller.title);
        const text = `### ${title}\n\n${bodyText(dialect, smaller)}`;
        return JSON.stringify({
          msgtype: 'markdown',
          markdown: { title, text },
          at: { isAtAll: false },
        });
      },
      (body) => Buffer.byteLength(body) <= MAX_BYTES,
      skip,
    ),
  }),
};

/**
 * HMAC of `timestamp + "\n" + secret` with the secret as the key. The timestamp is in milliseconds.
 */
function signedUrl(url: string, secret: string | undefined, at: number): string {
  if (secret === undefined) return url;
  const sign = createHmac('sha256', secret).update(`${at}\n${secret}`).digest('base64');
  const signed = new URL(url);
  signed.searchParams.set('timestamp', String(at));
  signed.searchParams.set('sign', sign);
  return signed.href;
}
