// One HTTP request whose answer is read as it comes: for the chat relay, where every byte counts
// and an answer may last for minutes. No redirect is followed, and only addresses that the operator
// has written down are asked, so the guards of `net.ts` are not repeated here.
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { urlToHttpOptions } from 'node:url';
import type { Halt } from '../halt.ts';
import { type Pieces, readAsItComes } from './read-as-it-comes.ts';

export type PipeRequest = {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** Ends the exchange at any stage, also in the middle of the answer. */
  readonly halt: Halt;
};

export type PipeAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** To be read or destroyed. */
  readonly body: Pieces;
};

/** A connection is had, or being made; nothing has been sent. */
export type ReadyRequest = {
  /** Rejects when no answer begins: refused, reset, aborted. Called once, or that is over. */
  send(): Promise<PipeAnswer>;
};

export type Pipes = {
  ask(request: PipeRequest): Promise<PipeAnswer>;
  ready(request: PipeRequest): ReadyRequest;
  /** Lets go of idle connections; running exchanges end when they are over. */
  close(): void;
};

type Place = { readonly host: string; readonly options: ReturnType<typeof urlToHttpOptions> };

/** Connections are kept for the next request, as many as there are requests at a time. */
export function openPipes(): Pipes {
  const plain = new HttpAgent({ keepAlive: true });
  const secure = new HttpsAgent({ keepAlive: true });
  // There are as many as the operator has written down.
  const places = new Map<string, Place>();
  const placeOf = (url: string) => {
    const known = places.get(url);
    if (known !== undefined) return known;
    const { host } = new URL(url);
    const place = { host, options: urlToHttpOptions(new URL(url)) };
    places.set(url, place);
    return place;
  };
  const readyOnce = (asked: PipeRequest) =>
    openExchange(asked, placeOf(asked.url), asked.url.startsWith('https:') ? secure : plain);
  const ready = (asked: PipeRequest): ReadyRequest => {
    const first = readyOnce(asked);
    return {
      send: async () => {
        let answer = await first();
        // Each kept connection is stale once at most, and a fresh one never is.
        while (answer === 'stale') answer = await readyOnce(asked)();
        return answer;
      },
    };
  };
  return {
    ready,
    ask: (asked) => ready(asked).send(),
    close: () => {
      plain.destroy();
      secure.destroy();
    },
  };
}

/**
 * One exchange, sent by what is returned. `stale`: a kept connection that the other side had
 * closed, so nothing of this was read.
 */
function openExchange(
  { method, headers, body, halt }: PipeRequest,
  { host, options: place }: Place,
  agent: HttpAgent,
): () => Promise<PipeAnswer | 'stale'> {
  // As a list they are written as they are; an object's would be checked and copied one by one.
  const lines = ['host', host, ...Object.entries(headers).flat()];
  if (place.auth && headers.authorization === undefined) {
    lines.push('authorization', `Basic ${Buffer.from(place.auth).toString('base64')}`);
  }
  if (body !== null) lines.push('content-length', String(Buffer.byteLength(body)));
  const options = { ...place, agent, method, headers: lines };
  const { promise, resolve, reject } = Promise.withResolvers<PipeAnswer | 'stale'>();
  let answer: IncomingMessage | null = null;
  const answered = (response: IncomingMessage) => {
    answer = response;
    // What breaks later is told to whoever reads; nobody reading is no reason to end the process.
    response.on('error', () => {});
    const over = () => halt.off(end);
    response.once('end', over).once('close', over);
    const { statusCode: status = 0, headers: given } = response;
    resolve({ status, headers: given, body: readAsItComes(response) });
  };
  const isSecure = agent instanceof HttpsAgent;
  const sent = isSecure ? httpsRequest(options, answered) : httpRequest(options, answered);
  // Without an error of our own: between two requests a socket has nobody to hear of it.
  const end = () => (answer ?? sent).destroy();
  sent.on('error', (error: NodeJS.ErrnoException) => {
    halt.off(end);
    const isStale = sent.reusedSocket && error.code === 'ECONNRESET' && halt.why === null;
    if (isStale) resolve('stale');
    else reject(error);
  });
  // What fails before it is sent is told to whoever sends it.
  promise.catch(() => {});
  halt.on(end);
  // Of a request that is sent nothing is kept: an answer may last for half an hour.
  let unsent = body ?? undefined;
  return () => {
    sent.end(unsent);
    unsent = undefined;
    return promise;
  };
}
