// Classification of upstream errors by type, status and code.
import { expect, test } from 'vitest';
import { isCallerError, readChatError } from './chat-error.ts';

test.each([
  ['the type of an invalid request', { type: 'invalid_request_error', code: null }, 200, true],
  ['the type of an upstream failure', { type: 'overloaded_error', code: null }, 400, false],
  ['the status of the response', {}, 400, true],
  ['a status about the relay’s key', {}, 401, false],
  ['a server error status', {}, 500, false],
  ['a status as the code, in a response with 200', { code: 400 }, 200, true],
  ['a status about the relay’s credit as the code', { code: 402 }, 200, false],
  ['a server error status as the code', { code: 503 }, 200, false],
  ['no code, in a response with 200', {}, 200, false],
  ['the length of the request', { code: 'context_length_exceeded' }, 200, true],
])('classifies %s', (_what, body, status, isCausedByCaller) => {
  const error = readChatError({ error: { message: 'No.', ...body } }, status);
  expect(error && isCallerError(error)).toBe(isCausedByCaller);
});
