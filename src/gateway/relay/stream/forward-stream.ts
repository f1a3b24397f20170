// A stream from its upstream to the client, event by event as they come and no faster than the
// client takes them. What must not pass is held back: the usage chunk that only we asked for,
// `[DONE]` (the door ends the answer), errors (the door words them).

import type { Halt } from '../../../kernel/concurrency/cancel-token.ts';
import { Fault } from '../../../kernel/errors/fault.ts';
import type { Flow } from '../../../kernel/net/read-chunks.ts';
import type { World } from '../../../kernel/world.ts';
import type { StartedStream } from '../attempt.ts';
import { type ChatError, isCallersError } from '../chat-error.ts';
import type { TokenUsage } from '../token-usage.ts';
import { readChunk, withoutNullUsage } from './read-chunk.ts';
import { openStreamWatch } from './stream-watch.ts';

export type StreamClient = {
  /** False: not more until `drained`. A client that has left takes everything. */
  write(bytes: Buffer): boolean;
  /** Resolves when it takes more, when it has left, and when that is over. */
  drained(halt: Halt): Promise<void>;
};

export type StreamEnd = {
  /** Its own numbers; null when it gave none. */
  readonly usage: TokenUsage | null;
  /** Bytes of text that went by. */
  readonly bytes: number;
} & (
  | { readonly kind: 'completed' }
  | { readonly kind: 'left' }
  | { readonly kind: 'failed'; readonly error: Fault | ChatError }
);

type StreamProgress = { usage: TokenUsage | null; bytes: number; isFinished: boolean };
type Ending = { readonly kind: 'completed' } | Failed;
type Failed = { readonly kind: 'failed'; readonly error: Fault | ChatError };

export async function forwardStream(
  world: World,
  begun: StartedStream,
  client: StreamClient,
  wish: { readonly wantsUsage: boolean },
): Promise<StreamEnd> {
  const end = await forward(world, begun, client, wish);
  const { upstream, latencyMs } = begun;
  const isItsFault = end.kind === 'failed' && begun.cut.why !== 'stopping';
  if (isItsFault) upstream.circuit.failed(latencyMs);
  else upstream.circuit.succeeded(latencyMs);
  return end;
}

/** All in the turn in which a piece comes: a chunk that waits for a promise waits for the turn. */
function forward(
  world: World,
  begun: StartedStream,
  client: StreamClient,
  { wantsUsage }: { readonly wantsUsage: boolean },
): Promise<StreamEnd> {
  const { upstream, cut, pieces, splitter, first } = begun;
  const state: StreamProgress = { usage: null, bytes: 0, isFinished: false };
  const watch = openStreamWatch(world.clock, upstream.rules, (why) => cut.call(why));
  const { promise, resolve } = Promise.withResolvers<StreamEnd>();
  let isOver = false;
  const finish = (ending: Ending | { readonly kind: 'left' }) => {
    isOver = true;
    watch.close();
    resolve({ ...ending, ...totals(state) });
  };
  const pass = (events: readonly Buffer[], flow: Flow | null) => {
    const { passed, ending } = takeEvents(state, events, wantsUsage);
    const isTaken = passed.length === 0 || client.write(joined(passed));
    const end = () => ending !== null && finish(ended(begun, ending));
    if (isTaken || flow === null) return end();
    flow.hold();
    watch.waitFor('client');
    client.drained(cut).then(() => {
      watch.waitFor('upstream');
      end();
      flow.goOn();
    });
  };
  const feed = (events: () => readonly Buffer[], flow: Flow | null) => {
    // What is over is read to its end all the same, so that the connection serves again.
    if (isOver) return;
    watch.moved();
    try {
      pass(events(), flow);
    } catch (error) {
      finish(cutOff(begun, error));
    }
  };
  const close = () => {
    feed(() => restOf(splitter.rest()), null);
    cut.call('over');
    // Some servers end without [DONE]; whole is what every choice says is finished.
    if (!isOver) finish(state.isFinished ? { kind: 'completed' } : died('it ended too early'));
  };
  feed(() => first, null);
  pieces.flowTo({
    piece: (value, flow) => feed(() => splitter.feed(value), flow),
    ended: (error) => {
      if (isOver) cut.call('over');
      else if (error === null) close();
      else finish(cutOff(begun, error));
    },
  });
  return promise;
}

const totals = ({ usage, bytes }: StreamProgress) => ({ usage, bytes });

const joined = (parts: readonly Buffer[]) =>
  parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts);

/** An event whose empty line never came is an event all the same: some servers end so. */
const restOf = (rest: Buffer) =>
  rest.toString('latin1').trim() === '' ? [] : [Buffer.concat([rest, Buffer.from('\n\n')])];

function takeEvents(
  state: StreamProgress,
  events: readonly Buffer[],
  wantsUsage: boolean,
): { readonly passed: readonly Buffer[]; readonly ending: Ending | null } {
  const passed: Buffer[] = [];
  for (const event of events) {
    const chunk = readChunk(event);
    switch (chunk.kind) {
      case 'done':
        return { passed, ending: { kind: 'completed' } };
      case 'error':
        return { passed, ending: failedAs(chunk.error) };
      case 'broken':
        return { passed, ending: died(chunk.problem) };
      case 'comment':
        passed.push(event);
        break;
      case 'usage':
        state.usage = chunk.usage;
        if (wantsUsage) passed.push(event);
        break;
      case 'content':
        state.bytes += chunk.bytes;
        state.isFinished ||= chunk.isFinish;
        state.usage = chunk.usage ?? state.usage;
        passed.push(chunk.hasNullUsage && !wantsUsage ? withoutNullUsage(event) : event);
    }
  }
  return { passed, ending: null };
}

const failedAs = (error: ChatError): Failed =>
  isCallersError(error) ? { kind: 'failed', error } : died(error.message);

function died(internal: string): Failed {
  const message = 'The model’s provider failed in the middle of the answer.';
  return { kind: 'failed', error: new Fault('upstream_error', message, { internal }) };
}

/** How long an upstream may take to end its answer after it has said that it is done. */
const CLOSING_MS = 1_000;

/** The stream says that it is over: nothing more of it is wanted. */
function ended({ cut, upstream }: StartedStream, ending: Ending): Ending {
  if (ending.kind === 'failed') cut.call('over');
  else {
    cut.on(upstream.deadlines.after(CLOSING_MS, () => cut.call('over')));
  }
  return ending;
}

function cutOff({ cut }: StartedStream, error: unknown): { kind: 'left' } | Failed {
  const { why } = cut;
  if (why === 'left' || why === 'stalled') return { kind: 'left' };
  if (why === 'stopping') {
    const message = 'This process is ending. Ask again: another will answer.';
    return { kind: 'failed', error: new Fault('temporarily_unavailable', message) };
  }
  if (why === 'late') {
    const message = 'The model’s provider fell silent in the middle of the answer.';
    return { kind: 'failed', error: new Fault('upstream_timeout', message) };
  }
  if (why === null) cut.call('over');
  return died(error instanceof Error ? error.message : String(error));
}
