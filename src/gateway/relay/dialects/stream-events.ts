// Events of a stream's content, as the readers of all dialects describe them.
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

/** An event with visible content. */
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

/** An event without visible content, such as the start or the end of a part. */
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

/** A server-sent event whose name is the value's type. */
export const namedEvent = (value: EventValue & { readonly type: string }): string =>
  `event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`;
