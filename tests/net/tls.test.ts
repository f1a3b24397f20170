import tls from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { get, loopbackNet, responseOf, serve, serveRaw, serveTls, textOf } from './loopback.ts';
import { selfSigned } from './self-signed.ts';

const trusted = selfSigned({ names: ['news.example'], addresses: ['127.0.0.1'] });
const expired = selfSigned({ names: ['news.example'], notAfter: new Date('2001-01-01') });
const unknown = selfSigned({ names: ['news.example'] });
const lookup = async () => ['127.0.0.1'];

let before: string[];
beforeAll(() => {
  before = tls.getCACertificates('default');
  tls.setDefaultCACertificates([trusted.cert, expired.cert]);
});
afterAll(() => tls.setDefaultCACertificates(before));

describe('https', () => {
  test('accepts a server with a valid certificate for the name', async () => {
    const server = await serveTls(trusted, (request, response) => {
      const { socket } = request;
      const name = 'servername' in socket ? socket.servername : null;
      response.end(`hello ${name} ${request.headers.host}`);
    });
    const url = `https://news.example:${server.port}/`;
    const outcome = await loopbackNet({ lookup }).request(get(url));
    expect(textOf(outcome)).toBe(`hello news.example news.example:${server.port}`);
  });

  test('accepts an address, and a name with the root’s dot', async () => {
    const server = await serveTls(trusted, (_request, response) => response.end('hello'));
    const net = loopbackNet({ lookup });
    expect(textOf(await net.request(get(`${server.origin}/`)))).toBe('hello');
    expect(textOf(await net.request(get(`https://news.example.:${server.port}/`)))).toBe('hello');
  });

  test.each([
    ['for another name', trusted, 'other.example'],
    ['that is expired', expired, 'news.example'],
    ['with an unknown issuer', unknown, 'news.example'],
  ])('with a certificate %s ends as tls', async (_what, identity, name) => {
    const server = await serveTls(identity, (_request, response) => response.end('never'));
    const outcome = await loopbackNet({ lookup }).request(get(`https://${name}:${server.port}/`));
    expect(outcome).toMatchObject({ kind: 'failed', reason: 'tls' });
    expect(server.requestCount()).toBe(0);
  });

  test('with a server of plain http fails as tls', async () => {
    const server = await serve((_request, response) => response.end('plain'));
    const outcome = await loopbackNet().request(get(`https://127.0.0.1:${server.port}/`));
    expect(outcome).toMatchObject({ kind: 'failed', reason: 'tls' });
  });

  test('cut off in the handshake ends as tls', async () => {
    const server = await serveRaw((socket) => socket.destroy());
    const outcome = await loopbackNet().request(get(`https://127.0.0.1:${server.port}/`));
    expect(outcome).toMatchObject({ kind: 'failed', reason: 'tls' });
  });

  test('to a closed port ends as connect', async () => {
    const outcome = await loopbackNet().request(get('https://127.0.0.1:1/'));
    expect(outcome).toMatchObject({ kind: 'failed', reason: 'connect' });
  });

  test('follows and reports a redirect down to http', async () => {
    const httpServer = await serve((_request, response) => response.end('plain'));
    const secure = await serveTls(trusted, (_request, response) => {
      response.writeHead(301, { location: `${httpServer.origin}/` }).end();
    });
    const outcome = responseOf(await loopbackNet().request(get(`${secure.origin}/`)));
    expect(outcome.redirects).toEqual([
      { from: `${secure.origin}/`, to: `${httpServer.origin}/`, status: 301 },
    ]);
  });
});
