// Forwards a stream from its upstream to the client, event by event and with backpressure. The
// handler writes the last event or the error. A usage chunk that only the relay requested is
// dropped. A broken stream continues at another target.

import type { CancelToken } from '../../../kernel/concurrency/cancel-token.ts';
import { Fault, messageOf } from '../../../kernel/errors/fault.ts';
import type { FlowControl } from '../../../kernel/net/read-chunks.ts';
import type { World } from '../../../kernel/world.ts';
import type { FailureClass, StartedStream } from '../attempt.ts';
import { type ChatError, isCallerError } from '../chat-error.ts';
import { continueInstruction } from '../dialects/continuation.ts';
import type { ApiDialect, EventValue, StreamJoiner, StreamReader } from '../dialects/dialect.ts';
import type { AttemptOutput } from '../receipt.ts';
import { MAX_SKIPPED_EVENTS } from '../run-attempt.ts';
import { type TokenUsage, toWholeResponseUsage } from '../token-usage.ts';
import type { TextCounter } from '../tokens/token-counter.ts';
import type { UpstreamRules } from '../upstream/upstream.ts';
import { DeliveredText, type WrittenText } from './delivered-text.ts';
import type { HoldExtension } from './hold-extension.ts';
import { withoutNullUsage } from './read-chunk.ts';
import { openStreamWatch } from './stream-watch.ts';

export type StreamClient = {
  /** False: wait for `waitForDrain`. After a disconnect every write returns true. */
  write(bytes: Buffer): boolean;
  /** Resolves when the client accepts more data, has disconnected, or has timed out. */
  waitForDrain(cancelToken: CancelToken): Promise<void>;
};

export type StreamEnd = {
  /** The upstream's numbers of the whole response; null: the upstream reported no numbers. */
  readonly usage: TokenUsage | null;
  /**
   * Numbers that the upstream reported before the end. Some providers report input tokens first.
   */
  readonly interimUsage: TokenUsage | null;
  readonly written: WrittenText;
  /** Writes the event that ends the stream. */
  readonly writer: StreamWriter;
  /** Number of events of all attempts that were not JSON. */
  readonly skipped: number;
  /** The model of the last attempt. */
  readonly model: string;
} & (CompletedStream | { readonly kind: 'disconnected' } | FailedStream);

type StreamWriter = Pick<StreamReader, 'lastEvent' | 'errorEvent'>;

type StreamProgress = {
  usage: TokenUsage | null;
  /** The usage covers all of the output. */
  isUsageFinal: boolean;
  /** The event that ended the stream. */
  lastValue: EventValue | null;
  /** Every part of the response so far is complete. */
  isFinished: boolean;
  /** Number of events that are not JSON. */
  skipped: number;
};

/**
 * The reason why a stream broke: a silent upstream, a lost connection, or a violation of the
 * format.
 */
export type InterruptionCause = Extract<FailureClass, 'silent' | 'reset' | 'broken'>;

/** Starts another attempt after a break; null: no attempt remains. */
export type ResumeStream = (
  broken: StartedStream,
  delivered: string,
  cause: InterruptionCause,
) => Promise<StartedStream | { readonly kind: 'disconnected' } | null>;

export type ForwardOptions = {
  readonly dialect: ApiDialect;
  readonly wantsUsage: boolean;
  /** The start of the call, in epoch ms. The hold ends soon after the longest stream from then. */
  readonly startedAt: number;
  readonly stallMs: number | undefined;
  /** Null: a stream that breaks is not continued. */
  readonly resume: ResumeStream | null;
  /** Null: usage cannot exceed the hold. */
  readonly extension: HoldExtension | null;
  readonly counter: TextCounter;
  /** Called at the end of each attempt. */
  readonly noteOutput: (output: AttemptOutput) => void;
};

type CompletedStream = {
  readonly kind: 'completed';
  /** The hold did not cover more output, so the relay ended the response. */
  readonly isCut: boolean;
};

