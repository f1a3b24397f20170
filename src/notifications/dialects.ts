// The markup of each chat service: text, emphasis and links. Text of third parties must not trigger
// commands of the service, so each dialect escapes it. A test corpus covers all dialects.
import { type MessageEntry, type NotificationMessage, omittedText } from './message.ts';

export type MarkupDialect = {
  readonly escape: (text: string) => string;
  /** Emphasis for escaped text. */
  readonly bold: (text: string) => string;
  /** A link from escaped text and an http(s) address without brackets and quotation marks. */
  readonly link: (text: string, url: string) => string;
};

const replaceAll =
  (pattern: RegExp, table: Readonly<Record<string, string>>) =>
  (text: string): string =>
    text.replace(pattern, (character) => table[character] ?? character);

const markdownLink = (text: string, url: string) => `[${text}](${url})`;

const ampersands = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Slack mrkdwn: `<!channel>` and `<@U1>` need a `<`. */
export const slack: MarkupDialect = {
  escape: replaceAll(/[&<>]/g, ampersands),
  bold: (text) => `*${text}*`,
  link: (text, url) => `<${url.replaceAll('&', '&amp;')}|${text.replaceAll('|', '¦')}>`,
};

export const telegram: MarkupDialect = {
  escape: replaceAll(/[&<>]/g, ampersands),
  bold: (text) => `<b>${text}</b>`,
  link: (text, url) => `<a href="${url.replaceAll('&', '&amp;')}">${text}</a>`,
};

/** CommonMark: a backslash is written before every character that can begin markup. */
const escapeCommonMark = (text: string) => text.replace(/[\\`*_{}[\]()#+\-.!|>~<@:]/g, '\\$&');

/** Discord: mentions need `<@`; `allowed_mentions` also disables `@everyone`. */
export const discord: MarkupDialect = {
  escape: (text) => escapeCommonMark(text),
  bold: (text) => `**${text}**`,
  link: (text, url) => `[${text}](<${url}>)`,
};

export const ntfy: MarkupDialect = {
  escape: (text) => escapeCommonMark(text),
  bold: (text) => `**${text}**`,
  link: markdownLink,
};

/** Feishu cards: markup characters become HTML entities, so that `<at id=all>` is text. */
export const feishu: MarkupDialect = {
  escape: (text) => text.replace(/[&<>[\]*~_`()]/g, (character) => `&#${character.charCodeAt(0)};`),
  bold: (text) => `**${text}**`,
  link: markdownLink,
};

/** WeCom and DingTalk have no escape syntax, so markup characters become full-width characters. */
const toFullWidth = (text: string) =>
  text.replace(/[<>[\]*_`#@]/g, (character) =>
    String.fromCharCode(character.charCodeAt(0) + 0xfee0),
  );

export const wecom: MarkupDialect = {
  escape: toFullWidth,
  bold: (text) => `**${text}**`,
  link: markdownLink,
};

export const dingtalk: MarkupDialect = {
  escape: toFullWidth,
  bold: (text) => `**${text}**`,
  link: markdownLink,
};

export const plain: MarkupDialect = {
  escape: (text) => text,
  bold: (text) => text,
  link: (text) => text,
};

/** The entries, the number of omitted entries, and the link, as paragraphs. */
export function bodyText(dialect: MarkupDialect, message: NotificationMessage): string {
  const omittedLine = omittedText(message);
  const { link } = message;
  return [
    ...entryTexts(dialect, message),
    ...(omittedLine === null ? [] : [dialect.escape(omittedLine)]),
    dialect.link(dialect.escape(link.label), link.url),
  ].join('\n\n');
}

/** One text for each entry; entries without any text are left out. */
export const entryTexts = (
  dialect: MarkupDialect,
  { entries }: Pick<NotificationMessage, 'entries'>,
): readonly string[] =>
  entries.map((entry) => entryText(dialect, entry)).filter((text) => text !== '');

function entryText(dialect: MarkupDialect, entry: MessageEntry): string {
  const texts = textLines(entry).map((line) => dialect.escape(line));
  if (entry.title === null) return texts.join('\n');
  const title = dialect.escape(entry.title);
  const head = entry.url === null ? dialect.bold(title) : dialect.link(title, entry.url);
  return [head, ...texts].join('\n');
}

/** The lines below the title of an entry. */
export const textLines = ({ summary, lines }: MessageEntry): readonly string[] =>
  summary === null ? lines : [summary, ...lines];

/** The title of the message and its body. */
export function fullText(dialect: MarkupDialect, message: NotificationMessage): string {
  return `${dialect.bold(dialect.escape(message.title))}\n\n${bodyText(dialect, message)}`;
}
