// The limit of long bodies of one account. A parse occupies the process of all accounts.
import { expect, test } from 'vitest';
import { errorIn, openTestRelay } from './test-relay.ts';

const MIB = 1024 * 1024;
const relay = await openTestRelay();
const post = (path: string, body: string) =>
  relay.send({
    method: 'POST',
    path: `/relay/v1/${path}`,
    headers: { authorization: `Bearer ${relay.keys.ak}`, 'content-type': 'application/json' },
    body,
  });

test('429: long bodies of more than 256 MiB at once, of all endpoints together', async () => {
  const longBody = `{"model":7}${' '.repeat(31 * MIB)}`;
  const paths = ['messages', 'responses', 'messages/count_tokens', 'messages'];
  const statuses: number[] = [];
  for (const path of [...paths, ...paths]) statuses.push((await post(path, longBody)).status);
  expect(statuses).toEqual([400, 400, 400, 400, 400, 400, 400, 400]);
  const refused = await post('responses', longBody);
  const { status, headers } = refused;
  expect([status, errorIn(refused).code, headers['retry-after']]).toEqual([
    429,
    'rate_limited',
    '1',
  ]);
  // Short bodies have no limit of their own.
  expect((await post('responses', '{"model":7}')).status).toBe(400);
  relay.clock.advance(1_000);
  expect((await post('responses', longBody)).status).toBe(400);
});
