// Requests through HTTP CONNECT and SOCKS5 proxies on loopback. The tests check the data that the
// proxy receives, and requests that are refused before they reach it.
import { describe, expect, test } from 'vitest';
import { type EgressProxy, parseEgressProxy } from '../../src/kernel/net/egress-proxy.ts';
import { openHttpProxy, openSocksProxy, type RecordingProxy } from './egress-proxies.ts';
import { get, loopbackNet, openHttpServer, responseOf, textOf } from './loopback.ts';

const protocols = [
  ['http', openHttpProxy],
  ['socks5h', openSocksProxy],
] as const;

const proxyAt = (
  scheme: string,
  { port }: RecordingProxy,
  nameResolution: EgressProxy['nameResolution'] = 'here',
  login = '',
) => parseEgressProxy('office', `${scheme}://${login}127.0.0.1:${port}`, nameResolution);

const openHelloServer = () =>
  openHttpServer((request, response) => response.end(`hello ${request.headers.host}`));
/** A public name that this process resolves to loopback, so that a test needs no network. */
const lookup = async () => ['127.0.0.1'];

describe.each(protocols)('a proxy with the protocol %s', (scheme, openProxy) => {
  test('receives the checked address and never the name', async () => {
    const [site, proxy] = [await openHelloServer(), await openProxy()];
    const net = loopbackNet({
      lookup,
      privateHosts: ['site.example'],
      proxy: proxyAt(scheme, proxy),
    });
    const outcome = await net.request(get(`http://site.example:${site.port}/`));
    expect(textOf(responseOf(outcome))).toBe(`hello site.example:${site.port}`);
    expect(proxy.targets).toEqual([`127.0.0.1:${site.port}`]);
  });

  test('receives the name when it resolves names', async () => {
    const [site, proxy] = [await openHelloServer(), await openProxy()];
    const net = loopbackNet({
      lookup: async () => [],
      privateHosts: [],
      proxy: proxyAt(scheme, proxy, 'there'),
    });
    const outcome = await net.request(get(`http://site.example:${site.port}/`));
    expect(textOf(responseOf(outcome))).toBe(`hello site.example:${site.port}`);
    expect(proxy.targets).toEqual([`site.example:${site.port}`]);
  });

  test.each(['here', 'there'] as const)('receives no private address (%s)', async (resolve) => {
    const proxy = await openProxy();
    const net = loopbackNet({
      lookup,
      privateHosts: [],
      proxy: proxyAt(scheme, proxy, resolve),
    });
    const hosts = ['127.0.0.1', '169.254.169.254', '[::1]', 'localhost', 'inner', 'a.internal'];
    for (const host of [...hosts, 'resolves-to-loopback.example']) {
      const outcome = await net.request(get(`http://${host}/`));
      expect([host, outcome]).toMatchObject([host, { reason: 'address_refused' }]);
    }
    expect(proxy.targets).toEqual([]);
  });

  test('receives no private address from a redirect', async () => {
    const proxy = await openProxy();
    const site = await openHttpServer((_request, response) => {
      response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data' }).end();
    });
    const net = loopbackNet({
      lookup: async () => [],
      privateHosts: [],
      proxy: proxyAt(scheme, proxy, 'there'),
    });
    const outcome = await net.request(get(`http://site.example:${site.port}/`));
    expect(outcome).toMatchObject({ kind: 'failed', reason: 'address_refused' });
    expect(proxy.targets).toEqual([`site.example:${site.port}`]);
  });

  test('is named in the error when it is down or its password is wrong', async () => {
    const proxy = await openProxy({ password: 'user:right' });
    const privateHosts = ['127.0.0.1'];
    const site = await openHelloServer();
    for (const [login, expected] of [
      ['user:right@', { kind: 'response' }],
      ['user:wrong@', { reason: 'connect', message: expect.stringContaining('proxy office (') }],
    ] as const) {
      const net = loopbackNet({ privateHosts, proxy: proxyAt(scheme, proxy, 'here', login) });
      expect(await net.request(get(`${site.origin}/`))).toMatchObject(expected);
    }
    const unreachableProxy = proxyAt(scheme, { port: 1, targets: [] });
    const outcome = await loopbackNet({ privateHosts, proxy: unreachableProxy }).request(
      get(`${site.origin}/`),
    );
    expect(outcome).toMatchObject({
      reason: 'connect',
      message: expect.stringContaining('proxy office (127.0.0.1:1): connect ECONNREFUSED'),
    });
  });
});

test('a request chooses a named proxy or none, and an unknown name is refused', async () => {
  const [site, firstProxy, secondProxy] = [
    await openHelloServer(),
    await openHttpProxy(),
    await openSocksProxy(),
  ];
  const net = loopbackNet({
    privateHosts: ['127.0.0.1'],
    proxy: proxyAt('http', firstProxy),
    proxies: { second: proxyAt('socks5h', secondProxy) },
  });
  const url = `${site.origin}/`;
  await net.request(get(url));
  await net.request({ ...get(url), proxy: 'second' });
  await net.request({ ...get(url), proxy: 'none' });
  expect([firstProxy.targets, secondProxy.targets, site.requestCount()]).toEqual([
    [`127.0.0.1:${site.port}`],
    [`127.0.0.1:${site.port}`],
    3,
  ]);
  expect(await net.request({ ...get(url), proxy: 'third' })).toMatchObject({
    reason: 'connect',
    message: expect.stringContaining('there is no proxy called third'),
  });
});

test('refuses an invalid proxy address', () => {
  for (const address of ['https://a.example', 'socks4://a', 'nonsense', 'http://']) {
    expect(() => parseEgressProxy('office', address, 'here')).toThrow(
      'proxy office: must be http://host:port or socks5h://host:port',
    );
  }
});
