// Slack: an incoming webhook, whose address is the secret.
import type { ChannelKind } from '../channel-kind.ts';
import { slack as dialect, entryTexts } from '../dialects.ts';
import { fitMessage, type NotificationMessage, omittedText } from '../message.ts';

/** The service permits sections of 3,000 characters and 50 blocks. */
const MAX_SECTION = 2_900;
const MAX_BLOCKS = 12;
const MAX_CHARACTERS = 12_000;

export const slack: ChannelKind = {
  name: 'slack',
  title: 'Slack',
  fields: [{ name: 'url', type: 'url', isRequired: true }],
  rates: [{ perSecond: 1, burst: 1 }],
  hasIds: false,
  responses: {
    success: { statuses: [200], text: 'ok' },
    wait: [{ field: null, values: [429] }],
    broken: [{ field: null, values: [403, 404, 410] }],
    otherRefusals: 'refuse',
  },
  render: (message, { fields, skip }) => {
    const rendered = fitMessage(message, sectionsOf, fits, skip);
    return {
      url: fields.url ?? '',
      body: JSON.stringify({
        text: rendered.text,
        blocks: rendered.sections.map((text) => ({
          type: 'section',
          text: { type: 'mrkdwn', text },
        })),
        unfurl_links: false,
        unfurl_media: false,
      }),
    };
  },
};

type Sections = { readonly text: string; readonly sections: readonly string[] };

function sectionsOf(message: NotificationMessage): Sections {
  const text = dialect.escape(message.title);
  const omittedLine = omittedText(message);
  const link = dialect.link(dialect.escape(message.link.label), message.link.url);
  return {
    text,
    sections: [
      dialect.bold(text),
      ...entryTexts(dialect, message),
      omittedLine === null ? link : `${dialect.escape(omittedLine)} · ${link}`,
    ],
  };
}

function fits({ text, sections }: Sections): boolean {
  const characters = sections.reduce((sum, section) => sum + section.length, text.length);
  return (
    sections.length <= MAX_BLOCKS &&
    characters <= MAX_CHARACTERS &&
    sections.every((section) => section.length <= MAX_SECTION)
  );
}
