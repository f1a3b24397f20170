import tls from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  get,
  loopbackNet,
  openHttpServer,
  openRawServer,
  openTlsServer,
  responseOf,
  textOf,
} from './loopback.ts';
import { createCertificate } from './self-signed.ts';

const trustedCertificate = createCertificate({ names: ['news.example'], addresses: ['127.0.0.1'] });
const expiredCertificate = createCertificate({
  names: ['news.example'],
  notAfter: new Date('2001-01-01'),
});
const unknownCertificate = createCertificate({ names: ['news.example'] });
const lookup = async () => ['127.0.0.1'];

let authoritiesBefore: string[];
beforeAll(() => {
  authoritiesBefore = tls.getCACertificates('default');
  tls.setDefaultCACertificates([trustedCertificate.cert, expiredCertificate.cert]);
});
afterAll(() => tls.setDefaultCACertificates(authoritiesBefore));

describe('https', () => {
  test('accepts a server with a valid certificate for the name', async () => {
    const server = await openTlsServer(trustedCertificate, (request, response) => {
      const { socket } = request;
      const name = 'servername' in socket ? socket.servername : null;
      response.end(`hello ${name} ${request.headers.host}`);
    });
    const url = `https://news.example:${server.port}/`;
    const outcome = await loopbackNet({ lookup }).request(get(url));
    expect(textOf(outcome)).toBe(`hello news.example news.example:${server.port}`);
  });

  test('accepts an IP address, and a name that ends with a dot', async () => {
    const server = await openTlsServer(trustedCertificate, (_request, response) =>
      response.end('hello'),
    );
    const net = loopbackNet({ lookup });
    expect(textOf(await net.request(get(`${server.origin}/`)))).toBe('hello');
    expect(textOf(await net.request(get(`https://news.example.:${server.port}/`)))).toBe('hello');
  });

  test.each([
    ['for another name', trustedCertificate, 'other.example'],
    ['that is expired', expiredCertificate, 'news.example'],
    ['with an unknown issuer', unknownCertificate, 'news.example'],
  ])('fails with the reason tls for a certificate %s', async (_what, identity, name) => {
    const server = await openTlsServer(identity, (_request, response) => response.end('never'));
    const outcome = await loopbackNet({ lookup }).request(get(`https://${name}:${server.port}/`));
    expect(outcome).toMatchObject({ kind: 'failed', reason: 'tls' });
    expect(server.requestCount()).toBe(0);
  });

  test('fails with the reason tls for a server of plain http', async () => {
    const server = await openHttpServer((_request, response) => response.end('plain'));
    const outcome = await loopbackNet().request(get(`https://127.0.0.1:${server.port}/`));
    expect(outcome).toMatchObject({ kind: 'failed', reason: 'tls' });
  });

  test('fails with the reason tls when the server closes during the handshake', async () => {
    const server = await openRawServer((socket) => socket.destroy());
    const outcome = await loopbackNet().request(get(`https://127.0.0.1:${server.port}/`));
    expect(outcome).toMatchObject({ kind: 'failed', reason: 'tls' });
  });

  test('fails with the reason connect for a closed port', async () => {
    const outcome = await loopbackNet().request(get('https://127.0.0.1:1/'));
    expect(outcome).toMatchObject({ kind: 'failed', reason: 'connect' });
  });

  test('follows a redirect from https to http and reports it', async () => {
    const httpServer = await openHttpServer((_request, response) => response.end('plain'));
    const secureServer = await openTlsServer(trustedCertificate, (_request, response) => {
      response.writeHead(301, { location: `${httpServer.origin}/` }).end();
    });
    const outcome = responseOf(await loopbackNet().request(get(`${secureServer.origin}/`)));
    expect(outcome.redirects).toEqual([
      { from: `${secureServer.origin}/`, to: `${httpServer.origin}/`, status: 301 },
    ]);
  });
});
