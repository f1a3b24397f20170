// The proxy for programs that send their own requests: allowed targets, limits and access.
import http from 'node:http';
import { afterEach, expect, test } from 'vitest';
import {
  type GuardedProxy,
  openProxy,
  type ProxyOptions,
} from '../../src/kernel/net/open-proxy.ts';
import { openHttpServer } from './loopback.ts';

let proxy: GuardedProxy | null = null;
afterEach(async () => {
  await proxy?.close();
  proxy = null;
});

async function openProxyWith(options: Partial<ProxyOptions> = {}): Promise<GuardedProxy> {
  proxy = await openProxy({ privateHosts: [], maxBytes: 1_000_000, ...options });
  return proxy;
}

type ProxyResponse = { readonly status: number; readonly body: string };

/** Sends a plain request through a proxy. For CONNECT it sends only the request of the tunnel. */
function requestThrough(
  proxyUrl: string,
  target: string,
  method: 'GET' | 'CONNECT',
): Promise<ProxyResponse> {
  const url = new URL(proxyUrl);
  const secret = Buffer.from(`${url.username}:${url.password}`).toString('base64');
  return new Promise((resolve, reject) => {
    const request = http.request({
      host: url.hostname,
      port: url.port,
      method,
      path: target,
      agent: false,
      headers: { 'proxy-authorization': `Basic ${secret}`, host: 'ignored.example' },
    });
    request.once('error', reject);
    request.once('connect', (response, socket) => {
      socket.destroy();
      resolve({ status: response.statusCode ?? 0, body: '' });
    });
    request.once('response', (response) => {
      let body = '';
      response.on('data', (chunk) => {
        body += chunk;
      });
      response.once('error', reject);
      response.once('aborted', () => reject(new Error('cut off')));
      response.once('end', () => resolve({ status: response.statusCode ?? 0, body }));
    });
    request.end();
  });
}

test('connects to permitted hosts by plain requests and through a tunnel', async () => {
  const site = await openHttpServer((_request, response) => response.end('hello'));
  const { url } = await openProxyWith({ privateHosts: [`127.0.0.1:${site.port}`] });
  expect(await requestThrough(url, `${site.origin}/a`, 'GET')).toEqual({
    status: 200,
    body: 'hello',
  });
  expect(await requestThrough(url, `127.0.0.1:${site.port}`, 'CONNECT')).toMatchObject({
    status: 200,
  });
});

test.each([
  ['http://127.0.0.1/', 'GET'],
  ['127.0.0.1:443', 'CONNECT'],
  ['169.254.169.254:80', 'CONNECT'],
  ['[::1]:443', 'CONNECT'],
  ['192.168.0.1:22', 'CONNECT'],
] as const)('refuses %s by %s with the reason', async (target, method) => {
  const guardedProxy = await openProxyWith();
  expect(await requestThrough(guardedProxy.url, target, method)).toMatchObject({ status: 403 });
  expect(guardedProxy.refusal()).not.toBeNull();
});

test('refuses a name that resolves to a private address', async () => {
  const guardedProxy = await openProxyWith({ lookup: async () => ['93.184.216.34', '10.0.0.1'] });
  expect(await requestThrough(guardedProxy.url, 'videos.example:443', 'CONNECT')).toMatchObject({
    status: 403,
  });
  expect(guardedProxy.refusal()).toContain('10.0.0.1');
});

test('requires its secret', async () => {
  const site = await openHttpServer((_request, response) => response.end('hello'));
  const { url } = await openProxyWith({ privateHosts: [`127.0.0.1:${site.port}`] });
  const wrongSecret = url.replace(/:[0-9a-f]+@/, ':guess@');
  expect(await requestThrough(wrongSecret, `${site.origin}/a`, 'GET')).toMatchObject({
    status: 407,
  });
  expect(site.requestCount()).toBe(0);
});

test('ends a transfer beyond its limits', async () => {
  const site = await openHttpServer((_request, response) => response.end('x'.repeat(200_000)));
  const guardedProxy = await openProxyWith({
    privateHosts: [`127.0.0.1:${site.port}`],
    maxBytes: 1_000,
  });
  await expect(requestThrough(guardedProxy.url, `${site.origin}/a`, 'GET')).rejects.toThrow();
  expect(guardedProxy.isOverLimit()).toBe(true);
});
