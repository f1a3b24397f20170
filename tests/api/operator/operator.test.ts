import { describe, expect, test } from 'vitest';
import { openClientResolver } from '../../../src/kernel/client-address/client-address.ts';
import { openFilledRadar } from '../../support/filled-radar.ts';
import { json, sendRequest } from '../../support/http-request.ts';

const openFilter = {
  clients: openClientResolver({ trustProxy: [] }),
  limits: { requestsPerSecond: 0, burst: 1 },
  blocked: { agents: [] },
};
const { origin, serve, publication } = await openFilledRadar();

describe.each(['/healthz', '/readyz', '/metrics'])('%s', (path) => {
  test('is never cached and accepts GET and HEAD', async () => {
    const get = await sendRequest(origin, { path });
    expect(get.status).toBe(200);
    expect(get.headers['cache-control']).toBe('no-store');
    expect(get.headers.etag).toBeUndefined();
    const head = await sendRequest(origin, { path, method: 'HEAD' });
    expect([head.status, head.bytes.length]).toEqual([200, 0]);
    expect((await sendRequest(origin, { path, method: 'POST' })).status).toBe(405);
  });
});

test('healthz reports a running process, readyz the served read model', async () => {
  expect(json(await sendRequest(origin, { path: '/healthz' }))).toEqual({ status: 'ok' });
  const { version } = publication.readModel();
  expect(json(await sendRequest(origin, { path: '/readyz' }))).toEqual({
    status: 'ready',
    edition: version,
  });
});

describe('metrics', () => {
  test.each([
    { 'x-forwarded-for': '203.0.113.7' },
    { forwarded: 'for=127.0.0.1' },
    { 'x-real-ip': '127.0.0.1' },
    { authorization: 'Bearer something', via: '1.1 proxy' },
  ])('are 404 through a proxy: %j', async (headers) => {
    const refusal = await sendRequest(origin, { path: '/metrics', headers });
    const unknownAddress = await sendRequest(origin, { path: '/nowhere' });
    expect(refusal.status).toBe(404);
    const { requestId: _a, instance: _b, ...problem } = json(refusal);
    const { requestId: _c, instance: _d, ...unknownProblem } = json(unknownAddress);
    expect(problem).toEqual(unknownProblem);
  });

  test('count responses by route and status, and count cached responses separately', async () => {
    const newServer = await serve(openFilter);
    const path = '/api/v1/items?mode=all';
    const { etag = '' } = (await sendRequest(newServer, { path })).headers;
    await sendRequest(newServer, { path });
    await sendRequest(newServer, { path, headers: { 'if-none-match': etag } });
    await sendRequest(newServer, { path: '/api/v1/items?x' });
    await sendRequest(newServer, { path: '/nowhere', method: 'POST' });
    const { text } = await sendRequest(newServer, { path: '/metrics' });
    const lines = text.split('\n');
    expect(lines).toContain('radar_http_requests_total{route="items",status="200"} 2');
    expect(lines).toContain('radar_http_requests_total{route="items",status="304"} 1');
    expect(lines).toContain('radar_http_requests_total{route="items",status="400"} 1');
    expect(lines).toContain('radar_http_requests_total{route="other",status="405"} 1');
    expect(lines).toContain('radar_responses_total{from="ready"} 1');
    expect(lines).toContain('radar_responses_total{from="made"} 2');
    expect(lines).toContain(`radar_read_model_version ${publication.readModel().version}`);
  });

  test('contain no addresses, agents or queries of clients', async () => {
    const canary = 'canary7f3a';
    const trustingOrigin = await serve({
      ...openFilter,
      clients: openClientResolver({ trustProxy: ['loopback'] }),
    });
    const headers = {
      'x-forwarded-for': '203.0.113.77',
      'user-agent': `${canary} radar-actor/0b6f6f0e-5a3c-4c55-9a0e-0d6b8f1c2a11`,
      authorization: `Bearer ${canary}`,
    };
    await sendRequest(trustingOrigin, { path: `/api/v1/items?q=${canary}`, headers });
    await sendRequest(trustingOrigin, { path: `/${canary}`, headers });
    const { status, text } = await sendRequest(trustingOrigin, { path: '/metrics' });
    expect(status).toBe(200);
    for (const requestTrace of [canary, '203.0.113.77', '0b6f6f0e', '127.0.0.1']) {
      expect(text).not.toContain(requestTrace);
    }
  });
});
