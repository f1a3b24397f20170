// Whole answers by their request line, so that the same question is answered without being
// understood again. An entry holds for one edition and one minute of the clock; after that it is
// made anew, and where the content is the same its compressed forms are kept.
import { LRUCache } from 'lru-cache';
import type { Answer } from './answer.ts';

const MINUTE_MS = 60_000;
const ENTRY_OVERHEAD = 1_000;

type Entry = { readonly answer: Answer; readonly version: number; readonly minute: number };

export type Moment = {
  /** Version of the edition that is shown. */
  readonly version: number;
  /** Epoch milliseconds. */
  readonly now: number;
};

export type AnswerCache = {
  get(url: string, moment: Moment): Answer | null;
  /** Keeps an answer; gives back the one to send, which may be an older one of equal content. */
  put(url: string, moment: Moment, answer: Answer): Answer;
  holds(answer: Answer): boolean;
};

export function openAnswerCache(maxBytes: number): AnswerCache {
  const entries = new LRUCache<string, Entry>({
    maxSize: maxBytes,
    sizeCalculation: ({ answer }, url) => answer.bytes.length * 2 + url.length + ENTRY_OVERHEAD,
  });
  const current = new WeakSet<Answer>();
  return {
    get: (url, moment) => {
      const entry = entries.get(url);
      if (entry === undefined || entry.version !== moment.version) return null;
      return entry.minute === Math.floor(moment.now / MINUTE_MS) ? entry.answer : null;
    },
    put: (url, moment, answer) => {
      const before = entries.get(url)?.answer;
      const kept = before !== undefined && before.etag === answer.etag ? before : answer;
      if (before !== undefined && kept !== before) current.delete(before);
      current.add(kept);
      const minute = Math.floor(moment.now / MINUTE_MS);
      entries.set(url, { answer: kept, version: moment.version, minute });
      return kept;
    },
    holds: (answer) => current.has(answer),
  };
}
