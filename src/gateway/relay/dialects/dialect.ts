// The interface of a dialect, which is an API format of clients and upstreams. Relay contract, 1.1:
// a request is sent only to upstreams of its own dialect.
import type { ChatError } from '../chat-error.ts';
import type { TokenUsage } from '../token-usage.ts';
import type { BodyMember } from './body-members.ts';

export type DialectName = 'chat' | 'responses' | 'messages' | 'embeddings';

export const upstreamKinds = [
  'openai-chat',
  'openai-responses',
  'anthropic-messages',
  'embeddings',
] as const;

export type UpstreamKind = (typeof upstreamKinds)[number];

/** A validated request body: the fields that the relay reads, and its text. */
export type ModelRequest = {
  readonly model: string;
  readonly isStream: boolean;
  /** Number of requested responses (`n`); each has the price of one response. */
  readonly choices: number;
  /** Whether the client requested the usage chunk at the end of a chat stream. */
  readonly wantsUsage: boolean;
  /** The parsed members. */
  readonly body: Readonly<Record<string, unknown>>;
  /** The body as the client sent it. */
  readonly text: string;
  readonly members: readonly BodyMember[];
  /** Changes that the relay announces to the client: `x-relay-warning`. */
  readonly warnings: readonly string[];
};

export type UpstreamBodyOptions = {
  /** The upstream's id of the model. */
  readonly model: string;
  /** False: the upstream refuses `stream_options`. */
  readonly includeUsage: boolean;
};

export type ContinuationOptions = UpstreamBodyOptions & {
  /** The delivered text is the last assistant turn, and the model continues it. */
  readonly isPrefill: boolean;
};

/** The parsed data of an event. */
export type EventValue = Readonly<Record<string, unknown>>;

/** The meaning of one server-sent event. */
export type StreamEvent =
  /** No data: a comment or a ping. */
  | { readonly kind: 'comment' }
  /** The last event; the relay sends it after the capture. */
  | {
      readonly kind: 'done';
      readonly usage: TokenUsage | null;
      readonly isFinish: boolean;
      readonly value: EventValue;
    }
  | { readonly kind: 'error'; readonly error: ChatError }
  /** The chunk contains only usage. */
  | { readonly kind: 'usage'; readonly usage: TokenUsage; readonly value: EventValue }
  | {
      readonly kind: 'content';
      /** Text that counts as output: content, reasoning, arguments of tools. */
      readonly written: string;
      /** Every part of the response so far is complete. */
      readonly isFinish: boolean;
      /** The event has visible content: text, a tool call, or the end. */
      readonly isVisible: boolean;
      /**
       * Plain text of the first choice; null: other content, after which the stream cannot be
       * continued.
       */
      readonly text: string | null;
      readonly usage: TokenUsage | null;
      /** The member `usage` is null, because `include_usage` was requested. */
      readonly hasNullUsage: boolean;
      readonly value: EventValue;
    }
  /** The event violates the format; `problem` is for the log. */
  | { readonly kind: 'broken'; readonly problem: string };

/** Reads the events of one stream in order and writes the events that end it. */
export type StreamReader = {
  read(event: Buffer): StreamEvent;
  /** The end of a complete stream: the upstream's own last event, if the dialect has one. */
  lastEvent(): Buffer | string;
  errorEvent(error: ChatError, request: ErrorContext): string;
};

export type ErrorContext = {
  readonly requestId: string;
  /** HTTP status that the error has outside of a stream. */
  readonly status: number;
};

export type CompleteUsage = {
  readonly usage: TokenUsage | null;
  /** The text of the response. */
  readonly written: string;
};

/** Features with a price of their own, in addition to the prices of tokens. */
export type PricedFeatures = {
  /** Service tiers. */
  readonly variants: ReadonlySet<string>;
  /** Tools of the provider, by name. */
  readonly tools: ReadonlySet<string>;
};

export type HostedTool = {
  /** Name in its price class: `web_search`. */
  readonly name: string;
  /** Type in the request, with the version. */
  readonly type: string;
  /** Path of the request's field. */
  readonly param: string;
  /** Calls that the request permits; null: any number. */
  readonly callsMax: number | null;
};

export type ApiDialect = {
  readonly name: DialectName;
  readonly kind: UpstreamKind;
  /** The path after the base address, both at the relay and at an upstream. */
  readonly path: string;
  /** Limit of a request body, compressed and decompressed. */
  readonly maxBytes: number;
  /** Throws a Fault `invalid_request` that names the field. */
  readRequest(text: string): ModelRequest;
  upstreamBody(request: ModelRequest, options: UpstreamBodyOptions): string;
  /** The text of the request, without media. */
  promptText(request: ModelRequest): string;
  /** Throws a Fault for features that multiply the provider's cost and have no price. */
  refuseUnpriced(request: ModelRequest, priced: PricedFeatures): void;
  /** Tools that the provider runs itself and charges by the call. */
  hostedTools(request: ModelRequest): readonly HostedTool[];
  /** Names of the fields that limit the length of the response. */
  readonly lengthFields: readonly string[];
  /** Null: the response is incomplete or of another format. */
  readCompleteResponse(value: Readonly<Record<string, unknown>>): CompleteUsage | null;
  openReader(): StreamReader;
  /** Body of an error response. */
  errorBody(error: ChatError, context: ErrorContext): object;
  /** Null: broken streams of this request are not continued. */
  readonly continuation: Continuation | null;
};

export type Continuation = {
  mayContinue(request: ModelRequest): boolean;
  /** Text in a format, such as a schema, can only be continued as the model's own last turn. */
  needsPrefill(request: ModelRequest): boolean;
  /** The conversation, the delivered part of the response, and the instruction to continue. */
  body(request: ModelRequest, delivered: string, options: ContinuationOptions): string;
  openJoiner(): StreamJoiner;
};

/**
 * Joins the events of several attempts into one stream: ids, indexes and numbers of the first
 * attempt continue. Relay contract, 3.4, step 4.
 */
export type StreamJoiner = {
  /** Called for each event of the first attempt, which the client receives unchanged. */
  observe(value: EventValue): void;
  /** Called before the events of another attempt. */
  beginAttempt(): void;
  /** Returns the replacement of an event of a later attempt; empty: the event is dropped. */
  join(value: EventValue, splice: SplicedEvent): string;
  /** Returns the events that end the response as if it had reached its length limit. */
  lengthEnd(delivered: string): string;
  /**
   * The last event of a response that a later attempt completed. `value` is that attempt's own last
   * event.
   */
  lastEvent(value: EventValue | null, delivered: string): string;
  errorEvent(error: ChatError, request: ErrorContext): string;
};

export type SplicedEvent = {
  /** Text to deliver now; null: this event has none, or its text is held back. */
  readonly text: string | null;
  /** All text delivered so far, including `text`. */
  readonly delivered: string;
  /** False: the relay has not yet found where the new attempt's text continues. */
  readonly isPositionKnown: boolean;
};
