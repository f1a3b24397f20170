// Responses that operations share: 304, 308 and all problems, with their headers.
import { type Code, codes } from '../../../kernel/errors/codes.ts';
import { PROBLEM_TYPE } from '../problem.ts';
import { cacheControl } from '../responses/cache-control.ts';
import { schemaRef } from './collect-schemas.ts';

const textHeader = (description: string, schema: object = {}) => ({
  description,
  required: true,
  schema: { type: 'string', ...schema },
});

export const headers = {
  ETag: textHeader('Weak validator of the content, the same for all of its codings.', {
    pattern: String.raw`^W/"[\x21\x23-\x7e]*"$`,
  }),
  CacheControl: textHeader('Cache lifetimes. s-maxage is the minimum polling interval.'),
  NoStore: textHeader('Errors are never stored.', { const: cacheControl.never }),
  Vary: textHeader('The response is plain, gzip or br, as the client accepts.', {
    const: 'Accept-Encoding',
  }),
  RequestId: textHeader('Identifier of this failure, for questions to the operator.', {
    minLength: 1,
  }),
  RetryAfter: {
    description: 'Minimum seconds before a retry.',
    required: true,
    schema: { type: 'integer', minimum: 1, maximum: 120 },
  },
  Allow: textHeader('Supported methods of this address.', { const: 'GET, HEAD, OPTIONS' }),
  Location: textHeader('Address of the surviving story.', {
    format: 'uri-reference',
  }),
  AllowOrigin: textHeader('Scripts of every origin may read the response.', { const: '*' }),
} as const;

const headerRef = (name: keyof typeof headers) => ({ $ref: `#/components/headers/${name}` });

const corsHeaders = { 'Access-Control-Allow-Origin': headerRef('AllowOrigin') };

/** Headers of every 200 besides Cache-Control, whose value is the operation's own. */
export const successHeaders = {
  ETag: headerRef('ETag'),
  Vary: headerRef('Vary'),
  ...corsHeaders,
};

type NamedResponse = {
  readonly description: string;
  readonly code: Code;
  readonly detail: string;
  /** Further problem codes with the same status. */
  readonly otherCode?: Code;
  readonly otherDetail?: string;
};

const problems = {
  BadRequest: {
    description: 'The request is invalid, or its cursor is invalid or expired.',
    code: 'invalid_request',
    detail: 'The query parameter "limit" must be a whole number from 1 to 100.',
    otherCode: 'invalid_cursor',
    otherDetail: 'The window moved past this cursor. Start again from the first page.',
  },
  Forbidden: {
    description: 'The operator has blocked this client.',
    code: 'forbidden',
    detail: 'The operator of this radar has blocked this client.',
  },
  NotFound: {
    description: 'Nothing public exists at this address.',
    code: 'not_found',
    detail: 'There is no public story of that id.',
  },
  MethodNotAllowed: {
    description: 'A method other than GET, HEAD and OPTIONS.',
    code: 'method_not_allowed',
    detail: 'This address is read-only: use GET, HEAD or OPTIONS.',
  },
  SnapshotRequired: {
    description: 'This token belongs to no state of the selected set: start with a snapshot.',
    code: 'snapshot_required',
    detail: 'Changes need the cursor of a snapshot.',
  },
  RateLimited: {
    description: 'Too many requests by one client.',
    code: 'rate_limited',
    detail: 'Too many requests. Try again in 1 s.',
  },
  Unavailable: {
    description: 'Temporarily unavailable.',
    code: 'temporarily_unavailable',
    detail: 'The database does not answer. Try again soon.',
  },
} as const satisfies Record<string, NamedResponse>;

export const responses: Record<string, object> = {
  NotModified: {
    description: 'The copy of the client is current. No body.',
    headers: { 'Cache-Control': headerRef('CacheControl'), ...successHeaders },
  },
  Merged: {
    description:
      'The story was merged into another one; its id still leads to this redirect. No body.',
    headers: {
      Location: headerRef('Location'),
      'Cache-Control': headerRef('CacheControl'),
      ...corsHeaders,
    },
  },
  ...Object.fromEntries(
    Object.entries(problems).map(([name, problem]) => [name, problemResponse(problem)]),
  ),
};

/** References to responses by status: those of every operation, and those of `otherStatuses`. */
export function responseRefs(
  otherStatuses: readonly ('308' | '404' | '409')[],
): Record<string, object> {
  const names: Record<string, string> = {
    304: 'NotModified',
    ...(otherStatuses.includes('308') && { 308: 'Merged' }),
    400: 'BadRequest',
    403: 'Forbidden',
    ...(otherStatuses.includes('404') && { 404: 'NotFound' }),
    405: 'MethodNotAllowed',
    ...(otherStatuses.includes('409') && { 409: 'SnapshotRequired' }),
    429: 'RateLimited',
    503: 'Unavailable',
  };
  return Object.fromEntries(
    Object.entries(names).map(([status, name]) => [
      status,
      { $ref: `#/components/responses/${name}` },
    ]),
  );
}

function problemResponse({
  description,
  code,
  detail,
  otherCode,
  otherDetail,
}: NamedResponse): object {
  const { status } = codes[code];
  return {
    description,
    headers: {
      'X-Request-Id': headerRef('RequestId'),
      'Cache-Control': headerRef('NoStore'),
      ...corsHeaders,
      ...((status === 429 || status === 503) && { 'Retry-After': headerRef('RetryAfter') }),
      ...(status === 405 && { Allow: headerRef('Allow') }),
    },
    content: {
      [PROBLEM_TYPE]: {
        schema: schemaRef('Problem'),
        examples: {
          [code]: { value: exampleProblem(code, detail) },
          ...(otherCode !== undefined && {
            [otherCode]: { value: exampleProblem(otherCode, otherDetail ?? '') },
          }),
        },
      },
    },
  };
}

function exampleProblem(code: Code, detail: string): object {
  const { status, title } = codes[code];
  return {
    type: `/problems/${code.replaceAll('_', '-')}`,
    title,
    status,
    detail,
    instance: '/api/v1/items',
    code,
    requestId: 'req_019a9d4f2c1b5e6f7a8b9c0d',
    ...((status === 429 || status === 503) && { retryAfter: 1 }),
  };
}
