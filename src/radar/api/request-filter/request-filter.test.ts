import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testWorld } from '../../../../tests/support/test-world.ts';
import { openClientResolver } from '../../../kernel/client-address/client-address.ts';
import { Fault } from '../../../kernel/errors/fault.ts';
import {
  type FilterOptions,
  isOutsidePublicApi,
  openRequestFilter,
  type RequestFilter,
} from './request-filter.ts';

const defaultOptions: FilterOptions = {
  clients: openClientResolver({ trustProxy: [] }),
  limits: { requestsPerSecond: 1, burst: 3 },
  blocked: { agents: [] },
};
const proxyOptions = {
  ...defaultOptions,
  clients: openClientResolver({ trustProxy: ['loopback'] }),
};
const actor = '0b6f6f0e-5a3c-4c55-9a0e-0d6b8f1c2a11';

let requestFilter: RequestFilter;
let origin: string;
const server = createServer((req: IncomingMessage, res) => {
  const verdict = requestFilter.check(req);
  const result = verdict && [verdict.code, verdict.retryAfterSeconds ?? null];
  res.end(JSON.stringify({ verdict: result, message: verdict?.message ?? null }));
});
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterAll(() => server.close());

async function sendRequest(headers: Record<string, string> = {}) {
  const response = await fetch(origin, { headers: { 'user-agent': 'test', ...headers } });
  return (await response.json()) as { verdict: unknown; message: string | null };
}

const verdictsOf = async (times: number, headers?: Record<string, string>) => {
  const verdictList = [];
  for (let i = 0; i < times; i += 1) verdictList.push((await sendRequest(headers)).verdict);
  return verdictList;
};

describe('the rate limit', () => {
  test('admits a burst, then one per second, and the stated wait is sufficient', async () => {
    const { world, clock } = testWorld();
    requestFilter = openRequestFilter(world, defaultOptions);
    expect(await verdictsOf(5)).toEqual([
      null,
      null,
      null,
      ['rate_limited', 1],
      ['rate_limited', 1],
    ]);
    clock.advance(999);
    expect(await verdictsOf(1)).toEqual([['rate_limited', 1]]);
    clock.advance(1);
    expect(await verdictsOf(2)).toEqual([null, ['rate_limited', 1]]);
  });

  test('states a long wait for a slow rate', async () => {
    const { world, clock } = testWorld();
    requestFilter = openRequestFilter(world, {
      ...defaultOptions,
      limits: { requestsPerSecond: 0.1, burst: 1 },
    });
    expect(await verdictsOf(2)).toEqual([null, ['rate_limited', 10]]);
    clock.advance(9_000);
    expect(await verdictsOf(1)).toEqual([['rate_limited', 1]]);
    clock.advance(1_000);
    expect(await verdictsOf(1)).toEqual([null]);
  });

  test('0 switches the limit off', async () => {
    requestFilter = openRequestFilter(testWorld().world, {
      ...defaultOptions,
      limits: { requestsPerSecond: 0, burst: 1 },
    });
    expect(await verdictsOf(20)).toEqual(Array(20).fill(null));
  });

  test('ignores a client’s own address headers', async () => {
    requestFilter = openRequestFilter(testWorld().world, defaultOptions);
    for (const address of ['203.0.113.1', '203.0.113.2', '203.0.113.3']) {
      expect((await sendRequest({ 'x-forwarded-for': address })).verdict).toBe(null);
    }
    expect((await sendRequest({ forwarded: 'for=203.0.113.4' })).verdict).toEqual([
      'rate_limited',
      1,
    ]);
  });

  test('is separate per client behind a trusted proxy, per network for IPv6', async () => {
    requestFilter = openRequestFilter(testWorld().world, proxyOptions);
    const verdictAt = (address: string) => verdictsOf(1, { 'x-forwarded-for': address });
    for (let i = 1; i <= 3; i += 1) expect(await verdictAt(`2001:db8:1:2::${i}`)).toEqual([null]);
    expect(await verdictAt('2001:db8:1:2:ffff::9')).toEqual([['rate_limited', 1]]);
    expect(await verdictAt('2001:db8:1:3::1')).toEqual([null]);
    expect(await verdictAt('203.0.113.1')).toEqual([null]);
    expect(await verdictsOf(1)).toEqual([null]);
  });

  test('is not avoided with the header Forwarded', async () => {
    requestFilter = openRequestFilter(testWorld().world, proxyOptions);
    for (let i = 1; i <= 3; i += 1) {
      const headers = { 'x-forwarded-for': '203.0.113.1', forwarded: `for=198.51.100.${i}` };
      expect((await sendRequest(headers)).verdict).toBe(null);
    }
    const headers = { 'x-forwarded-for': '203.0.113.1', forwarded: 'for=198.51.100.4' };
    expect((await sendRequest(headers)).verdict).toEqual(['rate_limited', 1]);
  });
});

