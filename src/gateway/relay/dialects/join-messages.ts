// Joins the events of several attempts at a messages stream: content blocks of later attempts
// continue the open block or take the next index.

import type { ChatError } from '../chat-error.ts';
import { isRecord } from '../is-record.ts';
import { tokensOf } from '../token-usage.ts';
import type { ErrorContext, EventValue, StreamJoiner } from './dialect.ts';
import { messagesError } from './messages-error.ts';
import { RELAY_SIGNATURE } from './remove-thinking.ts';
import { namedEvent } from './stream-events.ts';

type OpenBlock = { readonly index: number; readonly type: unknown };

export const messagesErrorEvent = (error: ChatError, context: ErrorContext) =>
  namedEvent(messagesError(error, context));

export const MESSAGE_STOP = namedEvent({ type: 'message_stop' });

export function openMessagesJoiner(): StreamJoiner {
  let openBlock: OpenBlock | null = null;
  let nextIndex = 0;
  /**
   * Contains the blocks of the current attempt that are not text. Key: the index in the attempt.
   * Value: the index in the joined stream; null: the block is dropped.
   */
  let indexes = new Map<unknown, number | null>();
  const closeBlock = (): string => {
    if (openBlock === null) return '';
    const { index, type } = openBlock;
    openBlock = null;
    const delta = { type: 'signature_delta', signature: `${RELAY_SIGNATURE}interrupted` };
    const signatureDelta =
      type === 'thinking' ? namedEvent({ type: 'content_block_delta', index, delta }) : '';
    return signatureDelta + namedEvent({ type: 'content_block_stop', index });
  };
  const startBlock = (block: EventValue): string => {
    const closed = closeBlock();
    const index = nextIndex;
    nextIndex += 1;
    openBlock = { index, type: block.type };
    return closed + namedEvent({ type: 'content_block_start', index, content_block: block });
  };
  const writeText = (text: string | null): string => {
    if (text === null || text === '') return '';
    const started = openBlock?.type === 'text' ? '' : startBlock({ type: 'text', text: '' });
    const index = openBlock?.index;
    const delta = { type: 'text_delta', text };
    return started + namedEvent({ type: 'content_block_delta', index, delta });
  };
  /** Starts a block that is not text. */
  const startOtherBlock = (
    { index, content_block: block }: EventValue,
    isPositionKnown: boolean,
  ): string => {
    if (!isRecord(block) || block.type === 'text') return '';
    // The thinking of an attempt that only continues a text is not repeated.
    const isDropped = !isPositionKnown && /thinking$/.test(String(block.type));
    indexes.set(index, isDropped ? null : nextIndex);
    return isDropped ? '' : startBlock(block);
  };
  const stopBlock = (index: unknown, isPositionKnown: boolean): string => {
    if (indexes.get(index) === null) return '';
    const isText = !indexes.has(index);
    return isText && !isPositionKnown ? '' : closeBlock();
  };
  return {
    observe: ({ type, index, content_block: block }) => {
      if (type === 'content_block_start' && typeof index === 'number') {
        openBlock = { index, type: isRecord(block) ? block.type : null };
        nextIndex = index + 1;
      } else if (type === 'content_block_stop') openBlock = null;
    },
    beginAttempt: () => {
      indexes = new Map();
    },
    join: (value, { text, isPositionKnown }) => {
      const written = writeText(text);
      switch (value.type) {
        case 'content_block_start':
          return written + startOtherBlock(value, isPositionKnown);
        case 'content_block_delta': {
          const index = indexes.get(value.index);
          const isOtherBlock = index !== undefined && index !== null;
          return isOtherBlock
            ? namedEvent({ ...value, type: 'content_block_delta', index })
            : written;
        }
        case 'content_block_stop':
          return written + stopBlock(value.index, isPositionKnown);
        case 'message_delta':
          return written + closeBlock() + namedEvent({ ...value, type: 'message_delta' });
        default:
          return written;
      }
    },
    lengthEnd: (delivered) => {
      const end = {
        type: 'message_delta',
        delta: { stop_reason: 'max_tokens', stop_sequence: null },
        usage: { output_tokens: tokensOf(Buffer.byteLength(delivered)) },
      };
      return closeBlock() + namedEvent(end) + MESSAGE_STOP;
    },
    lastEvent: () => MESSAGE_STOP,
    errorEvent: messagesErrorEvent,
  };
}
