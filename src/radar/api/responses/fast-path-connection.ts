// One connection with a fast path. A request with known bytes, one whole GET without a body, is
// answered from the cache. Everything else goes to Node's parser. The connection returns to the
// fast path only when the parser certainly stands between two requests.
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { BoundedCache } from '../../../kernel/concurrency/bounded-cache.ts';
import { framingFault } from '../../../kernel/http/check-framing.ts';
import type { ContentCoding } from '../../../kernel/http/negotiate-coding.ts';

import { negotiateCoding } from '../../../kernel/http/negotiate-coding.ts';
import { streamOver } from './socket-stream.ts';

/** A request that Node has read: everything that its answer may depend on. */
export type KnownRequest = {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly coding: ContentCoding;
};

export type LineOptions = {
  /** By the bytes of the whole request, one character each. */
  readonly known: BoundedCache<KnownRequest>;
  /** The bytes of the whole response, or null when Node's server has to answer. */
  readonly answer: (request: KnownRequest, socket: Socket) => Buffer | null;
  /** Gives a connection to Node's server. */
  readonly hand: (stream: Duplex) => void;
};

export type Line = {
  /** Node has read a request of this line and is about to answer it. */
  onRequest(req: IncomingMessage, res: ServerResponse): void;
  /** Ends the connection now, or after the answer that is under way. */
  close(): void;
};

/**
 * quick: no request is open, and Node's parser, if any, stands between two of them. `asked`: Node
 * received one chunk that looked like one whole request and has not responded. handed: the
 * connection stays with Node.
 */
type Phase = 'quick' | 'asked' | 'handed';

const IDLE_MS = 65_000;
const KNOWN_REQUEST_MAX = 2_048;
/** A client that does not read its responses is not read from either. */
const UNSENT_MAX = 1024 * 1024;

export function openLine(socket: Socket, options: LineOptions): Line {
  const { known, answer } = options;
  let phase: Phase = 'quick';
  let isClosing = false;
  let stream: Duplex | null = null;
  /** The chunk that Node received in this phase, and the number of requests in it. */
  let given = '';
  let requests = 0;

  const give = (bytes: Buffer) => {
    if (stream === null) {
      stream = streamOver(socket);
      options.hand(stream);
    }
    if (!stream.push(bytes)) socket.pause();
  };
  const onData = (bytes: Buffer) => {
    if (phase !== 'quick' || bytes.length > KNOWN_REQUEST_MAX) {
      phase = 'handed';
      return give(bytes);
    }
    const text = bytes.toString('latin1');
    const request = known.get(text);
    const ready = request === undefined ? null : answer(request, socket);
    if (ready === null) {
      phase = isWhole(text) ? 'asked' : 'handed';
      given = text;
      requests = 0;
      return give(bytes);
    }
    if (!socket.write(ready) && socket.writableLength > UNSENT_MAX) {
      socket.pause();
      socket.once('drain', () => socket.resume());
    }
  };
  const settle = (req: IncomingMessage) => {
    // A second chunk, a second request in the first one, a body: Node's from here on.
    if (phase !== 'asked' || requests !== 1 || !req.complete || stream?.writableEnded) {
      phase = 'handed';
      return;
    }
    phase = 'quick';
    if (isRemembered(req)) known.set(given, knownRequest(req));
    if (isClosing) socket.destroySoon();
  };
  socket.setTimeout(IDLE_MS, () => socket.destroy());
  socket.on('data', onData);
  socket.on('end', () => (stream === null ? socket.end() : stream.push(null)));
  socket.on('error', (error) => (stream === null ? socket.destroy() : stream.destroy(error)));
  socket.on('close', () => stream?.destroy());
  return {
    onRequest: (req, res) => {
      requests += 1;
      if (phase !== 'asked') return;
      if (isPlain(req)) res.once('close', () => settle(req));
      else phase = 'handed';
    },
    close: () => {
      isClosing = true;
      if (phase === 'quick') socket.destroySoon();
    },
  };
}

/** Whether the chunk looks like the head of one request and nothing more. */
function isWhole(text: string): boolean {
  return text.endsWith('\r\n\r\n') && text.indexOf('\r\n\r\n') === text.length - 4;
}

/** Nothing follows its head, and nothing ends the connection after it. */
function isPlain({ httpVersion, headers }: IncomingMessage): boolean {
  return (
    httpVersion === '1.1' &&
    headers['content-length'] === undefined &&
    headers['transfer-encoding'] === undefined &&
    headers.upgrade === undefined &&
    headers.expect === undefined &&
    (headers.connection === undefined || headers.connection.toLowerCase() === 'keep-alive')
  );
}

/** Credentials are never read here, and so never kept either. */
function isRemembered(req: IncomingMessage): boolean {
  const { method, headers } = req;
  if (method !== 'GET' || framingFault(req) !== null) return false;
  return headers.authorization === undefined && headers.cookie === undefined;
}

function knownRequest({ url = '/', headers }: IncomingMessage): KnownRequest {
  const accepted = headers['accept-encoding'];
  const coding = negotiateCoding(Array.isArray(accepted) ? accepted.join(',') : accepted);
  return { url, headers, coding };
}
