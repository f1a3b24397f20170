// Keeps the text of a stream that a client has received. Another attempt can continue the text, and
// the relay can count its tokens. Relay contract, 3.4: plain text of one choice, a limited
// length, at most two splice points.
import type { EventValue, StreamEvent, StreamJoiner } from '../dialects/dialect.ts';
import { spliceText } from './splice.ts';

const MAX_CHARACTERS = 256 * 1024;
const MAX_SPLICES = 2;

type ContentEvent = Extract<StreamEvent, { kind: 'content' }>;

/** The output of a response. */
export type WrittenText = {
  readonly text: string;
  /** Number of output bytes that were not kept, because the limit was reached. */
  readonly moreBytes: number;
};

export class DeliveredText {
  /** Plain text of the first choice. */
  text = '';
  mayContinue: boolean;
  /** The current attempt began again from the start of the response. */
  isRestart = false;
  /** Bytes of all output, including output that is not kept. */
  bytes = 0;
  /** The text at the last splice point. */
  resumedFrom = '';
  private readonly joiner: StreamJoiner | null;
  /** Reasoning, arguments of tools and further choices. */
  private otherText = '';
  private moreBytes = 0;
  /** Length of `otherText` at the last splice point. */
  private otherTextStart = 0;
  /** Set while a new attempt's first text is held back. */
  private heldBackText: string | null = null;
  private splices = 0;
  /** A comment line, written before the first event of a new attempt. */
  private spliceComment = '';

  /** `joiner` null: the dialect does not continue streams. */
  constructor(joiner: StreamJoiner | null, mayContinue: boolean) {
    this.joiner = joiner;
    this.mayContinue = mayContinue && joiner !== null;
  }

  get isContinued(): boolean {
    return this.splices > 0;
  }

  get written(): WrittenText {
    return { text: this.text + this.otherText, moreBytes: this.moreBytes };
  }

  /** The kept output of the current attempt. */
  get attemptText(): string {
    const from = this.isRestart ? 0 : this.resumedFrom.length;
    return (
      this.text.slice(from) + this.otherText.slice(this.otherTextStart) + (this.heldBackText ?? '')
    );
  }

  /** Called before the events of a new attempt. */
  beginSplice(): void {
    this.splices += 1;
    this.isRestart = false;
    this.heldBackText = '';
    this.resumedFrom = this.text;
    this.otherTextStart = this.otherText.length;
    this.spliceComment = `: relay-continuation ${this.splices}\n\n`;
    this.joiner?.beginAttempt();
    if (this.splices >= MAX_SPLICES) this.mayContinue = false;
  }

  /** Adds an event with content. Returns the part to forward; null: nothing. */
  addContent(event: Buffer, chunk: ContentEvent): Buffer | null {
    if (this.splices === 0) {
      this.keep(chunk.text, chunk.written);
      this.joiner?.observe(chunk.value);
      return event;
    }
    return this.join(chunk.value, this.releaseText(chunk));
  }

  /**
   * Adds an event of a later attempt that has no content, such as the event that ends the stream.
   * Returns the bytes to forward; null: nothing.
   */
  addOther(value: EventValue): Buffer | null {
    return this.join(value, this.releaseText({ text: '', written: '', isFinish: true }));
  }

  private join(value: EventValue, text: string | null): Buffer | null {
    const isPositionKnown = this.heldBackText === null;
    const joined = this.joiner?.join(value, { text, delivered: this.text, isPositionKnown }) ?? '';
    if (joined === '') return null;
    const { spliceComment } = this;
    this.spliceComment = '';
    return Buffer.from(spliceComment + joined);
  }

  /**
   * Returns the text of an event that is delivered now; null: no text, or the text is held back.
   */
  private releaseText({
    text,
    written,
    isFinish,
  }: Pick<ContentEvent, 'text' | 'written' | 'isFinish'>): string | null {
    if (this.heldBackText === null) {
      this.keep(text, written);
      return text;
    }
    // Opening events and reasoning of the new attempt do not determine the splice point.
    if (text === '' && !isFinish) return null;
    this.heldBackText += text ?? '';
    const spliced = spliceText(this.text, this.heldBackText, isFinish || text === null);
    if (spliced === null) return null;
    this.heldBackText = null;
    this.isRestart = spliced.isRestart;
    this.keep(spliced.text, spliced.text);
    if (text === null) this.keep(null, written);
    return spliced.text;
  }

  /** `written` begins with `text`, unless `text` is null. */
  private keep(text: string | null, written: string): void {
    this.bytes += Buffer.byteLength(written);
    if (text === null) this.mayContinue = false;
    const isFull = this.text.length + this.otherText.length > MAX_CHARACTERS;
    if (isFull && !this.isContinued) {
      this.moreBytes += Buffer.byteLength(written);
      return;
    }
    const plain = text ?? '';
    this.text += plain;
    if (written.length > plain.length) this.otherText += written.slice(plain.length);
    if (this.text.length + this.otherText.length > MAX_CHARACTERS) this.mayContinue = false;
  }
}
