// One request of the relay to one answer: which address, whether we are closing, the answer, and,
// when anything fails, the error. The client's hanging up is told to whoever answers.
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  blockedClient,
  type ClientResolver,
} from '../../../kernel/client-address/client-address.ts';
import { Halt } from '../../../kernel/concurrency/cancel-token.ts';
import { Fault } from '../../../kernel/errors/fault.ts';
import { endResponse } from '../../../kernel/http/drain-request.ts';
import { readJsonText } from '../../../kernel/http/read-json-body.ts';
import type { Tallies } from '../../../kernel/observability/metrics.ts';
import type { LimitNotes } from '../../calls/admit.ts';
import { corsHeaders, limitHeaders, preflightHeaders } from '../headers.ts';
import { NO_STORE } from '../http-response.ts';
import { answerOperator, type OperatorAnswers, operatorPaths } from '../operator.ts';
import { openClientStream } from './client-stream.ts';
import { handleChat } from './handle-chat.ts';
import { handleModel, handleModels } from './handle-models.ts';
import type { RelayContext, RelayRequest, RelayResponse } from './relay-context.ts';
import { relayErrorOf } from './relay-error.ts';

/** Capability contract, "Limits": bodies ≤ 8 MiB for chat. */
const BODY = { maxBytes: 8 * 1024 * 1024, tooLarge: 'A body may have at most 8 MiB.' };

export type RelayHandler = {
  readonly context: RelayContext;
  readonly clients: ClientResolver;
  readonly requests: Tallies;
  readonly operator: OperatorAnswers;
  /** Nothing new is begun. */
  isStopping: boolean;
  /** Running streams are ended. */
  readonly stopping: Halt<'stopping'>;
};

type Handler = (context: RelayContext, asked: RelayRequest) => Promise<RelayResponse>;

type Route = {
  readonly name: string;
  readonly methods: Readonly<Partial<Record<'GET' | 'POST', Handler>>>;
  /** Also while the process is ending. */
  readonly isOperators?: boolean;
};

const chat: Route = { name: '/relay/v1/chat/completions', methods: { POST: handleChat } };

/** The same addresses exist under `/v1`: some clients take an origin and append `/v1`. */
const canonicalPath = (path: string) => (path.startsWith('/v1/') ? `/relay${path}` : path);

function routeOf(path: string, req: IncomingMessage, operator: OperatorAnswers): Route | null {
  if (path === chat.name) return chat;
  if (path === '/relay/v1/models') return { name: path, methods: { GET: handleModels } };
  const [, encoded] = /^\/relay\/v1\/models\/(.+)$/.exec(path) ?? [];
  if (encoded !== undefined) {
    const id = decoded(encoded);
    const methods = { GET: (c: RelayContext, asked: RelayRequest) => handleModel(c, asked, id) };
    return { name: '/relay/v1/models/:model', methods };
  }
  const operators = operatorPaths.find((known) => known === path);
  if (operators === undefined) return null;
  const answer = async (): Promise<RelayResponse> => {
    const { status, headers, body } = await answerOperator(operators, req, operator);
    return { kind: 'whole', status, headers, body: String(body) };
  };
  return { name: path, methods: { GET: answer }, isOperators: true };
}

