// `POST /api/ingest/items` for push sources (feed contract, "For agents and readers").
// The token is checked before the body is read. Unknown tokens have a rate limit. A batch is one
// transaction.

import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { ClientResolver } from '../../kernel/client-address/client-address.ts';
import { openBoundedCache } from '../../kernel/concurrency/bounded-cache.ts';
import { Fault } from '../../kernel/errors/fault.ts';
import { endResponse } from '../../kernel/http/end-response.ts';
import { readJsonBody } from '../../kernel/http/read-json-body.ts';
import { openLocalLimiter } from '../../kernel/rate-limit/limiter.ts';
import type { World } from '../../kernel/world.ts';
import { problemOf } from './problem.ts';
import { cacheControl } from './responses/cache-control.ts';

export const INGEST_PATH = '/api/ingest/items';

/** The result of a batch. `ingested`: all items of the batch are stored. */
export type IngestOutcome =
  | {
      readonly kind: 'ingested';
      readonly created: number;
      readonly updated: number;
      readonly unchanged: number;
    }
  | { readonly kind: 'invalid'; readonly problems: readonly string[] }
  | { readonly kind: 'too_many' }
  | { readonly kind: 'paused' }
  | { readonly kind: 'other_source' };

export type IngestDeps = {
  /** The source of a bearer token; null for an unknown token. */
  sourceOf(token: string): Promise<string | null>;
  /** Ingests a parsed body and queues its enrichment. */
  ingest(sourceId: string, json: unknown): Promise<IngestOutcome>;
};

const BODY_LIMITS = {
  maxBytes: 2 * 1024 * 1024,
  tooLarge: 'A batch may have at most 2 MiB. Split it into several batches.',
};

export function registerIngest(
  app: FastifyInstance,
  world: World,
  clients: ClientResolver,
  deps: IngestDeps,
): void {
  const authenticate = openTokenCheck(world, clients, deps);
  app.register(async (scope) => {
    // The router does not read the body; the handler reads it after it has checked the token.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_req, _body, done) => done(null));
    scope.all(INGEST_PATH, async ({ raw }, reply) => {
      reply.hijack();
      try {
        const { created, updated, unchanged } = await handleIngest(raw, reply.raw, {
          authenticate,
          ingest: deps.ingest,
        });
        sendJson(reply.raw, { created, updated, unchanged });
      } catch (error) {
        sendRefusal(world, raw, reply.raw, error);
      }
    });
  });
}

const jsonHeaders = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': cacheControl.never,
};

/** Limit of unknown tokens from one client: 30 at once, then one a second. */
const UNKNOWN_TOKENS = { perSecond: 1, burst: 30 };
const VERIFIED_TOKENS_MAX = 1_000;

type TokenCheck = (req: IncomingMessage) => Promise<string | null>;

/**
 * Returns a check whose result is the source of a request's token; null without a valid token. A
 * token that was valid before is never limited. Other clients behind the same address therefore
 * cannot lock out a publisher.
 */
function openTokenCheck(
  world: World,
  clients: ClientResolver,
  { sourceOf }: IngestDeps,
): TokenCheck {
  const limiter = openLocalLimiter(world.clock);
  const verifiedTokens = openBoundedCache<true>(VERIFIED_TOKENS_MAX);
  return async (req) => {
    const token = /^bearer +(?<token>\S+)$/i.exec(req.headers.authorization ?? '')?.groups?.token;
    if (token === undefined) return null;
    const tokenHash = createHash('sha256').update(token).digest('base64url');
    if (verifiedTokens.get(tokenHash) === undefined) {
      const { isAllowed, waitMs } = limiter.takeToken(clients.resolve(req).key, UNKNOWN_TOKENS);
      if (!isAllowed) throw tooManyTokensFault(Math.ceil(waitMs / 1_000));
    }
    const sourceId = await sourceOf(token);
    if (sourceId !== null) verifiedTokens.set(tokenHash, true);
    return sourceId;
  };
}

const tooManyTokensFault = (retryAfterSeconds: number) =>
  new Fault(
    'rate_limited',
    `Too many wrong tokens from this address. Try again in ${retryAfterSeconds} s.`,
    { retryAfterSeconds },
  );

type PushHandler = Pick<IngestDeps, 'ingest'> & { readonly authenticate: TokenCheck };

async function handleIngest(req: IncomingMessage, res: ServerResponse, handler: PushHandler) {
  if (req.method !== 'POST') {
    throw new Fault('method_not_allowed', 'This address accepts only POST.');
  }
  const sourceId = await handler.authenticate(req);
  if (sourceId === null) throw unauthorizedFault('A bearer token of a push source is needed here.');
  // After the checks, a client that sent "Expect: 100-continue" may send its body.
  const sendContinue = () => (req.headers.expect === undefined ? undefined : res.writeContinue());
  const outcome = await handler.ingest(
    sourceId,
    await readJsonBody(req, BODY_LIMITS, sendContinue),
  );
  switch (outcome.kind) {
    case 'ingested':
      return outcome;
    case 'invalid':
      throw new Fault('invalid_request', `Nothing was stored: ${outcome.problems.join('; ')}.`);
    case 'too_many':
      throw new Fault('payload_too_large', 'A batch may have at most 50 items.');
    case 'paused':
      throw new Fault('source_paused', `The source ${sourceId} is paused: nothing was stored.`);
    case 'other_source':
      throw unauthorizedFault('This token belongs to another source than the batch names.');
  }
}

const unauthorizedFault = (message: string) => new Fault('unauthorized', message);

function sendRefusal(
  world: World,
  req: IncomingMessage,
  res: ServerResponse,
  error: unknown,
): void {
  const url = req.url ?? '/';
  const problem = problemOf(world, error, { url, method: req.method ?? 'POST' });
  const headers = {
    ...problem.headers,
    ...(problem.status === 401 && { 'www-authenticate': 'Bearer realm="radar"' }),
    ...(problem.status === 405 && { allow: 'POST' }),
  };
  const length = { 'content-length': Buffer.byteLength(problem.body) };
  res.writeHead(problem.status, { ...headers, ...length });
  endResponse(world.clock, req, res, problem.body);
}

function sendJson(res: ServerResponse, body: object): void {
  const text = JSON.stringify(body);
  res.writeHead(200, { ...jsonHeaders, 'content-length': Buffer.byteLength(text) });
  res.end(text);
}
