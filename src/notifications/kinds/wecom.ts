// WeCom: a robot of a group. Its key is part of the address.
import type { ChannelKind } from '../channel-kind.ts';
import { wecom as dialect, fullText } from '../dialects.ts';
import { fitMessage } from '../message.ts';

/** The service permits 4,096 bytes. */
const MAX_BYTES = 4_000;

export const wecom: ChannelKind = {
  name: 'wecom',
  title: 'WeCom',
  fields: [{ name: 'url', type: 'url', isRequired: true }],
  rates: [{ perSecond: 20 / 60, burst: 20 }],
  hasIds: false,
  responses: {
    success: { statuses: [200], code: { field: 'errcode', values: [0] } },
    wait: [
      { field: 'errcode', values: [45009], waitMs: 60_000 },
      { field: null, values: [429] },
    ],
    broken: [{ field: 'errcode', values: [93000] }],
    shorten: [{ field: 'errcode', values: [40058] }],
    otherRefusals: 'refuse',
  },
  render: (message, { fields, skip }) => {
    const content = fitMessage(
      message,
      (smaller) => fullText(dialect, smaller),
      (text) => Buffer.byteLength(text) <= MAX_BYTES,
      skip,
    );
    const body = JSON.stringify({ msgtype: 'markdown', markdown: { content } });
    return { url: fields.url ?? '', body };
  },
};
