// The thread in which pages are parsed: one job at a time, in and out by message. Whatever goes
// wrong here, out of memory included, ends this thread and nothing else.
import { parentPort } from 'node:worker_threads';
import { assert } from '../../../kernel/errors/assert.ts';
import { messageOf } from '../../../kernel/errors/fault.ts';
import { decodeText } from '../parse/decode-text.ts';
import { type Article, extractArticle } from './extract-article.ts';

export type WorkerJob = {
  readonly bytes: Uint8Array;
  readonly contentType: string | null;
  readonly url: string;
  /** Epoch milliseconds. */
  readonly now: number;
};

export type WorkerAnswer =
  | { readonly kind: 'extracted'; readonly article: Article }
  | { readonly kind: 'crashed'; readonly reason: string };

const port = parentPort;
assert(port !== null, 'this file runs as a worker thread');
// What the extractors' libraries print about a page is no log of ours.
process.stdout.write = () => true;
process.stderr.write = () => true;
port.on('message', (job: WorkerJob) => port.postMessage(answer(job)));

function answer(job: WorkerJob): WorkerAnswer {
  try {
    const { text } = decodeText(job.bytes, job.contentType);
    return { kind: 'extracted', article: extractArticle(text, job.url, job.now) };
  } catch (error) {
    return { kind: 'crashed', reason: messageOf(error) };
  }
}
