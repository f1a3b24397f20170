// Addresses that the network refuses to connect to, in any spelling, by any name, at any time.
import type http from 'node:http';
import { describe, expect, test } from 'vitest';
import { get, loopbackNet, responseOf, serve, textOf } from './loopback.ts';

const hello: http.RequestListener = (request, response) => {
  response.end(`hello ${request.headers.host}`);
};
/** No private network is allowed, not even 127.0.0.0/24. */
const closed = { privateHosts: [] };
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
    const server = await serve(hello);
    const outcome = await loopbackNet(closed).request(get(`http://${host}:${server.port}/`));
    expect(outcome).toMatchObject(refusedWith(expect.stringContaining(`: ${reason}`)));
    expect(server.requestCount()).toBe(0);
  });
});

describe('a name', () => {
  test('is refused or accepted by the addresses that it resolves to', async () => {
    const server = await serve(hello);
    const net = loopbackNet({ ...closed, lookup: async () => ['127.0.0.1'] });
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
    const server = await serve(hello);
    const net = loopbackNet({ lookup: async () => ['127.0.0.1', '10.0.0.1'] });
    const outcome = await net.request(get(`http://public.example:${server.port}/`));
    expect(outcome).toMatchObject(refusedWith(expect.stringContaining('10.0.0.1: private use')));
    expect(server.requestCount()).toBe(0);
  });

  test('of this machine is refused by the real resolver', async () => {
    const server = await serve(hello);
    for (const name of ['localhost', 'localhost.', 'LOCALHOST']) {
      const outcome = await loopbackNet(closed).request(get(`http://${name}:${server.port}/`));
      expect(outcome).toMatchObject(refusedWith(expect.stringContaining('localhost is ')));
    }
    expect(server.requestCount()).toBe(0);
  });

  test('that resolves differently later is still connected at the checked address', async () => {
    const server = await serve(hello);
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
    // One DNS query per connection: a second one could return another address.
    expect(names).toEqual(['rebind.example']);
    const outcome = await net.request(get(url));
    expect(outcome).toMatchObject(refusedWith(expect.stringContaining('127.9.9.9: loopback')));
    expect(names).toEqual(['rebind.example', 'rebind.example']);
    expect(server.requestCount()).toBe(1);
  });

  test('that resolves differently after a redirect is checked again', async () => {
    const server = await serve((_request, response) => {
      response.writeHead(302, { location: '/next' }).end();
    });
    const responses = [['127.0.0.1'], ['127.9.9.9']];
    const net = loopbackNet({ lookup: async () => responses.shift() ?? [] });
    const outcome = await net.request(get(`http://rebind.example:${server.port}/`));
    expect(outcome).toMatchObject(refusedWith(expect.stringContaining('127.9.9.9')));
    expect(server.requestCount()).toBe(1);
  });

  test('without an address ends as dns', async () => {
    const none = loopbackNet({ lookup: async () => [] });
    expect(await none.request(get('http://gone.example/'))).toMatchObject({ reason: 'dns' });
    const failing = loopbackNet({
      lookup: () => Promise.reject(new Error('getaddrinfo ENOTFOUND')),
    });
    expect(await failing.request(get('http://gone.example/'))).toEqual({
      kind: 'failed',
      reason: 'dns',
      message: 'GET http://gone.example/: getaddrinfo ENOTFOUND',
      durationMs: 0,
    });
    const real = await loopbackNet().request(get('http://gone.invalid/'));
    expect(real).toMatchObject({ reason: 'dns' });
  });

  test('is tried at its next address when the first does not respond', async () => {
    const server = await serve(hello);
    const net = loopbackNet({ lookup: async () => ['127.0.0.77', '127.0.0.1'] });
    const outcome = await net.request(get(`http://two.example:${server.port}/`));
    expect(textOf(outcome)).toBe(`hello two.example:${server.port}`);
  });
});

describe('a redirect', () => {
  const redirectTo = (location: string) =>
    serve((_request, response) => void response.writeHead(302, { location }).end());

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
    const secret = await serve(hello);
    const server = await redirectTo(`http://localhost:${secret.port}/`);
    const net = loopbackNet({ lookup: async () => ['127.9.9.9'] });
    const outcome = await net.request(get(`${server.origin}/`));
    expect(outcome).toMatchObject(refusedWith(expect.stringContaining('localhost is 127.9.9.9')));
    expect(secret.requestCount()).toBe(0);
  });
});

describe('a request’s own private hosts', () => {
  test('open exactly that host and port, for that request', async () => {
    const [first, second] = [await serve(hello), await serve(hello)];
    const net = loopbackNet(closed);
    const privateHosts = [`127.0.0.1:${first.port}`];
    const request = (port: number, options = {}) =>
      net.request(get(`http://127.0.0.1:${port}/`, options));
    expect(textOf(await request(first.port, { privateHosts }))).toBe(
      `hello 127.0.0.1:${first.port}`,
    );
    expect(await request(second.port, { privateHosts })).toMatchObject({
      reason: 'address_refused',
    });
    expect(await request(first.port)).toMatchObject({ reason: 'address_refused' });
    expect([first.requestCount(), second.requestCount()]).toEqual([1, 0]);
  });

  test('open the name, and no other name with the same address', async () => {
    const server = await serve(hello);
    const net = loopbackNet({ ...closed, lookup: async () => ['127.0.0.1'] });
    const privateHosts = ['intranet.example'];
    const request = (name: string) =>
      net.request(get(`http://${name}:${server.port}/`, { privateHosts }));
    expect(responseOf(await request('intranet.example')).status).toBe(200);
    expect(await request('evil.example')).toMatchObject({ reason: 'address_refused' });
    expect(await request('127.0.0.1')).toMatchObject({ reason: 'address_refused' });
  });

  test('do not permit a redirect to another host', async () => {
    const secret = await serve(hello);
    const server = await serve((_request, response) => {
      response.writeHead(302, { location: `${secret.origin}/` }).end();
    });
    const privateHosts = [`127.0.0.1:${server.port}`];
    const outcome = await loopbackNet(closed).request(get(`${server.origin}/`, { privateHosts }));
    expect(outcome).toMatchObject(refusedWith(expect.stringContaining('loopback')));
    expect([server.requestCount(), secret.requestCount()]).toEqual([1, 0]);
  });

  test('that are invalid are refused, not ignored', async () => {
    const outcome = await loopbackNet().request(
      get('http://127.0.0.1/', { privateHosts: ['http://127.0.0.1'] }),
    );
    expect(outcome).toMatchObject(refusedWith(expect.stringContaining('"http://127.0.0.1"')));
  });

  test('prevent the start when the configuration is invalid', () => {
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
  const proxy = await serve(hello);
  const server = await serve(hello);
  const names = ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'ALL_PROXY', 'NODE_USE_ENV_PROXY'];
  const before = names.map((name) => process.env[name]);
  for (const name of names) process.env[name] = name === 'NODE_USE_ENV_PROXY' ? '1' : proxy.origin;
  try {
    expect(textOf(await loopbackNet().request(get(server.origin)))).toContain('hello');
    expect([proxy.requestCount(), server.requestCount()]).toEqual([0, 1]);
  } finally {
    for (const [index, name] of names.entries()) {
      const value = before[index];
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
});
