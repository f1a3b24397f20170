// Reads the API key of a relay request: OpenAI's clients send it as a bearer token, Anthropic's as
// `x-api-key`. Relay contract, 1.1: two different keys in one request receive a 401.
import { Fault } from '../../../kernel/errors/fault.ts';
import { oneHeader } from '../http-response.ts';
import type { RelayRequest } from './relay-context.ts';

/** The key in the form of an `authorization` header. */
export function readApiKey(request: Pick<RelayRequest, 'headers'>): string | undefined {
  const authorization = oneHeader(request, 'authorization');
  const apiKey = oneHeader(request, 'x-api-key');
  if (apiKey === undefined) return authorization;
  const bearer = `Bearer ${apiKey.trim()}`;
  if (authorization === undefined || authorization.trim() === bearer) return bearer;
  throw new Fault(
    'invalid_api_key',
    'The headers Authorization and x-api-key name two different API keys. Send one of them.',
    { headers: { 'www-authenticate': 'Bearer realm="gateway", error="invalid_token"' } },
  );
}
