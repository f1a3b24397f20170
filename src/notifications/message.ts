// The content of a notification, independent of the service that sends it. A message that is too
// large for a service loses its summaries first, then its last entries. The link always remains.
import { assert } from '../kernel/errors/assert.ts';
import { foldWhitespace, stripControl } from '../kernel/text/text.ts';

export type NotificationEvent =
  | 'story.new'
  | 'story.contradiction'
  | 'story.correction'
  | 'story.withdrawn'
  | 'digest'
  | 'report.published'
  | 'report.corrected'
  | 'alert.raised'
  | 'alert.cleared'
  | 'test';

export type MessageEntry = {
  /** Null: the message has only this entry, so the title of the message is its title. */
  readonly title: string | null;
  /** An http(s) address; null: the title has no link. */
  readonly url: string | null;
  readonly summary: string | null;
  /** Fixed texts with third-party names, such as "5 sources, first: …". */
  readonly lines: readonly string[];
};

export type NotificationMessage = {
  readonly event: NotificationEvent;
  readonly language: 'en' | 'zh-CN';
  readonly title: string;
  readonly entries: readonly MessageEntry[];
  /** Entries of a mail in place of `entries`; absent: the same entries. */
  readonly mailEntries?: readonly MessageEntry[];
  /** Number of omitted entries. */
  readonly omittedCount: number;
  readonly link: { readonly url: string; readonly label: string };
  /** Alerts that must be sent at once. */
  readonly isUrgent: boolean;
  /** The number of contradictions in the entry of each subject; absent: none. */
  readonly contradictionCounts?: Readonly<Record<string, number>>;
  /** `data` of the webhook's body. */
  readonly data: Readonly<Record<string, unknown>>;
};

/** Characters that reorder visible text (UAX 9) and that `stripControl` does not remove. */
const directionMarks = /[\u200e\u200f\u061c]/g;
const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

const TITLE = { graphemes: 200, bytes: 600 };
const SUMMARY = { graphemes: 400, bytes: 1_200 };
const SHORT_TITLE = { graphemes: 60, bytes: 200 };

type TextLimit = { readonly graphemes: number; readonly bytes: number };

/**
 * One line without invisible control characters. A longer text is cut and ends with an ellipsis.
 */
export function cleanText(text: string, limit: TextLimit): string {
  const cleaned = foldWhitespace(stripControl(text).replace(directionMarks, ''));
  if (cleaned.length <= limit.graphemes && Buffer.byteLength(cleaned) <= limit.bytes)
    return cleaned;
  let shortened = '';
  let count = 0;
  let bytes = 0;
  for (const { segment } of segmenter.segment(cleaned)) {
    bytes += Buffer.byteLength(segment);
    count += 1;
    if (count > limit.graphemes || bytes > limit.bytes) return `${shortened.trimEnd()}…`;
    shortened += segment;
  }
  return shortened;
}

/** An http(s) address as the URL parser writes it; null for other text. */
function safeLink(url: string): string | null {
  const parsed = URL.parse(url);
  if (parsed === null || (parsed.protocol !== 'https:' && parsed.protocol !== 'http:')) return null;
  // In the markup of a chat service, these characters could end the link.
  return parsed.href.replace(/[<>|()"'`\\[\]]/g, (character) => percentEncode(character));
}

const percentEncode = (character: string) =>
  `%${character.charCodeAt(0).toString(16).toUpperCase()}`;

/** Cleans and shortens every third-party text, so that a dialect can escape it. */
function cleanMessage(message: NotificationMessage): NotificationMessage {
  return {
    ...message,
    title: cleanText(message.title, TITLE),
    link: { url: safeLink(message.link.url) ?? '', label: message.link.label },
    entries: message.entries.map((entry) => ({
      title: entry.title === null ? null : cleanText(entry.title, TITLE),
      url: entry.url === null ? null : safeLink(entry.url),
      summary: entry.summary === null ? null : cleanText(entry.summary, SUMMARY),
      lines: entry.lines.map((line) => cleanText(line, TITLE)),
    })),
  };
}

/** The same message in decreasing sizes. The last one has a short title and the link. */
function* smallerMessages(message: NotificationMessage): Generator<NotificationMessage> {
  yield message;
  const withoutSummaries = message.entries.map((entry) => ({ ...entry, summary: null }));
  yield { ...message, entries: withoutSummaries };
  for (let count = withoutSummaries.length - 1; count >= 0; count -= 1) {
    yield withEntries(message, withoutSummaries, count);
  }
  yield {
    ...withEntries(message, withoutSummaries, 0),
    title: cleanText(message.title, SHORT_TITLE),
  };
}

function withEntries(
  message: NotificationMessage,
  entries: readonly MessageEntry[],
  count: number,
): NotificationMessage {
  // A single entry has the message's title, which remains, so it does not count as omitted.
  const newlyOmitted = entries.length > 1 ? entries.length - count : 0;
  return {
    ...message,
    entries: entries.slice(0, count),
    omittedCount: message.omittedCount + newlyOmitted,
  };
}

/** The longest rendering that fits. `skip`: number of fitting renderings to skip, longest first. */
export function fitMessage<T>(
  message: NotificationMessage,
  render: (message: NotificationMessage) => T,
  isFitting: (rendered: T) => boolean,
  skip = 0,
): T {
  let remainingSkips = skip;
  let smallest: T | null = null;
  for (const smaller of smallerMessages(cleanMessage(message))) {
    const rendered = render(smaller);
    if (!isFitting(rendered)) continue;
    smallest = rendered;
    if (remainingSkips === 0) return rendered;
    remainingSkips -= 1;
  }
  assert(smallest !== null, 'a title and a link fit into every channel');
  return smallest;
}

const omittedTexts = {
  en: (count: number) => `${count} more`,
  'zh-CN': (count: number) => `另有 ${count} 条`,
} as const;

/** "23 more"; null: no entry is omitted. */
export const omittedText = ({ language, omittedCount }: NotificationMessage): string | null =>
  omittedCount > 0 ? omittedTexts[language](omittedCount) : null;