type StreamEnding = CompletedStream | FailedStream;
type FailedStream = {
  readonly kind: 'failed';
  readonly error: Fault | ChatError;
  /** The interruption after which another attempt may continue; null: no attempt may continue. */
  readonly interruption: InterruptionCause | null;
};

export async function forwardStream(
  world: World,
  started: StartedStream,
  client: StreamClient,
  options: ForwardOptions,
): Promise<StreamEnd> {
  const { resume, dialect } = options;
  const joiner = dialect.continuation?.openJoiner() ?? null;
  const delivered = new DeliveredText(joiner, resume !== null);
  const attemptOptions = { ...options, joiner, delivered };
  let currentAttempt = started;
  let skipped = 0;
  for (;;) {
    const end = await forwardAttempt(world, currentAttempt, client, attemptOptions);
    updateCircuit(currentAttempt, end);
    skipped += end.skipped;
    const { resumedFrom, attemptText: text } = delivered;
    options.noteOutput({ usage: end.usage, interimUsage: end.interimUsage, resumedFrom, text });
    const usage = await continuedUsage(end.usage, delivered, options.counter);
    const streamEnd = { ...end, skipped, usage };
    if (end.kind !== 'failed' || end.interruption === null) return streamEnd;
    if (resume === null || !delivered.mayContinue) return streamEnd;
    const nextAttempt = await resume(currentAttempt, delivered.text, end.interruption);
    if (nextAttempt === null) return streamEnd;
    if (nextAttempt.kind === 'disconnected') {
      const { writer, model, written } = end;
      return {
        kind: 'disconnected',
        written,
        usage: null,
        interimUsage: null,
        writer,
        model,
        skipped,
      };
    }
    delivered.beginSplice();
    currentAttempt = nextAttempt;
  }
}

function updateCircuit({ target, latencyMs, cancelToken }: StartedStream, end: StreamEnd): void {
  if (end.kind === 'failed' && cancelToken.reason !== 'stopping') {
    target.circuit.recordFailure(latencyMs);
  } else if (end.kind === 'disconnected') target.circuit.recordAbandoned();
  else target.circuit.recordSuccess(latencyMs);
}

/** Converts the usage of a continued stream to the usage of an uninterrupted stream. */
async function continuedUsage(
  usage: TokenUsage | null,
  delivered: DeliveredText,
  counter: TextCounter,
): Promise<TokenUsage | null> {
  if (usage === null || !delivered.isContinued || delivered.isRestart) return usage;
  const { resumedFrom } = delivered;
  const outputBefore = await counter.count(resumedFrom);
  const instruction = await counter.count(continueInstruction(resumedFrom));
  return toWholeResponseUsage(usage, { inputAdded: outputBefore + instruction, outputBefore });
}

type AttemptOptions = ForwardOptions & {
  readonly joiner: StreamJoiner | null;
  readonly delivered: DeliveredText;
};

/**
 * Forwards one attempt with callbacks, because a promise per chunk would delay each chunk by a turn
 * of the event loop.
 */
