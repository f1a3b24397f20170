// Addresses that the network refuses. Tests vary their spelling, their name, and the time at which
// a name resolves to them.
import type http from 'node:http';
import { describe, expect, test } from 'vitest';
import { get, loopbackNet, openHttpServer, responseOf, textOf } from './loopback.ts';

const respondHello: http.RequestListener = (request, response) => {
  response.end(`hello ${request.headers.host}`);
};
/** Allows no private network, not even 127.0.0.0/24. */
const noPrivateHosts = { privateHosts: [] };
const refusedWith = (message: string) => ({ kind: 'failed', reason: 'address_refused', message });

describe('an address in the URL', () => {
  test.each([
    ['127.0.0.1', 'loopback'],
    ['2130706433', 'loopback'],
    ['0x7f000001', 'loopback'],
    ['0x7f.1', 'loopback'],
    ['0177.0.0.1', 'loopback'],
    ['017700000001', 'loopback'],
    ['127.1', 'loopback'],
    ['127.0.0.1.', 'loopback'],
    ['①②⑦.0.0.1', 'loopback'],
    ['127。0。0。1', 'loopback'],
    ['%31%32%37.0.0.1', 'loopback'],
    ['0', 'this network'],
    ['[::]', 'unspecified'],
    ['[::1]', 'loopback'],
    ['[::ffff:127.0.0.1]', 'IPv4-mapped'],
    ['[::127.0.0.1]', 'IPv4-compatible'],
    ['[64:ff9b::127.0.0.1]', 'NAT64'],
    ['[2002:7f00:1::]', '6to4'],
    ['[fe80::1]', 'link local'],
    ['169.254.169.254', 'link local'],
    ['10.1', 'private use'],
    ['192.168.1.1', 'private use'],
  ])('http://%s/ is refused: %s', async (host, reason) => {
    const server = await openHttpServer(respondHello);
    const outcome = await loopbackNet(noPrivateHosts).request(
      get(`http://${host}:${server.port}/`),
    );
    expect(outcome).toMatchObject(refusedWith(expect.stringContaining(`: ${reason}`)));
    expect(server.requestCount()).toBe(0);
  });
});

