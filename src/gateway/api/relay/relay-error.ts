// Converts failures to the error form of a client's dialect. For chat this is `{ error: { message,
// type, param, code } }`, with the other members of the problem. Source: the capability contract,
// "Errors".

import { codes } from '../../../kernel/errors/codes.ts';
import { Fault } from '../../../kernel/errors/fault.ts';
import type { World } from '../../../kernel/world.ts';
import type { ChatError } from '../../relay/chat-error.ts';
import { chatDialect } from '../../relay/dialects/chat.ts';
import type { ApiDialect, StreamReader } from '../../relay/dialects/dialect.ts';
import { JSON_TYPE, NO_STORE } from '../http-response.ts';
import { type FailedRequest, problemOf } from '../problem.ts';
import type { RelayResponse } from './relay-context.ts';

type CompleteResponse = Extract<RelayResponse, { kind: 'complete' }>;

/** `dialect`: the endpoint's dialect. Endpoints without a dialect use the form of chat. */
export function relayErrorOf(
  world: World,
  error: unknown,
  failedRequest: FailedRequest,
  dialect: ApiDialect = chatDialect,
): CompleteResponse {
  const { status, headers, body } = problemOf(world, error, failedRequest);
  const { requestId } = failedRequest;
  return errorResponse(dialect, { status, requestId, error: toRelayError(body), headers });
}

/** The last event of a stream that fails after its start. */
export function errorEventOf(
  world: World,
  error: unknown,
  failedRequest: FailedRequest,
  reader: Pick<StreamReader, 'errorEvent'>,
): string {
  const { requestId } = failedRequest;
  const status = error instanceof Fault ? codes[error.code].status : 500;
  return reader.errorEvent(toRelayError(problemOf(world, error, failedRequest).body), {
    requestId,
    status,
  });
}

export type ErrorDetails = {
  readonly status: number;
  readonly requestId: string;
  readonly error: ChatError;
  readonly headers?: Readonly<Record<string, string>>;
};

export function errorResponse(
  dialect: ApiDialect,
  { status, requestId, error, headers = {} }: ErrorDetails,
): CompleteResponse {
  // The header disables retries of client libraries, which would receive the same response.
  const isFinal = status === 409 && headers['retry-after'] === undefined;
  return {
    kind: 'complete',
    status,
    headers: {
      ...headers,
      ...(isFinal && { 'x-should-retry': 'false' }),
      'content-type': JSON_TYPE,
      'cache-control': NO_STORE,
    },
    body: JSON.stringify(dialect.errorBody(error, { requestId, status })),
  };
}

/**
 * Members of a problem that are not copied under their own names. Their values are in other members
 * of the error, in the status or in a header.
 */
const omittedMembers = new Set([
  'type',
  'title',
  'status',
  'detail',
  'instance',
  'code',
  'request_id',
  'retry_after',
]);

function toRelayError(problem: string): ChatError {
  const allMembers = JSON.parse(problem) as Record<string, unknown>;
  const members = Object.entries(allMembers).filter(([name]) => !omittedMembers.has(name));
  return {
    message: String(allMembers.detail),
    type: errorTypeOf(Number(allMembers.status)),
    param: null,
    code: String(allMembers.code),
    ...Object.fromEntries(members),
  };
}

function errorTypeOf(status: number): string {
  switch (status) {
    case 401:
      return 'authentication_error';
    case 402:
      return 'insufficient_quota';
    case 403:
      return 'permission_error';
    case 429:
      return 'rate_limit_error';
    default:
      return status >= 500 ? 'server_error' : 'invalid_request_error';
  }
}
