// Classification of upstream errors by type, status and code.
import { expect, test } from 'vitest';
import { isCallerError, readChatError } from './chat-error.ts';

test.each([
  ['an invalid request', { type: 'invalid_request_error', code: null }, 200, true],
  ['an upstream failure', { type: 'overloaded_error', code: null }, 400, false],
  ['a client error status', {}, 400, true],
  ['a status about the relay’s key', {}, 401, false],
  ['a server error status', {}, 500, false],
  ['a client error code in a 200 response', { code: 400 }, 200, true],
  ['a code about the relay’s credit in a 200 response', { code: 402 }, 200, false],
  ['a server error code in a 200 response', { code: 503 }, 200, false],
  ['no code in a 200 response', {}, 200, false],
  ['a code about the length of the request', { code: 'context_length_exceeded' }, 200, true],
])('caused by the caller: %s (%j, status %i): %j', (_what, body, status, isCausedByCaller) => {
  const error = readChatError({ error: { message: 'No.', ...body } }, status);
  expect(error && isCallerError(error)).toBe(isCausedByCaller);
});
