// Tests the admin and metrics ports, which are separate from the public ports, and networks that
// are blocked on all ports. The test starts a real process.
import { readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { openBrowser } from '../support/form-browser.ts';
import { type ServingProcess, startServing, temporaryDataDir } from '../support/radar-process.ts';

const BLOCKED = '127.0.0.9';
const DATA_DIR = temporaryDataDir();
const RADAR_CONFIG = join(DATA_DIR, 'radar.config.json');
writeFileSync(
  RADAR_CONFIG,
  JSON.stringify({
    admin: { port: 0 },
    metrics: { port: 0 },
    blocked: { networks: [BLOCKED] },
    securityTxt: {
      contact: ['mailto:security@example.org', 'https://example.org/report'],
      expires: '2090-01-01T00:00:00Z',
      preferredLanguages: ['en', 'zh'],
      policy: 'https://example.org/policy',
    },
  }),
);

let serving: ServingProcess;
const addressOf = {
  radar: '',
  gateway: '',
  relay: '',
  radarAdmin: '',
  gatewayAdmin: '',
  metrics: '',
};

beforeAll(async () => {
  serving = await startServing({ DATA_DIR, RADAR_CONFIG });
  const address = (pattern: RegExp) => pattern.exec(serving.text.out)?.[1] ?? '';
  Object.assign(addressOf, {
    radar: serving.url,
    gateway: serving.gatewayUrl,
    relay: address(/^Relay +(\S+)\/relay\/v1$/m),
    radarAdmin: address(/^Admin +(\S+)\/admin \(radar\)$/m),
    gatewayAdmin: address(/^Admin +(\S+)\/admin \(gateway\)$/m),
    metrics: address(/^Metrics +(\S+)\/metrics$/m),
  });
});

const get = (url: string) => fetch(url, { redirect: 'manual' });

test('the public ports have neither an admin area nor metrics', async () => {
  for (const url of [addressOf.radar, addressOf.gateway]) {
    expect((await get(`${url}/admin`)).status).toBe(404);
    expect((await get(`${url}/admin/sign-in`)).status).toBe(404);
    expect((await fetch(`${url}/admin/sign-in`, { method: 'POST' })).status).toBe(404);
  }
  for (const url of [
    addressOf.radar,
    addressOf.gateway,
    addressOf.relay,
    addressOf.radarAdmin,
    addressOf.gatewayAdmin,
  ]) {
    expect((await get(`${url}/metrics`)).status).toBe(404);
  }
});

test('each admin area works on its own port, with its styles', async () => {
  const { operator_password: password } = JSON.parse(
    readFileSync(join(DATA_DIR, 'first-run.json'), 'utf8'),
  ) as { operator_password: string };
  for (const url of [addressOf.radarAdmin, addressOf.gatewayAdmin]) {
    const browser = openBrowser(url);
    await browser.submit('/admin/sign-in', '/admin/sign-in', { password });
    const { status, text } = await browser.get('/admin/profile');
    expect(status).toBe(200);
    const [, style = ''] = /<link rel="stylesheet" href="([^"]+)"/.exec(text) ?? [];
    const asset = await get(`${url}${style}`);
    expect([asset.status, asset.headers.get('content-type')]).toEqual([
      200,
      'text/css; charset=utf-8',
    ]);
    const invitationPage = await browser.submit('/admin/operators', '/admin/operators/invite', {
      name: `Guest of ${url.replace(/\D/g, '')}`,
      role: 'auditor',
    });
    expect(invitationPage.text).toContain(`${url}/admin/invitation?invitation=`);
  }
});

test('other addresses of an admin port redirect to the public site', async () => {
  const start = await get(`${addressOf.radarAdmin}/`);
  expect([start.status, start.headers.get('location')]).toEqual([302, '/admin']);
  const item = await get(`${addressOf.radarAdmin}/items/none`);
  expect(item.headers.get('location')).toBe(`${addressOf.radar}/items/none`);
  const consolePage = await get(`${addressOf.gatewayAdmin}/console`);
  expect(consolePage.headers.get('location')).toBe(`${addressOf.gateway}/console`);
  expect((await fetch(`${addressOf.radarAdmin}/items`, { method: 'POST' })).status).toBe(404);
});

test('the metrics are on their own port', async () => {
  const { status, headers } = await get(`${addressOf.metrics}/metrics`);
  expect([status, headers.get('content-type')]).toEqual([
    200,
    'text/plain; version=0.0.4; charset=utf-8',
  ]);
  expect((await get(`${addressOf.metrics}/admin`)).status).toBe(404);
});

test('every public port serves security.txt', async () => {
  const bodies = [
    addressOf.radar,
    addressOf.gateway,
    addressOf.relay,
    addressOf.radarAdmin,
    addressOf.gatewayAdmin,
  ].map(async (url) => {
    const response = await get(`${url}/.well-known/security.txt`);
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    return response.text();
  });
  const text = `Contact: mailto:security@example.org
Contact: https://example.org/report
Expires: 2090-01-01T00:00:00.000Z
Preferred-Languages: en, zh
Policy: https://example.org/policy
`;
  expect(await Promise.all(bodies)).toEqual([text, text, text, text, text]);
});

test('a blocked network gets 403 on every port', async () => {
  const paths = {
    radar: ['/', '/api/v1/items', '/mcp', '/feed.xml', '/healthz', '/api/ingest/items'],
    gateway: ['/', '/console', '/console/sign-in', '/api/v1/account', '/mcp', '/healthz'],
    relay: ['/relay/v1/models', '/v1/models', '/openapi.json', '/healthz'],
    radarAdmin: ['/', '/admin', '/admin/sign-in', '/healthz'],
    gatewayAdmin: ['/', '/admin', '/admin/sign-in', '/healthz'],
    metrics: ['/metrics', '/'],
  };
  const failures: string[] = [];
  for (const [port, triedPaths] of Object.entries(paths)) {
    for (const path of [...triedPaths, '/.well-known/security.txt']) {
      const url = `${addressOf[port as keyof typeof addressOf]}${path}`;
      const status = await statusFrom(BLOCKED, url);
      if (status !== 403) failures.push(`${port} ${path}: ${status}`);
    }
  }
  expect(failures).toEqual([]);
  expect(await statusFrom('127.0.0.8', `${addressOf.radar}/healthz`)).toBe(200);
});

const statusFrom = (localAddress: string, url: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const clientRequest = request(url, { localAddress, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    clientRequest.once('error', reject);
    clientRequest.end();
  });
