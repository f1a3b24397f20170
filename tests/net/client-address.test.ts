// Limits and rules about client addresses on all three ports. Requests have every header that a
// proxy can be configured to write, and only the configured header counts.
import { describe, expect, test } from 'vitest';
import { openClientResolver } from '../../src/kernel/client-address/client-address.ts';
import {
  type ForwardingHeader,
  forwardingHeaders,
} from '../../src/kernel/client-address/forwarded.ts';
import { openMetricsAccess } from '../../src/kernel/http/metrics-access.ts';
import { openTestAdmin as openRadarAdmin } from '../admin/admin-session.ts';
import { openTestConsole } from '../console/test-console.ts';
import { openTestAdmin as openGatewayAdmin } from '../operators/test-admin.ts';
import { openTestRelay } from '../relay/test-relay.ts';
import { openBrowser } from '../support/form-browser.ts';
import { sendRequest } from '../support/http-request.ts';
import { openMailServer } from '../support/mail-server.ts';
import { openTestServer } from '../support/radar-server.ts';

type Headers = Readonly<Record<string, string>>;

const headerFormats: Readonly<Record<ForwardingHeader, (address: string) => string>> = {
  'x-forwarded-for': (address) => address,
  forwarded: (address) => `for=${address}`,
  'x-real-ip': (address) => address,
};

/** The configured header with one address, and every other header with another address. */
function headersOf(
  configured: ForwardingHeader,
  proxyValue: string,
  otherAddress: string,
): Headers {
  return Object.fromEntries(
    forwardingHeaders.map((name) => [
      name,
      headerFormats[name](name === configured ? proxyValue : otherAddress),
    ]),
  );
}

type Limiter = {
  readonly name: string;
  /** Number of attempts of one client below the limit. */
  readonly burst: number;
  /** Makes one attempt and returns its status: 429 when the limit or rule refuses it. */
  readonly tryOnce: (headers: Headers, attempt: number) => Promise<number>;
};

