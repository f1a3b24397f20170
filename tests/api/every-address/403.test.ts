import { describe, expect, test } from 'vitest';
import { openClientResolver } from '../../../src/kernel/client-address/client-address.ts';
import { readContract } from '../../contract/read-document.ts';
import { openFilledRadar } from '../../support/filled-radar.ts';
import { json, sendRequest } from '../../support/http-request.ts';
import { everyAddress, unknownAddresses } from '../addresses.ts';

const { origin: openOrigin, serve } = await openFilledRadar();
const contract = await readContract(openOrigin);
const blockedNetworks = ['203.0.113.0/24'];
const serveBehind = (trustProxy: readonly string[]) =>
  serve({
    clients: openClientResolver({ trustProxy, blockedNetworks }),
    limits: { requestsPerSecond: 0, burst: 1 },
    blocked: { agents: ['BadBot'] },
  });
const origin = await serveBehind(['loopback']);

describe.each([...everyAddress, ...unknownAddresses])('%s', (path) => {
  test.each([
    ['an agent', { 'user-agent': 'Mozilla/5.0 (compatible; badbot/2.1)' }],
    ['a network', { 'x-forwarded-for': '203.0.113.9' }],
  ])('returns 403 to %s that the operator blocked, for every method', async (_what, headers) => {
    for (const method of ['GET', 'HEAD', 'POST', 'OPTIONS']) {
      const response = await sendRequest(origin, { path, method, headers });
      expect([method, response.status]).toEqual([method, 403]);
    }
    const response = await sendRequest(origin, { path, headers });
    expect(contract.faultsOf({ path }, response)).toEqual([]);
    expect(json(response)).toMatchObject({ code: 'forbidden', type: '/problems/forbidden' });
  });
});

test('serves clients that are not blocked', async () => {
  const headers = { 'user-agent': 'GoodBot', 'x-forwarded-for': '198.51.100.1' };
  expect((await sendRequest(origin, { path: '/api/v1/items', headers })).status).toBe(200);
});

test('ignores the address header of a client that is not a trusted proxy', async () => {
  const directOrigin = await serveBehind([]);
  const headers = { 'x-forwarded-for': '203.0.113.9' };
  expect((await sendRequest(directOrigin, { path: '/api/v1/items', headers })).status).toBe(200);
});

test('a client with a blocked User-Agent can read health and metrics endpoints', async () => {
  const headers = { 'user-agent': 'BadBot' };
  for (const path of ['/healthz', '/readyz', '/metrics']) {
    expect([path, (await sendRequest(origin, { path, headers })).status]).toEqual([path, 200]);
  }
});
