// A table of requests that had wrong responses in the past. `finding` is the number of the finding
// in the review that reported it; the reviews are not in this repository.
import { expect, test } from 'vitest';
import { openTestRelay } from '../relay/test-relay.ts';
import { sendRequest } from '../support/http-request.ts';
import { MERGED_STORY, openReaderRadar, STORY } from '../support/reader-radar.ts';
import { openTestGateway } from '../support/test-gateway.ts';

type Regression = {
  readonly finding: string;
  readonly method?: string;
  readonly port: 'radar' | 'gateway' | 'relay';
  /** The key in the Authorization header; absent: no such header. */
  readonly key?: 'sk' | 'ak' | 'akTest';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly status: number;
  /** Part of the head or of the body. */
  readonly expectedText: string;
};

const textHeaders = { 'content-type': 'text/plain' };
const jsonHeaders = { 'content-type': 'application/json' };

const regressions: readonly Regression[] = [
  {
    finding: 'conformance D13',
    port: 'radar',
    path: `/api/v1/agent/stories/${MERGED_STORY}?limit=5`,
    status: 308,
    expectedText: `/api/v1/agent/stories/${STORY}?limit=5`,
  },
  {
    finding: 'conformance D14',
    port: 'radar',
    path: '/problems/unsupported-media-type',
    status: 200,
    expectedText: 'unsupported_media_type',
  },
  {
    finding: 'conformance D14',
    method: 'POST',
    port: 'radar',
    path: '/mcp',
    headers: textHeaders,
    body: 'x',
    status: 415,
    expectedText: '/problems/unsupported-media-type',
  },
  {
    finding: 'clients 4',
    method: 'POST',
    port: 'radar',
    path: '/api/v1/items',
    headers: textHeaders,
    body: 'x'.repeat(5_000_000),
    status: 405,
    expectedText: 'method_not_allowed',
  },
  {
    finding: 'clients 4',
    method: 'POST',
    port: 'gateway',
    path: '/api/v1/capabilities/paid',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ text: 'x'.repeat(5_000_000) }),
    status: 401,
    expectedText: 'invalid_api_key',
  },
  {
    finding: 'conformance D6',
    method: 'POST',
    port: 'gateway',
    path: '/api/v1/capabilities/paid',
    key: 'sk',
    headers: jsonHeaders,
    body: '{"colour":"red"}',
    status: 400,
    expectedText: 'The field \\"text\\" is required. Unknown field: \\"colour\\".',
  },
  {
    finding: 'conformance D8',
    method: 'POST',
    port: 'gateway',
    path: '/api/v1/capabilities/paid',
    key: 'sk',
    headers: jsonHeaders,
    body: '{"text":"a","max_charge":"0.01"}',
    status: 402,
    expectedText: 'max_charge_exceeded',
  },
  {
    finding: 'conformance D11',
    port: 'gateway',
    path: '/api/v1/account',
    key: 'sk',
    status: 200,
    expectedText: '"burst";q=1000',
  },
  {
    finding: 'conformance D12',
    method: 'POST',
    port: 'gateway',
    path: '/api/v1/capabilities/paid',
    key: 'sk',
    headers: jsonHeaders,
    body: '{"text":"a","max_charge":"-1"}',
    status: 400,
    expectedText: 'max_charge',
  },
  {
    finding: 'conformance, missing 7',
    port: 'gateway',
    path: '/capabilities/catalog',
    status: 200,
    expectedText: '"configured":false,"healthy":false,"reason":"Not offered on this service yet."',
  },
  {
    finding: 'security S6',
    method: 'POST',
    port: 'relay',
    path: '/relay/v1/chat/completions',
    key: 'akTest',
    headers: jsonHeaders,
    body: '{"model":"sandbox","best_of":50,"messages":[{"role":"user","content":"Hi"}]}',
    status: 400,
    expectedText: 'best_of',
  },
  {
    finding: 'conformance D6',
    method: 'POST',
    port: 'radar',
    path: '/mcp',
    headers: { ...jsonHeaders, accept: 'application/json, text/event-stream' },
    body: '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search"}}',
    status: 200,
    expectedText: 'is required',
  },
  {
    finding: 'clients 7',
    port: 'radar',
    path: '/feed.xml',
    status: 200,
    expectedText: 'etag: ',
  },
  {
    finding: 'conformance D12',
    port: 'gateway',
    path: '/openapi.json',
    status: 200,
    expectedText: '"/relay/v1/messages/count_tokens"',
  },
  {
    finding: 'conformance D12',
    port: 'relay',
    path: '/openapi.json',
    status: 200,
    expectedText: '"/relay/v1/chat/completions"',
  },
  {
    finding: 'conformance D12',
    port: 'radar',
    path: '/openapi-v1.json',
    status: 200,
    expectedText: '"/api/v1/agent/stories/{publicId}"',
  },
  {
    finding: 'conformance D19',
    method: 'POST',
    port: 'relay',
    path: '/relay/v1/chat/completions',
    key: 'akTest',
    headers: jsonHeaders,
    body: '{"model":"sandbox","messages":[{"role":"user","content":"sandbox:402"}]}',
    status: 402,
    expectedText: 'insufficient_balance',
  },
  {
    finding: 'conformance D20',
    method: 'POST',
    port: 'radar',
    path: '/mcp',
    headers: jsonHeaders,
    body: '{',
    status: 400,
    expectedText: '-32700',
  },
  {
    finding: 'conformance D20',
    method: 'POST',
    port: 'gateway',
    path: '/mcp',
    key: 'sk',
    headers: jsonHeaders,
    body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
    status: 200,
    expectedText: 'outputSchema',
  },
  {
    finding: 'conformance D23',
    port: 'gateway',
    path: '/openapi.json',
    headers: { 'accept-encoding': 'gzip' },
    status: 200,
    expectedText: 'content-encoding: gzip',
  },
  {
    finding: 'conformance, missing 5',
    port: 'gateway',
    path: '/api/v1/jobs',
    key: 'ak',
    status: 200,
    expectedText: '{"jobs":[],"has_more":false,"next_cursor":null}',
  },
  {
    finding: 'conformance, missing 8',
    port: 'gateway',
    path: '/api/v1/usage',
    key: 'sk',
    status: 200,
    expectedText: '"from":"2026-08-01"',
  },
  {
    finding: 'security S13',
    port: 'radar',
    path: '/%6detrics',
    status: 404,
    expectedText: 'not_found',
  },
  {
    finding: 'security S13',
    port: 'gateway',
    path: '/%6detrics',
    status: 404,
    expectedText: 'not_found',
  },
  {
    finding: 'security S13',
    port: 'radar',
    path: '/metrics',
    headers: { host: 'evil.example' },
    status: 404,
    expectedText: 'not_found',
  },
  {
    finding: 'clients 7',
    port: 'relay',
    path: '/v1/models',
    key: 'akTest',
    status: 200,
    expectedText: '"sandbox"',
  },
  {
    finding: 'clients 8',
    port: 'radar',
    path: '/api/v1/agent',
    status: 200,
    expectedText: 'Lists of values grow',
  },
];

const { origin } = await openReaderRadar();
const gateway = await openTestGateway();
const relay = await openTestRelay();
const origins = { radar: origin, gateway: gateway.origin, relay: relay.origin };
const keysOf = { radar: gateway.keys, gateway: gateway.keys, relay: relay.keys };

test.each(regressions)('$finding: $port $path', async (row) => {
  const { method = 'GET', port, path, key, body } = row;
  const authorization = key === undefined ? {} : { authorization: `Bearer ${keysOf[port][key]}` };
  const headers = { ...authorization, ...row.headers };
  const request = { method, path, headers, ...(body !== undefined && { body }) };
  const {
    status,
    headers: responseHeaders,
    text: receivedText,
  } = await sendRequest(origins[port], request);
  expect(status).toBe(row.status);
  const head = Object.entries(responseHeaders).map(([name, value]) => `${name}: ${value}`);
  expect(`${head.join('\n')}\n${receivedText}`).toContain(row.expectedText);
});
