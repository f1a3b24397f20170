// Feishu and Lark: a custom bot of a group, which receives cards.
import { createHmac } from 'node:crypto';
import type { ChannelKind, ChannelKindName } from '../channel-kind.ts';
import { bodyText, feishu as dialect } from '../dialects.ts';
import { fitMessage } from '../message.ts';

/** The service permits 20 KB. */
const MAX_BYTES = 19_000;

function botOf(name: ChannelKindName, title: string, host: string): ChannelKind {
  return {
    name,
    title,
    fields: [
      {
        name: 'url',
        type: 'url',
        isRequired: true,
        preset: `https://${host}/open-apis/bot/v2/hook/`,
      },
      { name: 'secret', type: 'secret', isRequired: false },
    ],
    rates: [
      { perSecond: 5, burst: 5 },
      { perSecond: 100 / 60, burst: 100 },
    ],
    hasIds: false,
    responses: {
      success: { statuses: [200], code: { field: 'code', values: [0] } },
      wait: [
        { field: 'code', values: [11232] },
        { field: null, values: [429] },
      ],
      broken: [{ field: 'code', values: [19001, 19021, 19022, 19024] }],
      otherRefusals: 'refuse',
    },
    render: (message, { fields, at, skip }) => ({
      url: fields.url ?? '',
      body: fitMessage(
        message,
        (smaller) =>
          JSON.stringify({
            ...signRequest(fields.secret, at),
            msg_type: 'interactive',
            card: {
              config: { wide_screen_mode: true },
              header: {
                template: smaller.isUrgent ? 'red' : 'blue',
                title: { tag: 'plain_text', content: smaller.title },
              },
              elements: [{ tag: 'markdown', content: bodyText(dialect, smaller) }],
            },
          }),
        (body) => Buffer.byteLength(body) <= MAX_BYTES,
        skip,
      ),
    }),
  };
}

/** HMAC of the empty text; the key is `timestamp + "\n" + secret`. */
function signRequest(secret: string | undefined, at: number) {
  if (secret === undefined) return {};
  const timestamp = String(Math.floor(at / 1000));
  const sign = createHmac('sha256', `${timestamp}\n${secret}`).digest('base64');
  return { timestamp, sign };
}

export const feishu = botOf('feishu', 'Feishu', 'open.feishu.cn');
export const lark = botOf('lark', 'Lark', 'open.larksuite.com');
