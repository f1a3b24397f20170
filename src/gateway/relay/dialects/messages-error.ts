// Formats errors as Anthropic's Messages does. Source: Anthropic's documentation of errors.
import type { ChatError } from '../chat-error.ts';
import type { ErrorContext } from './dialect.ts';

export function messagesError(error: ChatError, { requestId, status }: ErrorContext) {
  const { message, type: _type, ...otherFields } = error;
  return {
    type: 'error',
    error: { type: typeOf(status), message, ...otherFields },
    request_id: requestId,
  };
}

function typeOf(status: number): string {
  switch (status) {
    case 401:
      return 'authentication_error';
    case 402:
      return 'billing_error';
    case 403:
      return 'permission_error';
    case 404:
      return 'not_found_error';
    case 413:
      return 'request_too_large';
    case 429:
      return 'rate_limit_error';
    case 503:
    case 529:
      return 'overloaded_error';
    case 504:
      return 'timeout_error';
    default:
      return status >= 500 ? 'api_error' : 'invalid_request_error';
  }
}
