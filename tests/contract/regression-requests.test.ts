// Requests that were answered wrongly once, as a table for the next inspection of a running system.
// `finding` names the report and its number.
import { expect, test } from 'vitest';
import { ask } from '../support/ask.ts';
import { MERGED, openReaderRadar, STORY } from '../support/reader-radar.ts';
import { openTestGateway } from '../support/test-gateway.ts';

type Regression = {
  readonly finding: string;
  readonly method?: string;
  readonly port: 'radar' | 'gateway';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly status: number;
  /** Part of the location or of the body. */
  readonly holds: string;
};

const text = { 'content-type': 'text/plain' };

const regressions: readonly Regression[] = [
  {
    finding: 'conformance D13',
    port: 'radar',
    path: `/api/v1/agent/stories/${MERGED}?limit=5`,
    status: 308,
    holds: `/api/v1/agent/stories/${STORY}?limit=5`,
  },
  {
    finding: 'conformance D14',
    port: 'radar',
    path: '/problems/unsupported-media-type',
    status: 200,
    holds: 'unsupported_media_type',
  },
  {
    finding: 'conformance D14',
    method: 'POST',
    port: 'radar',
    path: '/mcp',
    headers: text,
    body: 'x',
    status: 415,
    holds: '/problems/unsupported-media-type',
  },
  {
    finding: 'clients 4',
    method: 'POST',
    port: 'radar',
    path: '/api/v1/items',
    headers: text,
    body: 'x'.repeat(5_000_000),
    status: 405,
    holds: 'method_not_allowed',
  },
  {
    finding: 'clients 4',
    method: 'POST',
    port: 'gateway',
    path: '/api/v1/capabilities/paid',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ text: 'x'.repeat(5_000_000) }),
    status: 401,
    holds: 'invalid_api_key',
  },
];

const { origin } = await openReaderRadar();
const gateway = await openTestGateway();
const origins = { radar: origin, gateway: gateway.origin };

test.each(regressions)('$finding: $port $path', async (row) => {
  const { method = 'GET', port, path, headers = {}, body } = row;
  const request = { method, path, headers, ...(body !== undefined && { body }) };
  const { status, headers: answered, text: received } = await ask(origins[port], request);
  expect(status).toBe(row.status);
  expect(`${answered.location ?? ''} ${received}`).toContain(row.holds);
});
