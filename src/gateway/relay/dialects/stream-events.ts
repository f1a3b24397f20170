// Builds the events that the stream readers of all dialects return, and server-sent events.
import type { TokenUsage } from '../token-usage.ts';
import type { EventValue, StreamEvent } from './dialect.ts';

type ContentFields = {
  readonly written?: string;
  /** Absent: the content is not plain text, so the stream cannot be continued after this event. */
  readonly text?: string;
  readonly isFinish?: boolean;
  readonly usage?: TokenUsage | null;
};

type ContentEvent = Extract<StreamEvent, { kind: 'content' }>;

/** Returns an event with visible content. */
export const contentEvent = (
  value: EventValue,
  { written = '', text, isFinish = false, usage = null }: ContentFields,
): ContentEvent => ({
  kind: 'content',
  written,
  isFinish,
  isVisible: true,
  text: text ?? null,
  usage,
  hasNullUsage: false,
  value,
});

/** Returns an event without visible content, such as the start or the end of a part. */
export const invisibleEvent = (
  value: EventValue,
  usage: TokenUsage | null = null,
): ContentEvent => ({
  kind: 'content',
  written: '',
  isFinish: false,
  isVisible: false,
  text: '',
  usage,
  hasNullUsage: false,
  value,
});

/** Returns a server-sent event whose name is the value's type. */
export const namedEvent = (value: EventValue & { readonly type: string }): string =>
  `event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`;
