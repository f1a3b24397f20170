// Joins the chunks of several attempts at a chat stream.
import { isRecord } from '../is-record.ts';
import type { EventValue, StreamJoiner } from './dialect.ts';

export const CHAT_DONE = 'data: [DONE]\n\n';

export const chatErrorEvent: StreamJoiner['errorEvent'] = (error) => dataEvent({ error });

const dataEvent = (value: object) => `data: ${JSON.stringify(value)}\n\n`;

export function openChatJoiner(): StreamJoiner {
  /** The first chunk. All later chunks receive its id. */
  let firstChunk: EventValue | null = null;
  return {
    observe: (value) => {
      firstChunk ??= value;
    },
    beginAttempt: () => {},
    join: (value, { text, isPositionKnown }) => {
      if (!isPositionKnown || !('choices' in value)) return '';
      const chunkWithFirstId = { ...value, id: firstChunk?.id ?? value.id };
      return dataEvent(text === null ? chunkWithFirstId : withContent(chunkWithFirstId, text));
    },
    lengthEnd: () => {
      const choices = [{ index: 0, delta: {}, finish_reason: 'length' }];
      const { id, created, model } = firstChunk ?? {};
      const end = { id, object: 'chat.completion.chunk', created, model, choices };
      return dataEvent(end) + CHAT_DONE;
    },
    lastEvent: () => CHAT_DONE,
    errorEvent: chatErrorEvent,
  };
}

function withContent(value: EventValue, content: string): EventValue {
  const [choice, ...otherChoices]: readonly unknown[] = Array.isArray(value.choices)
    ? value.choices
    : [];
  if (!isRecord(choice)) return value;
  const delta = isRecord(choice.delta) ? choice.delta : {};
  return { ...value, choices: [{ ...choice, delta: { ...delta, content } }, ...otherChoices] };
}
