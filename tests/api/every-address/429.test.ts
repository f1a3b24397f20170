import { describe, expect, test } from 'vitest';
import { openClientResolver } from '../../../src/kernel/client-address/client-address.ts';
import { readContract } from '../../contract/read-document.ts';
import { openFilledRadar } from '../../support/filled-radar.ts';
import { json, sendRequest } from '../../support/http-request.ts';
import { everyAddress, unknownAddresses } from '../addresses.ts';

const { origin: openOrigin, serve, clock } = await openFilledRadar();
const contract = await readContract(openOrigin);
const blocked = { agents: [] };
const openLimited = (requestsPerSecond: number, burst: number, trustProxy: string[] = []) =>
  serve({
    clients: openClientResolver({ trustProxy }),
    limits: { requestsPerSecond, burst },
    blocked,
  });

describe.each([...everyAddress, ...unknownAddresses])('%s', (path) => {
  test('refuses too many requests with a delay, and serves after that delay', async () => {
    const origin = await openLimited(0.4, 1);
    const { status } = await sendRequest(origin, { path });
    expect(status).not.toBe(429);
    const refusal = await sendRequest(origin, { path });
    expect(refusal.status).toBe(429);
    expect(contract.faultsOf({ path }, refusal)).toEqual([]);
    expect(json(refusal)).toMatchObject({ code: 'rate_limited', retryAfter: 3 });
    clock.advance(3_000);
    expect((await sendRequest(origin, { path })).status).toBe(status);
  });
});

test('permits a burst, and counts a cached response like any other', async () => {
  const origin = await openLimited(50, 500);
  const statuses: number[] = [];
  for (let index = 0; index < 510; index += 1) {
    statuses.push((await sendRequest(origin, { path: '/api/v1/hot-topics' })).status);
  }
  expect(statuses.filter((status) => status === 200)).toHaveLength(500);
  expect(statuses.slice(500)).toEqual(Array(10).fill(429));
});

test('one client never uses the allowance of another', async () => {
  const origin = await openLimited(1, 1, ['loopback']);
  const requestAt = (address: string) =>
    sendRequest(origin, { path: '/api/v1/items', headers: { 'x-forwarded-for': address } });
  expect((await requestAt('203.0.113.1')).status).toBe(200);
  expect((await requestAt('203.0.113.1')).status).toBe(429);
  expect((await requestAt('203.0.113.2')).status).toBe(200);
  expect((await requestAt('2001:db8::1')).status).toBe(200);
  expect((await requestAt('2001:db8::2')).status).toBe(429);
  expect((await requestAt('2001:db8:0:1::2')).status).toBe(200);
});

test('health endpoints are not rate limited', async () => {
  const origin = await openLimited(1, 1);
  for (let index = 0; index < 3; index += 1) {
    expect((await sendRequest(origin, { path: '/healthz' })).status).toBe(200);
  }
});
