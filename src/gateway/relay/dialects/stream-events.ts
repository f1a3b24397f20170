// Events of streams whose text the relay does not continue.
import type { TokenUsage } from '../token-usage.ts';
import type { StreamEvent } from './dialect.ts';

type ContentFields = {
  readonly bytes: number;
  readonly isFinish?: boolean;
  readonly usage?: TokenUsage | null;
};

/** An event that the client sees. */
export const contentEvent = ({
  bytes,
  isFinish = false,
  usage = null,
}: ContentFields): StreamEvent => ({
  kind: 'content',
  bytes,
  isFinish,
  isVisible: true,
  text: null,
  usage,
  hasNullUsage: false,
});

/** An event that announces or closes a part of the response. */
export const ignoredEvent: StreamEvent = {
  kind: 'content',
  bytes: 0,
  isFinish: false,
  isVisible: false,
  text: null,
  usage: null,
  hasNullUsage: false,
};
