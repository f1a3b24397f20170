// One connection with a fast path. A GET request whose bytes are in the cache gets a cached
// response. All other requests go to Node's parser. The connection returns to the fast path only
// when the parser has finished one request and has not begun another.
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { BoundedCache } from '../../../kernel/concurrency/bounded-cache.ts';
import { findFramingFault } from '../../../kernel/http/check-framing.ts';
import type { ContentCoding } from '../../../kernel/http/negotiate-coding.ts';

import { negotiateCoding } from '../../../kernel/http/negotiate-coding.ts';
import type { WireResponse } from './serialized-response.ts';
import { wrapSocket } from './socket-stream.ts';

/** The parts of a request that can change its response, as Node parsed them. */
export type ParsedRequest = {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly coding: ContentCoding;
};

export type FastPathOptions = {
  /** Keys are the bytes of the whole request, one character for each byte. */
  readonly parsedRequests: BoundedCache<ParsedRequest>;
  /** Only requests with a cached response are stored as parsed requests. */
  readonly isCached: (url: string) => boolean;
  /** The whole response, or null when Node's server must respond. */
  readonly respond: (request: ParsedRequest, socket: Socket) => WireResponse | null;
  /** Passes a connection to Node's server. */
  readonly passToServer: (stream: Duplex) => void;
};

export type FastPathConnection = {
  /** Called when Node has parsed a request of this connection. */
  onRequest(req: IncomingMessage, res: ServerResponse): void;
  /** Closes the connection now, or after the current response. */
  close(): void;
};

/**
 * fast: no request is open, and Node's parser has no partial request. waiting: Node received a
 * chunk that looks like one whole request, and has not responded. handed_over: Node keeps the
 * connection.
 */
type Phase = 'fast' | 'waiting' | 'handed_over';

const IDLE_MS = 65_000;
/** Maximum bytes of a request that can use the fast path. */
const CACHED_REQUEST_MAX = 2_048;
/** Unsent bytes of responses above which the connection reads no further requests. */
const UNSENT_MAX = 1024 * 1024;

export function openFastPathConnection(
  socket: Socket,
  options: FastPathOptions,
): FastPathConnection {
  const { parsedRequests, respond } = options;
  let phase: Phase = 'fast';
  let isClosing = false;
  let stream: Duplex | null = null;
  /** The chunk that Node received in this phase, and the number of requests in it. */
  let lastChunk = '';
  let requestCount = 0;

  const passToNode = (bytes: Buffer) => {
    if (stream === null) {
      stream = wrapSocket(socket);
      options.passToServer(stream);
    }
    if (!stream.push(bytes)) socket.pause();
  };
  const onData = (bytes: Buffer) => {
    if (phase !== 'fast' || bytes.length > CACHED_REQUEST_MAX) {
      phase = 'handed_over';
      return passToNode(bytes);
    }
    const text = bytes.toString('latin1');
    const request = parsedRequests.get(text);
    const cachedResponse = request === undefined ? null : respond(request, socket);
    if (cachedResponse === null) {
      phase = isSingleRequest(text) ? 'waiting' : 'handed_over';
      lastChunk = text;
      requestCount = 0;
      return passToNode(bytes);
    }
    socket.write(cachedResponse.bytes);
    const unsent = socket.writableLength;
    if (unsent > 0) cachedResponse.isPending = true;
    if (unsent > UNSENT_MAX) {
      socket.pause();
      socket.once('drain', () => socket.resume());
    }
  };
  const onResponseClosed = (req: IncomingMessage) => {
    // A second chunk, a second request in the first chunk, or a body: Node keeps the connection.
    if (phase !== 'waiting' || requestCount !== 1 || !req.complete || stream?.writableEnded) {
      phase = 'handed_over';
      return;
    }
    phase = 'fast';
    if (isCacheable(req) && options.isCached(req.url ?? '/')) {
      parsedRequests.set(lastChunk, parseRequest(req));
    }
    if (isClosing) socket.destroySoon();
  };
  socket.setTimeout(IDLE_MS, () => socket.destroy());
  socket.on('data', onData);
  socket.on('end', () => (stream === null ? socket.end() : stream.push(null)));
  socket.on('error', (error) => (stream === null ? socket.destroy() : stream.destroy(error)));
  socket.on('close', () => stream?.destroy());
  return {
    onRequest: (req, res) => {
      requestCount += 1;
      if (phase !== 'waiting') return;
      if (hasOnlyHead(req)) res.once('close', () => onResponseClosed(req));
      else phase = 'handed_over';
    },
    close: () => {
      isClosing = true;
      if (phase === 'fast') socket.destroySoon();
    },
  };
}

/** True when the chunk looks like exactly one complete request head. */
function isSingleRequest(text: string): boolean {
  return text.endsWith('\r\n\r\n') && text.indexOf('\r\n\r\n') === text.length - 4;
}

/** True when the request has no body and leaves the connection open. */
function hasOnlyHead({ httpVersion, headers }: IncomingMessage): boolean {
  return (
    httpVersion === '1.1' &&
    headers['content-length'] === undefined &&
    headers['transfer-encoding'] === undefined &&
    headers.upgrade === undefined &&
    headers.expect === undefined &&
    (headers.connection === undefined || headers.connection.toLowerCase() === 'keep-alive')
  );
}

/**
 * A request with credentials is never stored. A navigation of a browser is not stored either: at
 * the address of a feed, the server shows browsers a readable page.
 */
function isCacheable(req: IncomingMessage): boolean {
  const { method, headers } = req;
  if (method !== 'GET' || findFramingFault(req) !== null) return false;
  if (headers['sec-fetch-dest'] === 'document') return false;
  return headers.authorization === undefined && headers.cookie === undefined;
}

function parseRequest({ url = '/', headers }: IncomingMessage): ParsedRequest {
  const accepted = headers['accept-encoding'];
  const coding = negotiateCoding(Array.isArray(accepted) ? accepted.join(',') : accepted);
  return { url, headers, coding };
}
