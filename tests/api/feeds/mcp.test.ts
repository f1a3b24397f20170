// The Model Context Protocol through the SDK's client, and as plain messages.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, describe, expect, test } from 'vitest';
import { openClientResolver } from '../../../src/kernel/client-address/client-address.ts';
import { openFilledRadar } from '../../support/filled-radar.ts';
import { json, sendRequest } from '../../support/http-request.ts';

const { origin, serve } = await openFilledRadar();
const client = new Client({ name: 'a test', version: '1.0.0' });
await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', origin)));
afterAll(() => client.close());

const headers = { 'content-type': 'application/json', accept: 'application/json' };
const post = (message: object, extraHeaders: object = {}) =>
  sendRequest(origin, {
    method: 'POST',
    path: '/mcp',
    headers: { ...headers, ...extraHeaders },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }),
  });

type ToolResult = {
  readonly structuredContent: Record<string, unknown>;
  readonly isError?: boolean;
};
const call = async (name: string, values: Record<string, unknown> = {}) => {
  const result = await client.callTool({ name, arguments: values });
  const content = result.content as { readonly text: string }[];
  return { ...(result as unknown as ToolResult), text: content[0]?.text ?? '' };
};

test('lists seven tools, each with a description and strict input', async () => {
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name).sort()).toEqual(
    ['daily', 'hot', 'latest', 'monthly', 'search', 'story', 'weekly'].sort(),
  );
  for (const { description, inputSchema, outputSchema } of tools) {
    expect(outputSchema).toMatchObject({ type: 'object', required: expect.any(Array) });
    expect(description?.length).toBeGreaterThan(20);
    expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
  }
});

test('a tool returns the content of its JSON and Markdown addresses', async () => {
  const { structuredContent, text } = await call('latest', { mode: 'all', limit: 3 });
  const page = await sendRequest(origin, { path: '/api/v1/items?limit=3&mode=all' });
  expect(structuredContent).toEqual(json(page));
  const markdown = await sendRequest(origin, { path: '/api/v1/agent/latest?mode=all&limit=3' });
  expect(text).toBe(markdown.text);
});

test('the tools for search and hot topics return results', async () => {
  const result = await call('search', { q: 'title', limit: 2 });
  expect((result.structuredContent.items as unknown[]).length).toBe(2);
  expect((await call('hot')).structuredContent).toMatchObject({ schemaVersion: 1 });
});

test('reports a caller’s mistake as a tool result, not as a protocol failure', async () => {
  for (const [name, values, message] of [
    ['search', { q: 'a' }, '"q"'],
    ['latest', { category: 'gardening' }, '"category"'],
    ['daily', { date: '2026-02-30' }, '"date"'],
    ['weekly', {}, 'not_found'],
    ['story', { publicId: 'nothing' }, 'not_found'],
  ] as const) {
    const result = await call(name, values);
    expect([name, result.isError, result.text.includes(message)]).toEqual([name, true, true]);
  }
});

test('names all invalid arguments at once', async () => {
  const { text } = await call('search', { window: '1y', limit: 31, colour: 'red' });
  expect(text).toBe(
    'invalid_request: The argument "q" is required. ' +
      'The argument "window" must be one of 24h, 7d. The argument "limit" must be at most 30. ' +
      'Unknown argument: "colour". This tool takes: q, window, category, limit.',
  );
  expect((await call('search', { q: 'a' })).text).toBe(
    'invalid_request: The argument "q" must have 2 to 200 characters after trimming.',
  );
});

test('declares no feature that needs a stream', () => {
  expect(client.getServerCapabilities()).toEqual({ tools: { listChanged: false } });
});

describe('messages without a session', () => {
  test('receive one JSON body each, also in protocol revision 2025-06-18', async () => {
    const clientInfo = { name: 'bare', version: '1' };
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
    const response = await post({ method: 'initialize', params });
    expect([response.status, response.headers['content-type']]).toEqual([200, 'application/json']);
    expect(json(response).result).toMatchObject({ protocolVersion: '2025-06-18' });
    const listResponse = await post(
      { method: 'tools/list' },
      { 'mcp-protocol-version': '2025-06-18' },
    );
    expect(json(listResponse).result).toMatchObject({ tools: expect.any(Array) });
    expect(listResponse.headers['cache-control']).toBe('no-store');
  });

  test('receive no stream', async () => {
    for (const method of ['GET', 'DELETE', 'PUT']) {
      const response = await sendRequest(origin, { method, path: '/mcp' });
      expect([method, response.status, response.headers.allow]).toEqual([
        method,
        405,
        'POST, OPTIONS',
      ]);
    }
    const { result, error } = json(await post({ method: 'subscriptions/listen' }));
    expect([result, error]).toMatchObject([undefined, { code: -32601 }]);
  });

  test('are refused for another host name or a page of another origin', async () => {
    const ping = { method: 'ping' };
    expect((await post(ping, { host: 'rebound.example' })).status).toBe(403);
    expect((await post(ping, { host: 'radar.example' })).status).toBe(200);
    expect((await post(ping, { origin: 'null' })).status).toBe(403);
    // The server's public address is https://radar.example, so every page may call it.
    expect((await post(ping, { origin: 'https://elsewhere.example' })).status).toBe(200);
  });

  test('receive a problem when they are not JSON or too large', async () => {
    const send = (body: string, type = 'application/json') =>
      sendRequest(origin, {
        method: 'POST',
        path: '/mcp',
        headers: { 'content-type': type },
        body,
      });
    expect((await send('{}', 'text/plain')).status).toBe(415);
    expect((await send(`"${'x'.repeat(300_000)}"`)).status).toBe(413);
  });

  test.each([
    ['is not JSON', '{', 'The body is not JSON.'],
    ['has a member twice', '{"id":1,"id":2}', 'The field "id" is given twice.'],
    ['is nested deeply', '['.repeat(5_000) + ']'.repeat(5_000), 'The body is nested too deeply.'],
  ])('receive a JSON-RPC error when the body %s', async (_name, body, message) => {
    const response = await sendRequest(origin, { method: 'POST', path: '/mcp', headers, body });
    expect([response.status, json(response)]).toEqual([
      400,
      { jsonrpc: '2.0', id: null, error: { code: -32700, message } },
    ]);
  });

  test('count each message of a batch as one request', async () => {
    const limits = { requestsPerSecond: 1, burst: 5 };
    const clients = openClientResolver({ trustProxy: [] });
    const limitedOrigin = await serve({ clients, blocked: { agents: [] }, limits });
    const batch = (count: number) => {
      const pings = Array.from({ length: count }, (_, id) => ({
        jsonrpc: '2.0',
        id,
        method: 'ping',
      }));
      const body = JSON.stringify(pings);
      return sendRequest(limitedOrigin, { method: 'POST', path: '/mcp', headers, body });
    };
    expect((await batch(4)).status).toBe(200);
    const refusal = await batch(2);
    expect([refusal.status, json(refusal).code]).toEqual([429, 'rate_limited']);
  });
});
