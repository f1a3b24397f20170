// The endpoint accepts only POST. The refusal of another method has the header Allow.
import { expect, test } from 'vitest';
import { expectProblem } from '../../support/expect-problem.ts';
import { openPushEndpoint, type PushResponse } from '../../support/push-endpoint.ts';
import { openTestApp } from '../../support/test-radar.ts';

const endpoint = await openPushEndpoint(await openTestApp());

test.each(['GET', 'PUT', 'DELETE', 'OPTIONS'])(
  'refuses %s with the header Allow',
  async (method) => {
    const response = await fetch(endpoint.url, { method });
    const { status, headers } = response;
    expectProblem(
      { status, headers, body: (await response.json()) as PushResponse['body'] },
      {
        status: 405,
        code: 'method_not_allowed',
        title: 'Method not allowed',
        detail: 'This address accepts only POST.',
      },
    );
    expect(headers.get('allow')).toBe('POST');
  },
);