describe('a name', () => {
  test('is refused when it resolves to this machine', async () => {
    const server = await openHttpServer(respondHello);
    const net = loopbackNet({ ...noPrivateHosts, lookup: async () => ['127.0.0.1'] });
    const outcome = await net.request(get(`http://public.example:${server.port}/x?key=secret`));
    expect(outcome).toEqual({
      ...refusedWith(
        `GET http://public.example:${server.port}/x: ` +
          'public.example is 127.0.0.1: loopback (RFC 1122, section 3.2.1.3)',
      ),
      durationMs: 0,
    });
    expect(server.requestCount()).toBe(0);
  });

  test('is refused when one of its addresses is private', async () => {
    const server = await openHttpServer(respondHello);
    const net = loopbackNet({ lookup: async () => ['127.0.0.1', '10.0.0.1'] });
    const outcome = await net.request(get(`http://public.example:${server.port}/`));
    expect(outcome).toMatchObject(refusedWith(expect.stringContaining('10.0.0.1: private use')));
    expect(server.requestCount()).toBe(0);
  });

  test('of this machine is refused with the real resolver', async () => {
    const server = await openHttpServer(respondHello);
    for (const name of ['localhost', 'localhost.', 'LOCALHOST']) {
      const outcome = await loopbackNet(noPrivateHosts).request(
        get(`http://${name}:${server.port}/`),
      );
      expect(outcome).toMatchObject(refusedWith(expect.stringContaining('localhost is ')));
    }
    expect(server.requestCount()).toBe(0);
  });

  test('is connected at the checked address even when it resolves differently later', async () => {
    const server = await openHttpServer(respondHello);
    // 127.0.0.1 stands for a public address, 127.9.9.9 for a private one.
    const responses = [['127.0.0.1'], ['127.9.9.9'], ['127.9.9.9']];
    const names: string[] = [];
    const net = loopbackNet({
      lookup: async (name) => {
        names.push(name);
        return responses.shift() ?? [];
      },
    });
    const url = `http://rebind.example:${server.port}/`;
    expect(textOf(await net.request(get(url)))).toBe(`hello rebind.example:${server.port}`);
    // One DNS query per connection: a second query could return another address.
    expect(names).toEqual(['rebind.example']);
    const outcome = await net.request(get(url));
    expect(outcome).toMatchObject(refusedWith(expect.stringContaining('127.9.9.9: loopback')));
    expect(names).toEqual(['rebind.example', 'rebind.example']);
    expect(server.requestCount()).toBe(1);
  });

  test('is checked again after a redirect', async () => {
    const server = await openHttpServer((_request, response) => {
      response.writeHead(302, { location: '/next' }).end();
    });
    const responses = [['127.0.0.1'], ['127.9.9.9']];
    const net = loopbackNet({ lookup: async () => responses.shift() ?? [] });
    const outcome = await net.request(get(`http://rebind.example:${server.port}/`));
    expect(outcome).toMatchObject(refusedWith(expect.stringContaining('127.9.9.9')));
    expect(server.requestCount()).toBe(1);
  });

  test('fails as dns when it has no address', async () => {
    const withoutAddress = loopbackNet({ lookup: async () => [] });
    expect(await withoutAddress.request(get('http://gone.example/'))).toMatchObject({
      reason: 'dns',
    });
    const failingLookup = loopbackNet({
      lookup: () => Promise.reject(new Error('getaddrinfo ENOTFOUND')),
    });
    expect(await failingLookup.request(get('http://gone.example/'))).toEqual({
      kind: 'failed',
      reason: 'dns',
      message: 'GET http://gone.example/: getaddrinfo ENOTFOUND',
      durationMs: 0,
    });
    const realLookup = await loopbackNet().request(get('http://gone.invalid/'));
    expect(realLookup).toMatchObject({ reason: 'dns' });
  });

  test('is tried at its next address when the first does not respond', async () => {
    const server = await openHttpServer(respondHello);
    const net = loopbackNet({ lookup: async () => ['127.0.0.77', '127.0.0.1'] });
    const outcome = await net.request(get(`http://two.example:${server.port}/`));
    expect(textOf(outcome)).toBe(`hello two.example:${server.port}`);
  });
});

describe('a redirect', () => {
  const redirectTo = (location: string) =>
    openHttpServer((_request, response) => void response.writeHead(302, { location }).end());

  test.each(['http://127.9.9.9/', 'http://[::1]:1/', 'http://169.254.169.254/latest/meta-data/'])(
    'to %s is refused',
    async (location) => {
      const server = await redirectTo(location);
      const outcome = await loopbackNet().request(get(`${server.origin}/`));
      const message = expect.stringContaining(`GET ${server.origin}/ → ${location}: `);
      expect(outcome).toMatchObject(refusedWith(message));
    },
  );

  test('to a private name is refused', async () => {
    const secret = await openHttpServer(respondHello);
    const server = await redirectTo(`http://localhost:${secret.port}/`);
    const net = loopbackNet({ lookup: async () => ['127.9.9.9'] });
    const outcome = await net.request(get(`${server.origin}/`));
    expect(outcome).toMatchObject(refusedWith(expect.stringContaining('localhost is 127.9.9.9')));
    expect(secret.requestCount()).toBe(0);
  });
});

