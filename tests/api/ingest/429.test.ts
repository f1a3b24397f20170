// Wrong tokens are limited per client, before any database query.
import { expect, test } from 'vitest';
import { openPushEndpoint } from '../../support/push-endpoint.ts';
import { openTestApp } from '../../support/test-radar.ts';

const app = await openTestApp();
const endpoint = await openPushEndpoint(app);
const batch = { source: 'agents', items: [{ url: 'https://halden.example/a', title: 'About a' }] };
const pushWithWrongToken = (tokenNumber: number) =>
  endpoint.push(batch, { authorization: `Bearer radar_push_${tokenNumber}` });

test('delays a client after many wrong tokens, but never a valid token', async () => {
  expect((await endpoint.push(batch)).status).toBe(200);
  // The valid token counted as unknown once, so 29 of the 30 unknown tokens remain.
  for (let index = 0; index < 29; index += 1)
    expect((await pushWithWrongToken(index)).status).toBe(401);
  const refusal = await pushWithWrongToken(30);
  expect(refusal.status).toBe(429);
  expect(refusal.body).toMatchObject({
    code: 'rate_limited',
    detail: 'Too many wrong tokens from this address. Try again in 1 s.',
  });
  expect(refusal.headers.get('retry-after')).toBe('1');
  expect((await endpoint.push(batch)).status).toBe(200);
  app.clock.advance(1_000);
  expect((await pushWithWrongToken(31)).status).toBe(401);
});
