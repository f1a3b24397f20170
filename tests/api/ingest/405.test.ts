// The door takes POST, and says so to everything else.
import { expect, test } from 'vitest';
import { expectProblem } from '../../support/expect-problem.ts';
import { type Answer, openPushDoor } from '../../support/push-endpoint.ts';
import { openTestHouse } from '../../support/test-radar.ts';

const door = await openPushDoor(await openTestHouse());

test.each(['GET', 'PUT', 'DELETE', 'OPTIONS'])('%s', async (method) => {
  const response = await fetch(door.url, { method });
  const { status, headers } = response;
  expectProblem(
    { status, headers, body: (await response.json()) as Answer['body'] },
    {
      status: 405,
      code: 'method_not_allowed',
      title: 'Method not allowed',
      detail: 'This address takes POST and nothing else.',
    },
  );
  expect(headers.get('allow')).toBe('POST');
});