async function openLimiters(header: ForwardingHeader): Promise<readonly Limiter[]> {
  const clients = openClientResolver({
    trustProxy: ['loopback'],
    trustProxyHeader: header,
    blockedNetworks: ['192.0.2.0/24'],
  });
  const radar = await openRadarAdmin({ clients });
  const publicOrigin = await openTestServer(radar.world, radar.publication, {
    clients,
    limits: { requestsPerSecond: 1, burst: 3 },
    blocked: { agents: [] },
  });
  const testConsole = await openTestConsole({ clients, rules: { newPerNetwork: 3 } });
  const gateway = await openGatewayAdmin({ clients });
  const relay = await openTestRelay({ clients });
  const { port } = await openMailServer();
  const smtp = { host: '127.0.0.1', port, secure: false, requireTls: false, from: 'a@b.example' };
  const consoleWithMail = await openTestConsole({ clients, smtp });
  const submitForm = async (origin: string, page: string, headers: Headers, fields: object) =>
    (await openBrowser(origin, { headers }).submit(page, page, { ...fields })).status;
  return [
    {
      name: 'requests of the public API',
      burst: 3,
      tryOnce: async (headers) =>
        (await sendRequest(publicOrigin, { path: '/api/v1/items', headers })).status,
    },
    {
      name: 'sign-in to the admin area of the radar',
      burst: 5,
      tryOnce: (headers) =>
        submitForm(radar.origin, '/admin/sign-in', headers, { password: 'wrong', name: 'Eve' }),
    },
    {
      name: 'sign-in to the admin area of the gateway',
      burst: 5,
      tryOnce: (headers) =>
        submitForm(gateway.origin, '/admin/sign-in', headers, { password: 'wrong', name: 'Eve' }),
    },
    {
      name: 'sign-in to the console',
      burst: 5,
      tryOnce: (headers, attempt) =>
        submitForm(testConsole.origin, '/console/sign-in', headers, {
          email: `nobody-${header}-${attempt}@example.com`,
          password: 'a wrong password',
        }),
    },
    {
      name: 'sign-up of the console',
      burst: 3,
      tryOnce: (headers, attempt) =>
        submitForm(testConsole.origin, '/console/sign-up', headers, {
          email: `new-${header}-${attempt}-${headers[header]}@example.com`.replaceAll('=', '-'),
          password: 'twelve letters',
        }),
    },
    {
      name: 'requests for a new password',
      burst: 10,
      tryOnce: (headers, attempt) =>
        submitForm(consoleWithMail.origin, '/console/reset', headers, {
          email: `nobody-${attempt}@example.com`,
        }),
    },
    {
      name: 'wrong API keys of the gateway',
      burst: 300,
      tryOnce: async (headers) =>
        (await sendRequest(testConsole.origin, { path: '/api/v1/account', headers })).status,
    },
    {
      name: 'wrong API keys of the relay',
      burst: 300,
      tryOnce: async (headers) =>
        (
          await sendRequest(relay.origin, {
            path: '/relay/v1/chat/completions',
            method: 'POST',
            headers,
          })
        ).status,
    },
    ...(
      [
        ['the radar', publicOrigin, '/api/v1/items'],
        ['the admin area of the radar', radar.origin, '/admin/sign-in'],
        ['pushes to the radar', publicOrigin, '/api/ingest/items'],
        ['the health of the radar', publicOrigin, '/healthz'],
        ['the MCP server of the radar', publicOrigin, '/mcp'],
        ['the gateway', testConsole.origin, '/api/v1/capabilities'],
        ['the console', testConsole.origin, '/console/sign-in'],
        ['the admin area of the gateway', gateway.origin, '/admin/sign-in'],
        ['the relay', relay.origin, '/relay/v1/models'],
      ] as const
    ).map(([name, origin, path]) => ({
      name: `a blocked network at ${name}`,
      burst: 0,
      tryOnce: async (headers: Headers) => {
        const blockedHeaders = headersOf(header, '192.0.2.9', '203.0.113.1');
        const isOwnAddress = headers[header] === headerFormats[header](OWN_ADDRESS);
        const { status } = await sendRequest(origin, {
          path,
          headers: isOwnAddress ? blockedHeaders : headers,
        });
        return status === 403 ? 429 : 200;
      },
    })),
  ];
}

const OWN_ADDRESS = '203.0.113.7';

describe.each(forwardingHeaders)('with TRUST_PROXY_HEADER=%s', async (header) => {
  const limiters = await openLimiters(header);

  test.each(limiters)('$name: other headers do not reset a limit', async ({ burst, tryOnce }) => {
    const statuses: number[] = [];
    for (let attempt = 0; attempt <= burst; attempt += 1) {
      statuses.push(
        await tryOnce(
          headersOf(header, OWN_ADDRESS, `198.51.${attempt >> 8}.${attempt & 255}`),
          attempt,
        ),
      );
    }
    expect(statuses.slice(0, -1)).not.toContain(429);
    expect(statuses.at(-1)).toBe(429);
  });

  test.each(limiters)(
    '$name: requests with other headers do not count towards a limit',
    async ({ burst, tryOnce }) => {
      const statuses: number[] = [];
      for (let attempt = 0; attempt <= Math.min(burst, 12); attempt += 1) {
        statuses.push(
          await tryOnce(headersOf(header, `198.18.${attempt}.1`, OWN_ADDRESS), attempt + 1000),
        );
      }
      expect(statuses).not.toContain(429);
    },
  );

  test('the metrics access check uses the address of the configured header', () => {
    const clients = openClientResolver({ trustProxy: ['loopback'], trustProxyHeader: header });
    const canReadMetrics = openMetricsAccess({ allow: ['10.0.0.0/8'], clients });
    const requestFrom = (proxyValue: string, otherAddress: string) =>
      canReadMetrics({
        socket: { remoteAddress: '127.0.0.1' },
        headers: headersOf(header, proxyValue, otherAddress),
      });
    expect(requestFrom('10.1.1.1', OWN_ADDRESS)).toBe(true);
    expect(requestFrom(OWN_ADDRESS, '10.1.1.1')).toBe(false);
  });
});
