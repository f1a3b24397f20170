// Describes the responses that operations share: all problems of the contract's table, with their
// headers.
import { type Code, codes, gatewayCodeByStatus } from '../../../kernel/errors/codes.ts';
import { NO_STORE } from '../http-response.ts';
import { PROBLEM_TYPE, problemPath } from '../problem.ts';

const header = (description: string, schema: object = {}, required = true) => ({
  description,
  required,
  schema: { type: 'string', ...schema },
});

export const headers = {
  RequestId: header('Identifier of this response, for questions to the operator.', {
    pattern: '^req_',
  }),
  NoStore: header('The response is never stored.', { const: NO_STORE }),
  Kept: header('The response may be stored for a minute.', {
    const: 'public, max-age=60, s-maxage=60',
  }),
  Vary: header('The response is plain, gzip or br, as the client accepts.', {
    const: 'Accept-Encoding',
  }),
  ETag: header('Weak validator of the content.', { pattern: '^W/"' }),
  AllowOrigin: header('Scripts of every origin may read the response.', { const: '*' }),
  RetryAfter: header('Minimum seconds before a retry.', {
    type: 'integer',
    minimum: 1,
  }),
  RetryAfterIfAny: header(
    'Minimum seconds before a retry; absent when a retry cannot help.',
    { type: 'integer', minimum: 1, maximum: 30 },
    false,
  ),
  Allow: header('Supported methods of this address.'),
  Challenge: header('Required authentication.', { pattern: '^Bearer' }),
  Location: header('Address of the first response.', { format: 'uri-reference' }),
  JobLocation: header('Address of the job.', { pattern: '^/api/v1/jobs/job_' }),
  RateLimit: header(
    'Remaining requests of this second, the burst, this day and this month.',
    {},
    false,
  ),
  RateLimitPolicy: header('Limits: q requests in w seconds.', {}, false),
  PreferenceApplied: header(
    'With Prefer: respond-async, on a call whose default is an immediate response.',
    { const: 'respond-async' },
    false,
  ),
  Replayed: header(
    'True when the response repeats an earlier one, byte for byte.',
    { const: 'true' },
    false,
  ),
  RelayWarning: header('Parts that the relay removed or estimated.', {}, false),
  RelayHold: header('Hold in CNY. Absent for a free call.', {}, false),
  RelayPriceVersion: header('Version of the prices. Absent for a free call.', {}, false),
  RelayCharge: header(
    'Charge of a complete response in CNY. The receipt has the charge of a stream.',
    {},
    false,
  ),
  RelayReceipt: header(
    'With Idempotent-Replayed: id of the first call, which has the receipt.',
    {},
    false,
  ),
  RelayAttempts: header('Number of upstreams used for a complete response.', {}, false),
  RelayUpstreamRequestId: header('Identifier of the request at the upstream.', {}, false),
} as const;

export const headerRef = (name: keyof typeof headers) => ({ $ref: `#/components/headers/${name}` });

/** Headers of every response. */
export const commonHeaders = {
  'X-Request-Id': headerRef('RequestId'),
  'Access-Control-Allow-Origin': headerRef('AllowOrigin'),
};

export const limitHeaderRefs = {
  RateLimit: headerRef('RateLimit'),
  'RateLimit-Policy': headerRef('RateLimitPolicy'),
};

const exampleDetails: Partial<Record<Code, string>> = {
  invalid_request: 'The field "platform" is required.',
  invalid_api_key: 'This API key is unknown.',
  insufficient_balance:
    'The wallet does not cover this call. Nothing was charged, and nothing was run.',
  key_not_allowed: 'Social data must be called with an API key (sk-…).',
  not_found: 'There is no such call.',
  method_not_allowed: 'This address takes POST, OPTIONS.',
  duplicate_idempotency_key: 'The call of this Idempotency-Key was completed before, with 200.',
  payload_too_large: 'A body may have at most 256 KiB.',
  unsupported_media_type: 'Send application/json in UTF-8, without a content coding.',
  media_unavailable: 'The post does not exist.',
  rate_limited: 'Too many requests with this API key. Try again in 1 s.',
  upstream_error: 'The provider answered with an error.',
  upstream_timeout: 'The call did not end in time.',
  capability_unavailable: 'No provider can do this right now.',
  temporarily_unavailable: 'The gateway cannot answer this right now.',
};

export type ProblemStatus = keyof typeof gatewayCodeByStatus;

const nameOf = (status: ProblemStatus) => `Problem${status}`;

export const responses = Object.fromEntries(
  Object.entries(gatewayCodeByStatus).map(([status, code]) => [
    nameOf(Number(status) as ProblemStatus),
    problemResponse(code),
  ]),
);

export function problemRefs(statuses: readonly ProblemStatus[]): Record<string, object> {
  return Object.fromEntries(
    statuses.map((status) => [status, { $ref: `#/components/responses/${nameOf(status)}` }]),
  );
}

/** Headers of an error with this status. They do not depend on the form of its body. */
export function errorHeaders(status: number): object {
  return {
    ...commonHeaders,
    'Cache-Control': headerRef('NoStore'),
    ...limitHeaderRefs,
    ...(status === 429 && { 'Retry-After': headerRef('RetryAfter') }),
    ...(status === 503 && { 'Retry-After': headerRef('RetryAfterIfAny') }),
    ...(status === 401 && { 'WWW-Authenticate': headerRef('Challenge') }),
    ...(status === 405 && { Allow: headerRef('Allow') }),
  };
}

function problemResponse(code: Code): object {
  const { status, title } = codes[code];
  return {
    description: `${title}.`,
    headers: {
      ...errorHeaders(status),
      ...(status === 409 && { Location: headerRef('Location') }),
    },
    content: {
      [PROBLEM_TYPE]: {
        schema: { $ref: '#/components/schemas/Problem' },
        examples: { [code]: { value: exampleOf(code) } },
      },
    },
  };
}

function exampleOf(code: Code): object {
  const { status, title } = codes[code];
  return {
    type: problemPath(code),
    title,
    status,
    detail: exampleDetails[code] ?? title,
    instance: '/api/v1/capabilities/social',
    code,
    request_id: 'req_019a9d4f2c1b5e6f7a8b9c0d',
    ...((status === 429 || status === 503) && { retry_after: 1 }),
  };
}
