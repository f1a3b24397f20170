// E-mail: text and HTML, without images, remote content or tracking.
import { html } from '../../kernel/html/html.ts';
import type { SmtpMail } from '../../kernel/net/smtp.ts';
import type { ChannelKind, RenderContext } from '../channel-kind.ts';
import { textLines } from '../dialects.ts';
import {
  fitMessage,
  type MessageEntry,
  type NotificationMessage,
  omittedText,
} from '../message.ts';

const MAX_BYTES = 90_000;

export const email: ChannelKind = {
  name: 'email',
  title: 'E-mail',
  fields: [
    {
      name: 'to',
      type: 'secret',
      isRequired: true,
      pattern: /^[^\s@<>(),;:"\\[\]]{1,64}@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$/,
    },
  ],
  rates: [],
  hasIds: true,
  responses: {
    success: { statuses: [250] },
    wait: [],
    broken: [],
    otherRefusals: 'retry',
  },
  render: null,
};

/** `listId`: id of the subscription within the sender's domain. */
export function renderMail(
  message: NotificationMessage,
  { fields, id }: Pick<RenderContext, 'fields' | 'id'>,
  listId: string,
): SmtpMail {
  const parts = fitMessage(
    { ...message, entries: message.mailEntries ?? message.entries },
    (smaller) => ({
      subject: smaller.title,
      text: textOf(smaller),
      html: htmlOf(smaller),
    }),
    ({ text, html: markup }) => Buffer.byteLength(text) + Buffer.byteLength(markup) <= MAX_BYTES,
  );
  return {
    id,
    to: fields.to ?? '',
    subject: parts.subject,
    text: parts.text,
    html: parts.html,
    headers: { 'List-Id': `<${listId}>` },
  };
}

function textOf(message: NotificationMessage): string {
  const omittedLine = omittedText(message);
  return [
    message.title,
    ...message.entries.map(entryText).filter((text) => text !== ''),
    ...(omittedLine === null ? [] : [omittedLine]),
    `${message.link.label}: ${message.link.url}`,
  ].join('\n\n');
}

const entryText = (entry: MessageEntry): string =>
  [
    ...(entry.title === null ? [] : [entry.title]),
    ...textLines(entry),
    ...(entry.url === null ? [] : [entry.url]),
  ].join('\n');

function htmlOf(message: NotificationMessage): string {
  const omittedLine = omittedText(message);
  return html`<!doctype html><html lang="${message.language}"><body><h1>${message.title}</h1>
${message.entries.map(
  (entry) => html`${entry.title !== null && html`<h2>${titleOf(entry)}</h2>`}
${textLines(entry).map((line) => html`<p>${line}</p>`)}`,
)}${omittedLine !== null && html`<p>${omittedLine}</p>`}
<p><a href="${message.link.url}">${message.link.label}</a></p></body></html>`.text;
}

const titleOf = ({ title, url }: MessageEntry) =>
  url === null ? title : html`<a href="${url}">${title}</a>`;