describe('blocked clients', () => {
  test('in a network are refused, also behind a proxy, before they are counted', async () => {
    const clients = openClientResolver({
      trustProxy: ['loopback'],
      blockedNetworks: ['203.0.113.0/24', '2001:db8:5::7'],
    });
    requestFilter = openRequestFilter(testWorld().world, { ...proxyOptions, clients });
    const verdictAt = (address: string) => verdictsOf(1, { 'x-forwarded-for': address });
    for (let i = 0; i < 5; i += 1)
      expect(await verdictAt('203.0.113.9')).toEqual([['forbidden', null]]);
    expect(await verdictAt('2001:db8:5::7')).toEqual([['forbidden', null]]);
    expect(await verdictAt('2001:db8:5::8')).toEqual([null]);
    expect(await verdictAt('::ffff:203.0.113.9')).toEqual([['forbidden', null]]);
    const headers = { forwarded: 'for=198.51.100.1', 'x-forwarded-for': '203.0.113.9' };
    expect((await sendRequest(headers)).verdict).toEqual(['forbidden', null]);
  });

  test('are refused by a part of the User-Agent, in upper or lower case', async () => {
    const blocked = { agents: ['BadBot'] };
    requestFilter = openRequestFilter(testWorld().world, { ...defaultOptions, blocked });
    expect((await sendRequest({ 'user-agent': 'x badbot/1' })).verdict).toEqual([
      'forbidden',
      null,
    ]);
    expect((await sendRequest({ 'user-agent': 'x goodbot/1' })).verdict).toBe(null);
  });

  test('a User-Agent of 2,049 characters is refused, one of 2,048 is not', async () => {
    requestFilter = openRequestFilter(testWorld().world, defaultOptions);
    expect((await sendRequest({ 'user-agent': 'a'.repeat(2048) })).verdict).toBe(null);
    const { verdict, message } = await sendRequest({ 'user-agent': 'a'.repeat(2049) });
    expect(verdict).toEqual(['invalid_request', null]);
    expect(message).toContain('User-Agent');
  });

  test('onActor receives only the actors of admitted requests', async () => {
    const actors: string[] = [];
    requestFilter = openRequestFilter(testWorld().world, {
      ...defaultOptions,
      onActor: (name) => actors.push(name),
    });
    await verdictsOf(2, { 'user-agent': `Reader/1 aihot-actor/${actor}` });
    await verdictsOf(3, { 'user-agent': 'Reader/1' });
    await verdictsOf(2, { 'user-agent': `Reader/1 radar-actor/${actor}` });
    expect(actors).toEqual([actor, actor]);
  });
});

describe('an invalid configuration is refused, and the error names the setting', () => {
  test.each([
    [{ limits: { requestsPerSecond: 0.001, burst: 5 } }, 'limits: 0.001 requests per second'],
  ])('%j', (invalidSettings, message) => {
    const make = () =>
      openRequestFilter(testWorld().world, { ...defaultOptions, ...invalidSettings });
    expect(make).toThrow(Fault);
    expect(make).toThrow(message);
  });
});

test.each([
  ['/mcp', true],
  ['/admin/sources', true],
  ['/metrics', true],
  ['/metricsx', false],
  ['/api/v1/items', false],
  ['/', false],
])('%s is outside of the public API: %s', (path, expected) => {
  expect(isOutsidePublicApi(path)).toBe(expected);
});
