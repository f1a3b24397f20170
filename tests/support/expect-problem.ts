// Expects a problem response of the push endpoint: problem+json, not cacheable, with the request's
// id.
import { expect } from 'vitest';
import type { PushResponse } from './push-endpoint.ts';

/** `detail`: the whole text, or a pattern that it matches. */
export function expectProblem(
  { status, headers, body }: PushResponse,
  expected: {
    readonly status: number;
    readonly code: string;
    readonly title: string;
    readonly detail: string | RegExp;
  },
): void {
  expect(body).toEqual({
    type: `/problems/${expected.code.replaceAll('_', '-')}`,
    title: expected.title,
    status: expected.status,
    detail:
      typeof expected.detail === 'string'
        ? expected.detail
        : expect.stringMatching(expected.detail),
    instance: '/api/ingest/items',
    code: expected.code,
    requestId: expect.stringMatching(/^req_[0-9a-f]{24}$/),
  });
  expect(status).toBe(expected.status);
  expect(headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('x-request-id')).toBe(body.requestId);
}
