// Discord: a webhook of a channel. Sent messages are edited in place.
import type { ChannelKind } from '../channel-kind.ts';
import { discord as dialect, textLines } from '../dialects.ts';
import {
  cleanText,
  fitMessage,
  type MessageEntry,
  type NotificationMessage,
  omittedText,
} from '../message.ts';

/** The service permits content of 2,000 characters, 10 embeds, and 6,000 characters in all. */
const MAX_CONTENT = 1_900;
const MAX_EMBEDS = 10;
const MAX_CHARACTERS = 5_500;

export const discord: ChannelKind = {
  name: 'discord',
  title: 'Discord',
  fields: [{ name: 'url', type: 'url', isRequired: true }],
  rates: [{ perSecond: 30 / 60, burst: 5 }],
  hasIds: false,
  responses: {
    success: { statuses: [200] },
    wait: [{ field: null, values: [429] }],
    waitField: 'retry_after',
    broken: [
      { field: null, values: [401] },
      { field: 'code', values: [10015] },
    ],
    idField: 'id',
    otherRefusals: 'refuse',
  },
  render: (message, { fields, skip }) => {
    const url = new URL(fields.url ?? '');
    url.searchParams.set('wait', 'true');
    return { url: url.href, body: bodyOf(message, skip) };
  },
  edit: (message, { fields, skip, remoteId }) => {
    const url = new URL(fields.url ?? '');
    url.pathname = `${url.pathname.replace(/\/+$/, '')}/messages/${remoteId}`;
    return { url: url.href, method: 'PATCH', body: bodyOf(message, skip) };
  },
};

function bodyOf(message: NotificationMessage, skip: number): string {
  const rendered = fitMessage(message, partsOf, fits, skip);
  return JSON.stringify({
    content: rendered.content,
    embeds: rendered.embeds,
    allowed_mentions: { parse: [] },
  });
}

type Embed = { readonly title?: string; readonly url?: string; readonly description: string };
type Parts = { readonly content: string; readonly embeds: readonly Embed[] };

function partsOf(message: NotificationMessage): Parts {
  const omittedLine = omittedText(message);
  const title = dialect.bold(dialect.escape(message.title));
  const link = dialect.link(dialect.escape(message.link.label), message.link.url);
  const lastLine = omittedLine === null ? link : `${dialect.escape(omittedLine)} · ${link}`;
  return {
    content: `${title}\n${lastLine}`,
    embeds: message.entries.map(embedOf).filter(hasText),
  };
}

const embedOf = (entry: MessageEntry): Embed => ({
  ...(entry.title !== null && { title: embedTitle(entry.title) }),
  ...(entry.url !== null && { url: entry.url }),
  description: textLines(entry).map(dialect.escape).join('\n'),
});

/** The service refuses an embed without text. */
const hasText = ({ title, description }: Embed) => title !== undefined || description !== '';

function fits({ content, embeds }: Parts): boolean {
  const characters = embeds.reduce(
    (sum, { title = '', description }) => sum + title.length + description.length,
    content.length,
  );
  return (
    content.length <= MAX_CONTENT && embeds.length <= MAX_EMBEDS && characters <= MAX_CHARACTERS
  );
}

/** The service permits 256 characters, escapes included. */
const MAX_TITLE = 256;

function embedTitle(title: string): string {
  for (let graphemes = 200; ; graphemes = Math.floor(graphemes / 2)) {
    const escaped = dialect.escape(cleanText(title, { graphemes, bytes: graphemes * 3 }));
    if (escaped.length <= MAX_TITLE || graphemes <= 1) return escaped;
  }
}