function forwardAttempt(
  world: World,
  startedStream: StartedStream,
  client: StreamClient,
  { dialect, wantsUsage, startedAt, stallMs, delivered, joiner, extension }: AttemptOptions,
): Promise<StreamEnd> {
  const reader = dialect.openReader();
  const { cancelToken, chunks, splitter } = startedStream;
  const { rules } = startedStream.target.upstream;
  const state: StreamProgress = {
    usage: null,
    isUsageFinal: false,
    lastValue: null,
    isFinished: false,
    skipped: 0,
  };
  const limits = { stallMs: stallMs ?? rules.stallMs, endsAt: startedAt + rules.maxMs };
  const watch = openStreamWatch(world.clock, limits, (reason) => cancelToken.cancel(reason));
  const { promise, resolve } = Promise.withResolvers<StreamEnd>();
  let isOver = false;
  const finish = (ending: StreamEnding | { readonly kind: 'disconnected' }) => {
    isOver = true;
    watch.close();
    const { usage, isUsageFinal, skipped } = state;
    resolve({
      ...ending,
      usage: isUsageFinal ? usage : null,
      interimUsage: usage,
      skipped,
      written: delivered.written,
      writer: writerOf(ending, joiner, { reader, delivered, lastValue: state.lastValue }),
      model: startedStream.target.model,
    });
  };
  const endAtHoldLimit = () => {
    if (isOver || joiner === null) return;
    // The stream is ended before the cancellation, because the cancelled exchange fails
    // immediately.
    finish({ kind: 'completed', isCut: true });
    cancelToken.cancel('finished');
  };
  const forwardToClient = (events: readonly Buffer[], flow: FlowControl | null) => {
    const { clientEvents, ending } = forwardEvents(state, events, {
      reader,
      wantsUsage,
      delivered,
      rules,
    });
    extension?.noteWritten(delivered.bytes, endAtHoldLimit);
    const canWriteMore = clientEvents.length === 0 || client.write(concatenate(clientEvents));
    const endIfOver = () => ending !== null && finish(endStream(startedStream, ending));
    if (canWriteMore || flow === null) return endIfOver();
    flow.hold();
    watch.waitFor('client');
    client.waitForDrain(cancelToken).then(() => {
      watch.waitFor('upstream');
      endIfOver();
      flow.resume();
    });
  };
  const feed = (events: () => readonly Buffer[], flow: FlowControl | null) => {
    // Chunks after the end are read and ignored, so that the connection can be reused.
    if (isOver) return;
    try {
      const receivedEvents = events();
      // Bytes of an unfinished event do not count: an upstream could send one byte per second.
      if (receivedEvents.length > 0) watch.recordActivity();
      forwardToClient(receivedEvents, flow);
    } catch (error) {
      finish(endAfterError(startedStream, error));
    }
  };
  const close = () => {
    feed(() => completeLastEvent(splitter.remainder()), null);
    cancelToken.cancel('finished');
    // Some servers end without [DONE]. The response is complete when every choice has a finish
    // reason.
    if (!isOver) finish(findEnding(state, rules));
  };
  feed(() => startedStream.firstEvents.splice(0), null);
  chunks.deliverTo({
    onChunk: (value, flow) => feed(() => splitter.feed(value), flow),
    onEnd: (error) => {
      if (isOver) cancelToken.cancel('finished');
      else if (error === null) close();
      else finish(endAfterError(startedStream, error));
    },
  });
  return promise;
}

type WriterInput = {
  readonly reader: StreamReader;
  readonly delivered: DeliveredText;
  readonly lastValue: EventValue | null;
};

/**
 * A stream of several attempts, or a stream that the relay ends early, ends with events that the
 * relay writes itself.
 */
function writerOf(
  ending: StreamEnding | { readonly kind: 'disconnected' },
  joiner: StreamJoiner | null,
  { reader, delivered, lastValue }: WriterInput,
): StreamWriter {
  const isCut = ending.kind === 'completed' && ending.isCut;
  if (joiner === null || !(isCut || delivered.isContinued)) return reader;
  return {
    // The writer is called once at the end and closes open items.
    lastEvent: () =>
      isCut ? joiner.lengthEnd(delivered.text) : joiner.lastEvent(lastValue, delivered.text),
    errorEvent: (error, context) => joiner.errorEvent(error, context),
  };
}

const concatenate = (parts: readonly Buffer[]) =>
  parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts);

/** A last event without an empty line is still an event, because some servers end this way. */
const completeLastEvent = (remainder: Buffer) =>
  remainder.toString('latin1').trim() === ''
    ? []
    : [Buffer.concat([remainder, Buffer.from('\n\n')])];

type ForwardEventsOptions = {
  readonly reader: StreamReader;
  readonly wantsUsage: boolean;
  readonly delivered: DeliveredText;
  readonly rules: UpstreamRules;
};

/** Relay contract, 3.3. After skipped events, a response without usage counts as incomplete. */
function findEnding(
  { isFinished, skipped, usage }: StreamProgress,
  rules: UpstreamRules,
): StreamEnding {
  if (!isFinished) return streamFailure('the stream ended too early');
  if (skipped > 0 && rules.includeUsage && usage === null)
    return streamFailure('events are missing');
  return { kind: 'completed', isCut: false };
}

