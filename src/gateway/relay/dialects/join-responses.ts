// Joins the events of several attempts at a responses stream. The open message continues, other
// items take the next output index, and sequence numbers continue.
import type { ChatError } from '../chat-error.ts';
import { isRecord } from '../is-record.ts';
import type { ErrorContext, EventValue, SplicedEvent, StreamJoiner } from './dialect.ts';
import { namedEvent } from './stream-events.ts';

type OpenItem = {
  readonly index: number;
  readonly id: unknown;
  readonly type: unknown;
  /** The start of the item's text in the delivered text. */
  readonly from: number;
};

type FailedStream = {
  readonly sequence: number;
  /** The last response object of the stream. */
  readonly response: EventValue;
};

export function failedEvent(
  { sequence, response }: FailedStream,
  { message, code }: ChatError,
  { requestId }: ErrorContext,
): string {
  return namedEvent({
    type: 'response.failed',
    sequence_number: sequence + 1,
    response: {
      id: response.id ?? requestId,
      object: 'response',
      created_at: response.created_at ?? 0,
      model: response.model ?? null,
      output: [],
      status: 'failed',
      error: { code: code ?? 'server_error', message },
    },
  });
}

export function openResponsesJoiner(): StreamJoiner {
  return new ResponsesJoiner();
}

const MESSAGE = 'message';

class ResponsesJoiner implements StreamJoiner {
  private sequence = -1;
  private response: EventValue = {};
  private openItem: OpenItem | null = null;
  private nextIndex = 0;
  private readonly items: unknown[] = [];
  /**
   * Contains the items of the current attempt that are not messages. Key: the index in the attempt.
   * Value: the index in the joined stream; null: the item is dropped.
   */
  private indexes = new Map<unknown, number | null>();

  observe(value: EventValue): void {
    const { type, item, output_index: index, response, sequence_number: sequence } = value;
    if (typeof sequence === 'number') this.sequence = sequence;
    if (isRecord(response)) this.response = response;
    if (type === 'response.output_item.added' && isRecord(item)) {
      this.openItem = { index: Number(index), id: item.id, type: item.type, from: 0 };
      this.nextIndex = Number(index) + 1;
    } else if (type === 'response.output_item.done') {
      this.items.push(item);
      this.openItem = null;
    }
  }

  beginAttempt(): void {
    this.indexes = new Map();
  }

  join(value: EventValue, { text, delivered, isPositionKnown }: SplicedEvent): string {
    const written = this.writeText(text, delivered);
    const { type, output_index: index, item } = value;
    const isMessage = isRecord(item) && item.type === MESSAGE;
    if (type === 'response.output_item.added' && isRecord(item) && !isMessage) {
      return written + this.startOtherItem(value, item, { isPositionKnown, delivered });
    }
    if (type === 'response.output_item.done' && isMessage) {
      return isPositionKnown ? written + this.closeItem(delivered) : written;
    }
    const joinedIndex = this.indexes.get(index);
    if (joinedIndex === undefined || joinedIndex === null) return written;
    if (type === 'response.output_item.done') {
      this.items.push(item);
      this.openItem = null;
    }
    return written + this.write({ ...value, output_index: joinedIndex });
  }

  lengthEnd(delivered: string): string {
    const closed = this.closeItem(delivered);
    const response = {
      ...this.response,
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
      output: this.items,
    };
    return closed + this.write({ type: 'response.incomplete', response });
  }

  lastEvent(value: EventValue | null, delivered: string): string {
    const closed = this.closeItem(delivered);
    const { id, created_at } = this.response;
    const upstreamResponse = isRecord(value?.response) ? value.response : {};
    const response = { ...upstreamResponse, id, created_at, output: this.items };
    return closed + this.write({ ...value, response });
  }

  errorEvent(error: ChatError, context: ErrorContext): string {
    const { sequence, response } = this;
    return failedEvent({ sequence, response }, error, context);
  }

  private write(value: EventValue): string {
    this.sequence += 1;
    return namedEvent({
      ...value,
      type: String(value.type),
      sequence_number: this.sequence,
    });
  }

  private writeText(text: string | null, delivered: string): string {
    if (text === null || text === '') return '';
    const deliveredBefore = delivered.slice(0, delivered.length - text.length);
    const started = this.openItem?.type === MESSAGE ? '' : this.startMessage(deliveredBefore);
    return (
      started +
      this.write({ type: 'response.output_text.delta', ...this.positionOfOpenItem(), delta: text })
    );
  }

  private positionOfOpenItem() {
    const { id, index } = this.openItem ?? { id: null, index: 0 };
    return { item_id: id, output_index: index, content_index: 0 };
  }

  private startMessage(deliveredBefore: string): string {
    const closed = this.closeItem(deliveredBefore);
    const index = this.nextIndex;
    this.nextIndex += 1;
    const id = `msg_${String(this.response.id)}_${index}`;
    this.openItem = { index, id, type: MESSAGE, from: deliveredBefore.length };
    const item = { id, type: MESSAGE, role: 'assistant', status: 'in_progress', content: [] };
    const itemAdded = { type: 'response.output_item.added', output_index: index, item };
    const part = {
      type: 'response.content_part.added',
      ...this.positionOfOpenItem(),
      part: textPart(''),
    };
    return closed + this.write(itemAdded) + this.write(part);
  }

  /** Starts a tool call or reasoning, at the next output index. */
  private startOtherItem(
    value: EventValue,
    item: EventValue,
    { isPositionKnown, delivered }: Pick<SplicedEvent, 'isPositionKnown' | 'delivered'>,
  ): string {
    const { output_index: upstreamIndex } = value;
    // The reasoning of an attempt that only continues a text is not repeated.
    if (!isPositionKnown && item.type === 'reasoning') {
      this.indexes.set(upstreamIndex, null);
      return '';
    }
    const closed = this.closeItem(delivered);
    const index = this.nextIndex;
    this.nextIndex += 1;
    this.indexes.set(upstreamIndex, index);
    this.openItem = { index, id: item.id, type: item.type, from: delivered.length };
    return closed + this.write({ ...value, output_index: index });
  }

  private closeItem(delivered: string): string {
    const { openItem } = this;
    if (openItem === null) return '';
    const { id, index, type } = openItem;
    const position = this.positionOfOpenItem();
    this.openItem = null;
    if (type !== MESSAGE) {
      const item = { id, type, summary: [] };
      this.items.push(item);
      return this.write({ type: 'response.output_item.done', output_index: index, item });
    }
    const doneText = delivered.slice(openItem.from);
    const part = textPart(doneText);
    const item = { id, type, role: 'assistant', status: 'completed', content: [part] };
    this.items.push(item);
    return (
      this.write({ type: 'response.output_text.done', ...position, text: doneText, logprobs: [] }) +
      this.write({ type: 'response.content_part.done', ...position, part }) +
      this.write({ type: 'response.output_item.done', output_index: index, item })
    );
  }
}

const textPart = (text: string) => ({
  type: 'output_text',
  text,
  annotations: [],
  logprobs: [],
});