export async function handleRelayRequest(
  door: RelayHandler,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  const { context } = door;
  const { world } = context;
  const requestId = `req_${world.ids.next()}`;
  const notes: LimitNotes = {};
  const { url = '/' } = req;
  const mark = url.indexOf('?');
  const path = canonicalPath(mark < 0 ? url : url.slice(0, mark));
  const route = routeOf(path, req, door.operator);
  const left = new Halt<'left'>();
  res.on('error', ignoreError);
  const gone = Promise.withResolvers<void>();
  res.on('close', () => {
    if (!res.writableFinished) left.call('left');
    gone.resolve();
  });
  const head = (more: Readonly<Record<string, string>>): string[] => {
    const lines = [...OF_EVERY_ANSWER, 'x-request-id', requestId];
    put(lines, limitHeaders(notes, world.clock.now()));
    if (door.isStopping || !req.complete) lines.push('connection', 'close');
    return put(lines, more);
  };
  const asked: RelayRequest = {
    requestId,
    path,
    query: mark < 0 ? '' : url.slice(mark + 1),
    headers: req.headers,
    notes,
    client: door.clients.resolve(req),
    signals: { left, stopping: door.stopping },
    readText: () =>
      readJsonText(req, BODY, () => {
        if (req.headers.expect !== undefined) res.writeContinue();
      }),
    beginStream: () => {
      res.writeHead(200, head(OF_STREAMS));
      return openClientStream(res);
    },
  };
  let answer: RelayResponse;
  try {
    answer = await dispatch(door, req, { route, asked });
  } catch (error) {
    const failing = { requestId, method: req.method ?? 'GET', url: req.url ?? '/' };
    answer = relayErrorOf(world, error, failing);
  }
  const status = answer.kind === 'whole' ? answer.status : res.headersSent ? 200 : 499;
  if (answer.kind === 'whole' && res.headersSent) res.destroy();
  else if (answer.kind === 'whole') {
    const { headers, body } = answer;
    const lines = head(headers);
    if (answer.status !== 204) lines.push('content-length', String(Buffer.byteLength(body)));
    res.writeHead(answer.status, lines);
    const isBodiless = req.method === 'HEAD' || answer.status === 204;
    // What is left of a body is not the next request: the connection closes after it.
    if (!req.complete) endResponse(world.clock, req, res, isBodiless ? undefined : body);
    else if (isBodiless) res.end();
    else endWith(res, body);
    answer.afterwards?.();
  }
  door.requests.of(route?.name ?? 'other', String(status)).value += 1;
  await gone.promise;
}

const ignoreError = () => {};

/** As a list of names and values: an object is made into one again before it is written. */
const OF_EVERY_ANSWER = put(['x-content-type-options', 'nosniff'], corsHeaders);

const OF_STREAMS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': NO_STORE,
  // Proxies in between must not gather what is meant to come piece by piece.
  'x-accel-buffering': 'no',
};

/** What is said already is not said again. */
function put(lines: string[], fields: Readonly<Record<string, string>>): string[] {
  for (const name in fields) if (!lines.includes(name)) lines.push(name, fields[name] ?? '');
  return lines;
}

const ONE_WRITE_BYTES = 64 * 1024;

/** Text is written together with its head; bytes would be a second write, and a tenth slower. */
function endWith(res: ServerResponse, body: string | Buffer): void {
  if (typeof body === 'string' || body.length > ONE_WRITE_BYTES) res.end(body);
  else res.end(body.toString('latin1'), 'latin1');
}

type RoutedRequest = { readonly route: Route | null; readonly asked: RelayRequest };

async function dispatch(
  door: RelayHandler,
  req: IncomingMessage,
  { route, asked }: RoutedRequest,
): Promise<RelayResponse> {
  const { method = 'GET', headers, httpVersion } = req;
  if (asked.client.isBlocked) throw blockedClient();
  if (route === null) throw new Fault('not_found', 'There is no such address.');
  if (method === 'OPTIONS') {
    const allow = allowOf(route);
    const wanted = headers['access-control-request-headers'];
    return { kind: 'whole', status: 204, headers: preflightHeaders(allow, wanted), body: '' };
  }
  const handler = route.methods[(method === 'HEAD' ? 'GET' : method) as 'GET'];
  if (handler === undefined) {
    const allow = allowOf(route);
    throw new Fault('method_not_allowed', `This address takes ${allow}.`, { headers: { allow } });
  }
  if (door.isStopping && !route.isOperators) throw stopping();
  // RFC 9112, 3.2: without Host, 400.
  if (headers.host === undefined && httpVersion === '1.1') {
    throw new Fault('invalid_request', 'The header Host is missing.');
  }
  return handler(door.context, asked);
}

const allowOf = ({ methods }: Route) =>
  [
    ...Object.keys(methods).flatMap((name) => (name === 'GET' ? ['GET', 'HEAD'] : name)),
    'OPTIONS',
  ].join(', ');

const stopping = () =>
  new Fault('temporarily_unavailable', 'This process is ending. Ask again: another will answer.', {
    retryAfterSeconds: 1,
  });

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
