// Counts tokens in a thread that starts at the first text. Accounts take turns: in each turn, the
// thread counts one part of a text. For a text that is too long, or after a timeout of the thread,
// the estimate is four bytes per token.
import type { Worker } from 'node:worker_threads';
import { openSemaphore } from '../../../kernel/concurrency/semaphore.ts';
import { requestFromThread, startThread } from '../../../kernel/concurrency/worker-thread.ts';
import { startTimer } from '../../../kernel/time/clock.ts';
import type { World } from '../../../kernel/world.ts';
import { tokensOf } from '../token-usage.ts';
import { endOfPiece } from './text-pieces.ts';

export type TextCounter = {
  /** Never rejects. */
  count(text: string): Promise<number>;
};

export type TokenCounter = {
  /** The counter for the texts of one account. */
  of(accountId: string): TextCounter;
  close(): Promise<void>;
};

const TEXT_MAX_BYTES = 4 * 1024 * 1024;
/** Limit of the texts of one account that wait at the same time. Further texts are estimated. */
const WAITING_MAX_BYTES = 4 * TEXT_MAX_BYTES;
/** 64,000 random letters take a tenth of a second. */
const TURN_CHARACTERS = 64_000;
/**
 * Time limit for the start of the thread, which reads the vocabulary. The start takes a second on
 * an idle machine. At a load of 17 on two cores it took more than 5 s.
 */
const START_LIMIT_MS = 30_000;
/** Time limit for one turn. Also the limit of the sum of all turns of one text. */
const COUNT_LIMIT_MS = 5_000;
const thread = new URL('./count-tokens-thread.ts', import.meta.url);

export function openTokenCounter({ clock }: World): TokenCounter {
  let worker: Worker | null = null;
  const turns = openSemaphore(1);
  const waitingBytes = new Map<string, number>();
  /** Null: the thread has ended, or did not reply in time. */
  const requestCount = async (countingWorker: Worker, text: string, timeoutMs: number) => {
    const timeout = Promise.withResolvers<null>();
    const cancelTimer = startTimer(clock, timeoutMs, () => timeout.resolve(null));
    try {
      return await Promise.race([requestFromThread<number>(countingWorker, text), timeout.promise]);
    } catch {
      return null;
    } finally {
      cancelTimer();
    }
  };
  type Turn = { readonly tokens: number; readonly ms: number };
  const countInThread = async (text: string): Promise<Turn | null> => {
    const isStarted = worker !== null;
    worker ??= startThread(thread);
    const countingWorker = worker;
    const isReady = isStarted || (await requestCount(countingWorker, '', START_LIMIT_MS)) !== null;
    const startedAt = clock.now();
    const tokens = isReady ? await requestCount(countingWorker, text, COUNT_LIMIT_MS) : null;
    if (tokens !== null) return { tokens, ms: clock.now() - startedAt };
    // The next text starts another thread.
    worker = null;
    await countingWorker.terminate();
    return null;
  };
  /** Null: the time limit is exceeded. A single turn that exceeds the limit ends the thread. */
  const countInTurns = async (accountId: string, text: string): Promise<number | null> => {
    let tokens = 0;
    let remainingMs = COUNT_LIMIT_MS;
    for (let from = 0; from < text.length; ) {
      if (remainingMs <= 0) return null;
      const to = endOfPiece(text, from, TURN_CHARACTERS);
      const part = text.slice(from, to);
      const turn = await turns.run(accountId, () => countInThread(part));
      if (turn === null) return null;
      tokens += turn.tokens;
      remainingMs -= turn.ms;
      from = to;
    }
    return tokens;
  };
  const count = async (accountId: string, text: string): Promise<number> => {
    if (text === '') return 0;
    const bytes = Buffer.byteLength(text);
    const otherBytes = waitingBytes.get(accountId) ?? 0;
    if (bytes > TEXT_MAX_BYTES || otherBytes + bytes > WAITING_MAX_BYTES) return tokensOf(bytes);
    waitingBytes.set(accountId, otherBytes + bytes);
    const tokens = await countInTurns(accountId, text);
    const remainingBytes = (waitingBytes.get(accountId) ?? bytes) - bytes;
    if (remainingBytes === 0) waitingBytes.delete(accountId);
    else waitingBytes.set(accountId, remainingBytes);
    return tokens ?? tokensOf(bytes);
  };
  return {
    of: (accountId) => ({ count: (text) => count(accountId, text) }),
    close: async () => {
      await worker?.terminate();
    },
  };
}
