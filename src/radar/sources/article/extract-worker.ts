// The worker thread that parses pages. It handles one job at a time by messages. A failure,
// including out of memory, ends only this thread.
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

export type WorkerReply =
  | { readonly kind: 'extracted'; readonly article: Article }
  | { readonly kind: 'crashed'; readonly reason: string };

const port = parentPort;
assert(port !== null, 'this file was not started as a worker thread');
// The extractor libraries print messages about pages. These messages do not belong in the log.
process.stdout.write = () => true;
process.stderr.write = () => true;
port.on('message', (job: WorkerJob) => port.postMessage(runJob(job)));

function runJob(job: WorkerJob): WorkerReply {
  try {
    const { text } = decodeText(job.bytes, job.contentType);
    return { kind: 'extracted', article: extractArticle(text, job.url, job.now) };
  } catch (error) {
    return { kind: 'crashed', reason: messageOf(error) };
  }
}