const pushPresent = (clientEvents: Buffer[], event: Buffer | null) => {
  if (event !== null) clientEvents.push(event);
};

function forwardEvents(
  state: StreamProgress,
  events: readonly Buffer[],
  { reader, wantsUsage, delivered, rules }: ForwardEventsOptions,
): { readonly clientEvents: readonly Buffer[]; readonly ending: StreamEnding | null } {
  const clientEvents: Buffer[] = [];
  for (const event of events) {
    const chunk = reader.read(event);
    switch (chunk.kind) {
      case 'done':
        state.usage = chunk.usage ?? state.usage;
        state.isUsageFinal = state.usage !== null;
        state.isFinished ||= chunk.isFinish;
        state.lastValue = chunk.value;
        if (delivered.isContinued) pushPresent(clientEvents, delivered.addOther(chunk.value));
        return { clientEvents, ending: findEnding(state, rules) };
      case 'error':
        return { clientEvents, ending: failedStream(chunk.error) };
      case 'broken':
        state.skipped += 1;
        if (state.skipped > MAX_SKIPPED_EVENTS)
          return { clientEvents, ending: streamFailure(chunk.problem) };
        break;
      case 'comment':
        clientEvents.push(event);
        break;
      case 'usage':
        state.usage = chunk.usage;
        state.isUsageFinal = true;
        if (wantsUsage) {
          pushPresent(
            clientEvents,
            delivered.isContinued ? delivered.addOther(chunk.value) : event,
          );
        }
        break;
      case 'content':
        state.isFinished = chunk.isFinish;
        state.usage = chunk.usage ?? state.usage;
        state.isUsageFinal ||= chunk.isFinish && chunk.usage !== null;
        {
          const clientEvent = delivered.addContent(event, chunk);
          if (clientEvent === null) break;
          clientEvents.push(
            chunk.hasNullUsage && !wantsUsage ? withoutNullUsage(clientEvent) : clientEvent,
          );
        }
    }
  }
  return { clientEvents, ending: null };
}

const failedStream = (error: ChatError): FailedStream =>
  isCallerError(error)
    ? { kind: 'failed', error, interruption: null }
    : streamFailure(error.message);

function streamFailure(internal: string, interruption: InterruptionCause = 'broken'): FailedStream {
  const message = 'The model’s provider failed in the middle of the answer.';
  const error = new Fault('upstream_error', message, { internal });
  return { kind: 'failed', error, interruption };
}

/** Longest time between an upstream's end marker and the end of its response. */
const MAX_CLOSING_MS = 1_000;

/** After the end marker the rest of the stream is ignored. */
function endStream({ cancelToken, target }: StartedStream, ending: StreamEnding): StreamEnding {
  if (ending.kind === 'failed') cancelToken.cancel('finished');
  else {
    const cancel = () => cancelToken.cancel('finished');
    cancelToken.on(target.upstream.deadlines.callAfter(MAX_CLOSING_MS, cancel));
  }
  return ending;
}

function endAfterError(
  { cancelToken }: StartedStream,
  error: unknown,
): { kind: 'disconnected' } | FailedStream {
  const { reason } = cancelToken;
  if (reason === 'disconnected' || reason === 'stalled') return { kind: 'disconnected' };
  if (reason === 'stopping') {
    const message = 'This process is stopping. Retry: another process will respond.';
    const error = new Fault('temporarily_unavailable', message);
    return { kind: 'failed', error, interruption: null };
  }
  if (reason === 'timed_out') {
    const message = 'The model’s provider fell silent in the middle of the answer.';
    const error = new Fault('upstream_timeout', message);
    return { kind: 'failed', error, interruption: 'silent' };
  }
  if (reason === null) cancelToken.cancel('finished');
  // A Fault of the splitter concerns the format; any other error concerns the connection.
  const interruption = error instanceof Fault ? 'broken' : 'reset';
  return streamFailure(messageOf(error), interruption);
}
