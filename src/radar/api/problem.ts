// Turns every failure into a response: RFC 9457, feed contract, "Problem". For an unexpected error
// the client receives "try again", and the log receives all details.
import { codes } from '../../kernel/errors/codes.ts';
import { Fault, messageOf } from '../../kernel/errors/fault.ts';
import { toUriReference } from '../../kernel/url/uri-reference.ts';
import type { World } from '../../kernel/world.ts';
import { cacheControl } from './responses/cache-control.ts';
import { corsHeaders } from './responses/send-response.ts';

export type PublicProblem = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The message for a page in Chinese. */
  readonly inChinese: string | null;
};

export const PROBLEM_TYPE = 'application/problem+json';
const DEFAULT_RETRY_SECONDS = 5;

export type ProblemContext = {
  /** Path and query of the request. */
  readonly url: string;
  readonly method: string;
};

export function problemOf(world: World, error: unknown, request: ProblemContext): PublicProblem {
  const requestId = `req_${world.ids.next()}`;
  const fault = error instanceof Fault ? error : unexpectedFault(error);
  const { status, title } = codes[fault.code];
  logServerError(world, fault, { requestId, ...request, status });
  const needsRetryAfter = status === 429 || status === 503;
  const retryAfter = fault.retryAfterSeconds ?? (needsRetryAfter ? DEFAULT_RETRY_SECONDS : null);
  const body = {
    type: `/problems/${fault.code.replaceAll('_', '-')}`,
    title,
    status,
    detail: fault.message,
    instance: toUriReference(request.url),
    code: fault.code,
    requestId,
    ...(retryAfter !== null && { retryAfter }),
  };
  return {
    status,
    headers: {
      ...corsHeaders,
      'content-type': `${PROBLEM_TYPE}; charset=utf-8`,
      'cache-control': cacheControl.never,
      'x-content-type-options': 'nosniff',
      'x-request-id': requestId,
      ...(retryAfter !== null && { 'retry-after': String(retryAfter) }),
      ...(status === 405 && { allow: 'GET, HEAD, OPTIONS' }),
    },
    body: JSON.stringify(body),
    inChinese: fault.inChinese,
  };
}

function unexpectedFault(cause: unknown): Fault {
  return new Fault(
    'temporarily_unavailable',
    'The radar cannot answer this right now. Try again in a few seconds.',
    { cause, internal: cause instanceof Error ? (cause.stack ?? cause.message) : String(cause) },
  );
}

function logServerError(world: World, fault: Fault, fields: object): void {
  if (codes[fault.code].status < 500) return;
  const internal = fault.internal ?? (fault.cause === undefined ? '' : messageOf(fault.cause));
  world.log.error({ ...fields, code: fault.code, internal }, fault.message);
}

export const unknownPathFault = () =>
  new Fault(
    'not_found',
    'There is no such address. /openapi-v1.json describes every address of the API.',
  );
