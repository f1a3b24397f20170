// Failures as chat clients read them: `{ error: { message, type, param, code } }`, with what else a
// problem says inside of it. Source: the capability contract, "Errors".
import type { World } from '../../../kernel/world.ts';
import type { ChatError } from '../../relay/chat-error.ts';
import { JSON_TYPE, NO_STORE } from '../http-response.ts';
import { type Failing, problemOf } from '../problem.ts';
import type { RelayResponse } from './relay-context.ts';

type Whole = Extract<RelayResponse, { kind: 'whole' }>;

export function relayErrorOf(world: World, error: unknown, failing: Failing): Whole {
  const { status, headers, body } = problemOf(world, error, failing);
  return errorResponse(status, errorIn(body), headers);
}

/** The error of a stream that has begun, as an event. */
export function errorEventOf(world: World, error: unknown, failing: Failing): string {
  return eventOf(errorIn(problemOf(world, error, failing).body));
}

export const eventOf = (error: object) => `data: ${JSON.stringify({ error })}\n\n`;

export function errorResponse(
  status: number,
  error: ChatError,
  headers: Readonly<Record<string, string>> = {},
): Whole {
  // Client libraries that try again by themselves: the same request gets the same answer.
  const isFinal = status === 409 && headers['retry-after'] === undefined;
  return {
    kind: 'whole',
    status,
    headers: {
      ...headers,
      ...(isFinal && { 'x-should-retry': 'false' }),
      ...{ 'content-type': JSON_TYPE, 'cache-control': NO_STORE },
    },
    body: JSON.stringify({ error }),
  };
}

/** What a problem says besides; the rest stands in headers or has no place here. */
const known = new Set([
  ...['type', 'title', 'status', 'detail', 'instance', 'code', 'request_id', 'retry_after'],
]);

function errorIn(problem: string): ChatError {
  const all = JSON.parse(problem) as Record<string, unknown>;
  const members = Object.entries(all).filter(([name]) => !known.has(name));
  return {
    message: String(all.detail),
    type: typeOf(Number(all.status)),
    param: null,
    code: String(all.code),
    ...Object.fromEntries(members),
  };
}

function typeOf(status: number): string {
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
