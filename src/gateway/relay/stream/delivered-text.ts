// The text of a stream that the client has, kept so that another attempt can continue it. Relay
// contract, 3.4: plain text of one choice, at most 256 KiB, at most two splice points.
import type { StreamEvent } from '../dialects/dialect.ts';
import { spliceText } from './splice.ts';

const TEXT_MAX = 256 * 1024;
const SPLICES_MAX = 2;

type ContentEvent = Extract<StreamEvent, { kind: 'content' }>;

/** Null fields: continuation is off for this stream. */
export class DeliveredText {
  text = '';
  mayContinue: boolean;
  /** Set while a new attempt's first text is held back. */
  private pending: string | null = null;
  private splices = 0;
  /** The id of the first attempt's chunks: later ones carry it too. */
  private id: unknown = null;
  isRestart = false;
  /** The text at the last splice point. */
  resumedFrom = '';

  constructor(mayContinue: boolean) {
    this.mayContinue = mayContinue;
  }

  get isContinued(): boolean {
    return this.splices > 0;
  }

  /** The events that follow are of a new attempt. */
  beginSplice(): void {
    this.splices += 1;
    this.isRestart = false;
    this.pending = '';
    this.resumedFrom = this.text;
    if (this.splices >= SPLICES_MAX) this.mayContinue = false;
  }

  /** What of an event is passed on; null: nothing. */
  pass(event: Buffer, chunk: ContentEvent): Buffer | null {
    if (this.splices === 0) {
      this.keep(chunk.text);
      return event;
    }
    if (this.pending === null) {
      this.keep(chunk.text);
      return this.withFirstId(event);
    }
    // Role chunks and reasoning of the new attempt are not repeated.
    if (!chunk.isVisible) return null;
    this.pending += chunk.text ?? '';
    const isEnd = chunk.isFinish || chunk.text === null;
    const spliced = spliceText(this.text, this.pending, isEnd);
    if (spliced === null) return null;
    this.pending = null;
    this.isRestart = spliced.isRestart;
    this.keep(chunk.text === null ? null : spliced.text);
    const mark = Buffer.from(`: relay-continuation ${this.splices}\n\n`);
    return Buffer.concat([mark, this.withFirstId(event, spliced.text)]);
  }

  /** The id of the stream's first event. */
  noteId(event: Buffer): void {
    if (!this.mayContinue || this.id !== null) return;
    this.id = readJson(event)?.id ?? '';
  }

  private keep(text: string | null): void {
    if (text === null) this.mayContinue = false;
    else if (this.mayContinue) this.text += text;
    if (this.text.length > TEXT_MAX) this.mayContinue = false;
    if (!this.mayContinue && !this.isContinued) this.text = '';
  }

  private withFirstId(event: Buffer, content?: string): Buffer {
    const value = readJson(event);
    if (value === null) return event;
    const [choice, ...others] = Array.isArray(value.choices) ? value.choices : [];
    const isReplaced = content !== undefined && choice !== undefined;
    const choices = isReplaced
      ? [{ ...choice, delta: { ...choice.delta, content } }, ...others]
      : value.choices;
    return Buffer.from(`data: ${JSON.stringify({ ...value, id: this.id, choices })}\n\n`);
  }
}

type ChunkValue = {
  readonly id?: unknown;
  readonly choices?: readonly { readonly delta?: object }[];
};

function readJson(event: Buffer): ChunkValue | null {
  const text = event.toString('utf8');
  const from = text.indexOf('{');
  try {
    return JSON.parse(text.slice(from)) as ChunkValue;
  } catch {
    return null;
  }
}
