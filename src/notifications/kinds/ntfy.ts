// ntfy: a topic on ntfy.sh or on a self-hosted server. The service turns a message over its size
// limit into an attached file.
import type { ChannelKind } from '../channel-kind.ts';
import { bodyText, ntfy as dialect } from '../dialects.ts';
import { fitMessage } from '../message.ts';

/** The service permits 4,096 bytes. */
const MAX_BYTES = 3_800;

export const ntfy: ChannelKind = {
  name: 'ntfy',
  title: 'ntfy',
  fields: [
    { name: 'topic', type: 'secret', isRequired: true, pattern: /^[\w-]{1,64}$/ },
    { name: 'token', type: 'secret', isRequired: false, pattern: /^tk_\w+$/ },
    { name: 'url', type: 'url', isRequired: false, preset: 'https://ntfy.sh' },
  ],
  rates: [{ perSecond: 1 / 5, burst: 30 }],
  hasIds: false,
  responses: {
    success: { statuses: [200] },
    wait: [{ field: null, values: [429] }],
    broken: [{ field: null, values: [401, 403] }],
    otherRefusals: 'refuse',
  },
  render: (message, { fields, skip }) => {
    const rendered = fitMessage(
      message,
      (smaller) => ({
        title: smaller.title,
        message: bodyText(dialect, smaller),
        click: smaller.link.url,
      }),
      (parts) => Buffer.byteLength(parts.message) <= MAX_BYTES,
      skip,
    );
    return {
      url: fields.url ?? 'https://ntfy.sh',
      headers: fields.token === undefined ? {} : { authorization: `Bearer ${fields.token}` },
      body: JSON.stringify({
        topic: fields.topic,
        title: rendered.title,
        message: rendered.message,
        click: rendered.click,
        tags: [message.isUrgent ? 'warning' : 'newspaper'],
        priority: message.isUrgent ? 5 : 3,
        markdown: true,
      }),
    };
  },
};
