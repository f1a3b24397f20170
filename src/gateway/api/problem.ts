// Converts every failure into a response (RFC 9457; capability contract, "Errors"). For an error
// that is not a Fault the client receives "try again", and the log receives the stack.
import { type Code, codes } from '../../kernel/errors/codes.ts';
import { Fault, messageOf } from '../../kernel/errors/fault.ts';
import { toUriReference } from '../../kernel/url/uri-reference.ts';
import type { World } from '../../kernel/world.ts';
import { type GatewayResponse, NO_STORE } from './http-response.ts';

export const PROBLEM_TYPE = 'application/problem+json';
const DEFAULT_RETRY_SECONDS = 5;

export type GatewayProblem = GatewayResponse & { readonly body: string };

export type FailedRequest = {
  readonly requestId: string;
  readonly method: string;
  readonly url: string;
};

/** Creates the response to a failure, and logs a failure whose status is 500 or higher. */
export function problemOf(
  { log }: Pick<World, 'log'>,
  error: unknown,
  request: FailedRequest,
): GatewayProblem {
  const fault = error instanceof Fault ? error : unexpectedFault(error);
  const { requestId, method } = request;
  const { status, title } = codes[fault.code];
  const instance = toUriReference(request.url);
  if (status >= 500) {
    const internal = fault.internal ?? (fault.cause === undefined ? '' : messageOf(fault.cause));
    // The log omits the query, which can contain the caller's private data.
    const fields = { requestId, method, path: instance, status, code: fault.code, internal };
    // This code means a failure of this process or its database. Failures of providers are common.
    if (fault.code === 'temporarily_unavailable') log.error(fields, title);
    else log.warn(fields, title);
  }
  const hasRetryAfter = status === 429 || status === 503;
  // Null in a Fault: a retry cannot help.
  const { retryAfterSeconds } = fault;
  const retryAfter =
    retryAfterSeconds === undefined && hasRetryAfter
      ? DEFAULT_RETRY_SECONDS
      : (retryAfterSeconds ?? null);
  const body = {
    type: problemPath(fault.code),
    title,
    status,
    detail: fault.message,
    instance,
    code: fault.code,
    request_id: requestId,
    ...(hasRetryAfter && retryAfter !== null && { retry_after: retryAfter }),
    ...fault.members,
  };
  const headers = {
    'content-type': `${PROBLEM_TYPE}; charset=utf-8`,
    'cache-control': NO_STORE,
    ...(retryAfter !== null && { 'retry-after': String(retryAfter) }),
    ...fault.headers,
  };
  return { status, headers, body: JSON.stringify(body) };
}

export const problemPath = (code: Code) => `/problems/${code.replaceAll('_', '-')}`;

function unexpectedFault(cause: unknown): Fault {
  return new Fault(
    'temporarily_unavailable',
    'The gateway cannot answer this right now. Nothing was charged. Try again in a few seconds.',
    { cause, internal: cause instanceof Error ? (cause.stack ?? cause.message) : String(cause) },
  );
}