describe('a request’s own private hosts', () => {
  test('allow exactly that host and port for that request', async () => {
    const [firstServer, secondServer] = [
      await openHttpServer(respondHello),
      await openHttpServer(respondHello),
    ];
    const net = loopbackNet(noPrivateHosts);
    const privateHosts = [`127.0.0.1:${firstServer.port}`];
    const request = (port: number, options = {}) =>
      net.request(get(`http://127.0.0.1:${port}/`, options));
    expect(textOf(await request(firstServer.port, { privateHosts }))).toBe(
      `hello 127.0.0.1:${firstServer.port}`,
    );
    expect(await request(secondServer.port, { privateHosts })).toMatchObject({
      reason: 'address_refused',
    });
    expect(await request(firstServer.port)).toMatchObject({ reason: 'address_refused' });
    expect([firstServer.requestCount(), secondServer.requestCount()]).toEqual([1, 0]);
  });

  test('allow the name, and no other name with the same address', async () => {
    const server = await openHttpServer(respondHello);
    const net = loopbackNet({ ...noPrivateHosts, lookup: async () => ['127.0.0.1'] });
    const privateHosts = ['intranet.example'];
    const request = (name: string) =>
      net.request(get(`http://${name}:${server.port}/`, { privateHosts }));
    expect(responseOf(await request('intranet.example')).status).toBe(200);
    expect(await request('evil.example')).toMatchObject({ reason: 'address_refused' });
    expect(await request('127.0.0.1')).toMatchObject({ reason: 'address_refused' });
  });

  test('do not permit a redirect to another host', async () => {
    const secret = await openHttpServer(respondHello);
    const server = await openHttpServer((_request, response) => {
      response.writeHead(302, { location: `${secret.origin}/` }).end();
    });
    const privateHosts = [`127.0.0.1:${server.port}`];
    const outcome = await loopbackNet(noPrivateHosts).request(
      get(`${server.origin}/`, { privateHosts }),
    );
    expect(outcome).toMatchObject(refusedWith(expect.stringContaining('loopback')));
    expect([server.requestCount(), secret.requestCount()]).toEqual([1, 0]);
  });

  test('that are invalid are refused', async () => {
    const outcome = await loopbackNet().request(
      get('http://127.0.0.1/', { privateHosts: ['http://127.0.0.1'] }),
    );
    expect(outcome).toMatchObject(refusedWith(expect.stringContaining('"http://127.0.0.1"')));
  });

  test('that are invalid in the configuration prevent the start', () => {
    expect(() => loopbackNet({ privateHosts: ['10.0.0.0/99'] })).toThrow('10.0.0.0/99');
  });
});

describe('a URL', () => {
  test.each([
    ['', 'not a URL'],
    ['example.com', 'not a URL'],
    ['http://', 'not a URL'],
    ['http://[::1', 'not a URL'],
    ['http://1.2.3.4.5/', 'not a URL'],
    ['ftp://example.com/', 'ftp: is neither http nor https'],
    ['file:///etc/passwd', 'file: is neither http nor https'],
    ['ws://example.com/', 'ws: is neither http nor https'],
    ['data:text/plain,x', 'data: is neither http nor https'],
    ['http://user:pass@example.com/', 'the URL carries credentials'],
    ['http://user@example.com/', 'the URL carries credentials'],
  ])('%j is invalid: %s', async (url, reason) => {
    const outcome = await loopbackNet().request(get(url));
    expect(outcome).toMatchObject({ kind: 'failed', reason: 'invalid_url', durationMs: 0 });
    expect(outcome).toMatchObject({ message: expect.stringMatching(new RegExp(`: ${reason}$`)) });
    expect(outcome).toMatchObject({ message: expect.not.stringContaining('pass@') });
  });
});

test('ignores proxies in the environment', async () => {
  const proxy = await openHttpServer(respondHello);
  const server = await openHttpServer(respondHello);
  const names = ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'ALL_PROXY', 'NODE_USE_ENV_PROXY'];
  const valuesBefore = names.map((name) => process.env[name]);
  for (const name of names) process.env[name] = name === 'NODE_USE_ENV_PROXY' ? '1' : proxy.origin;
  try {
    expect(textOf(await loopbackNet().request(get(server.origin)))).toContain('hello');
    expect([proxy.requestCount(), server.requestCount()]).toEqual([0, 1]);
  } finally {
    for (const [index, name] of names.entries()) {
      const value = valuesBefore[index];
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
});
