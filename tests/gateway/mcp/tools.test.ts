// The gateway's MCP tools through an agent's client over real HTTP. A call through a tool is
// charged, limited and deduplicated like any other call.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, test } from 'vitest';
import { atEnd } from '../../support/at-end.ts';
import { json } from '../../support/http-request.ts';
import { openTestGateway } from '../../support/test-gateway.ts';

const gateway = await openTestGateway();
const { origin, keys } = gateway;

async function connectClient(key: string) {
  const client = new Client({ name: 'a test', version: '1.0.0' });
  const requestInit = { headers: { authorization: `Bearer ${key}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', origin), { requestInit }));
  atEnd(() => client.close());
  return async (name: string, values: Record<string, unknown> = {}) => {
    const result = await client.callTool({ name, arguments: values });
    const { structuredContent, isError = false } = result;
    const [content] = result.content as { readonly text: string }[];
    if (structuredContent !== undefined) {
      expect(JSON.parse(content?.text ?? '')).toEqual(structuredContent);
    }
    return { isError, value: structuredContent as Record<string, unknown>, text: content?.text };
  };
}

const callTool = await connectClient(keys.sk);

test('lists nine tools and marks those that may cost money', async () => {
  const client = new Client({ name: 'a test', version: '1.0.0' });
  const requestInit = { headers: { authorization: `Bearer ${keys.sk}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', origin), { requestInit }));
  const { tools } = await client.listTools();
  const capabilities = client.getServerCapabilities();
  await client.close();
  const readOnly = tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint]);
  expect(readOnly).toEqual([
    ['list', true],
    ['describe', true],
    ['quote', true],
    ['call', false],
    ['account', true],
    ['job', false],
    ['quote_model_call', true],
    ['model_prices', true],
    ['receipt', true],
  ]);
  expect(capabilities).toMatchObject({ tools: { listChanged: false } });
  for (const { inputSchema, outputSchema } of tools) {
    expect(outputSchema).toMatchObject({ type: 'object', required: expect.any(Array) });
    expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
  }
});

test('list returns the catalog, and describe returns the schema of the input', async () => {
  const catalog = json(await gateway.sendRequest({ path: '/capabilities/catalog' }));
  expect((await callTool('list')).value).toEqual(catalog);
  expect((await callTool('describe', { capability: 'paid' })).value).toMatchObject({
    id: 'paid',
    endpoint: 'POST /api/v1/capabilities/paid',
    key: 'sk',
    answers_with: 'data',
    input: { type: 'object', required: ['text'], additionalProperties: false },
  });
  const unknownCapability = await callTool('describe', { capability: 'gardening' });
  expect(unknownCapability).toMatchObject({
    isError: true,
    value: { code: 'invalid_request', status: 400 },
  });
});

test('quotes a model call, and finds no receipt of an unknown call', async () => {
  const body = { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }] };
  const quoteResult = await callTool('quote_model_call', { path: '/relay/v1/messages', body });
  expect(quoteResult).toMatchObject({ isError: false, value: { model: 'm', hold: '0' } });
  const receipt = await callTool('receipt', { request_id: 'req_none' });
  expect(receipt).toMatchObject({ isError: true, value: { code: 'not_found', status: 404 } });
});

test('a quote returns the price of the call and runs nothing', async () => {
  const before = gateway.paid.runs.length;
  const quoteResult = await callTool('quote', { capability: 'paid', input: { text: 'a price' } });
  expect(quoteResult.value).toMatchObject({
    sku: 'social_data',
    unit: 'per_call',
    quantity: 1,
    price: '0.036',
    price_version: 1,
    currency: 'CNY',
    is_final: true,
    available: '2',
    is_covered: true,
  });
  const refusal = await callTool('quote', {
    capability: 'paid',
    input: { text: 'a', colour: 'red' },
  });
  expect(refusal).toMatchObject({ isError: true, value: { code: 'invalid_request' } });
  expect(gateway.paid.runs.length).toBe(before);
});

test('charges a call once for any kind of repetition', async () => {
  const { value: before } = await callTool('account');
  const input = {
    capability: 'paid',
    input: { text: 'once' },
    idempotency_key: 'once-only',
    max_charge: '0.05',
  };
  const firstCall = await callTool('call', input);
  expect(firstCall.value).toEqual({
    answer: {
      request_id: expect.stringMatching(/^req_/),
      livemode: true,
      data: { text: 'once' },
      usage: { unit: 'per_call', quantity: 1, increment: 'call' },
      charge: { currency: 'CNY', total: '0.036', free_quota: '0.036', voucher: '0', cash: '0' },
    },
    idempotency_key: 'once-only',
    is_replay: false,
  });
  const repeatedCall = await callTool('call', input);
  expect(repeatedCall.value).toEqual({ ...firstCall.value, is_replay: true });
  // The same key over HTTP is the same call.
  const body = { text: 'once', max_charge: '0.05' };
  const options = { idempotencyKey: 'once-only', prefer: 'idempotent-replay' };
  const httpResponse = await gateway.call('paid', body, options);
  expect([httpResponse.status, json(httpResponse)]).toEqual([200, firstCall.value.answer]);
  expect(gateway.paid.runs.filter((text) => text === 'once')).toHaveLength(1);
  const { value: accountAfter } = await callTool('account');
  const remainingOf = (account: Record<string, unknown>) =>
    (account.free_quota as { remaining: string }).remaining;
  expect([remainingOf(before), remainingOf(accountAfter)]).toEqual(['2', '1.964']);
});

test('generates a different Idempotency-Key for each call without one', async () => {
  const input = { capability: 'free', input: { text: 'twice' } };
  const results = [await callTool('call', input), await callTool('call', input)];
  const [firstCall, second] = results.map(({ value }) => value.idempotency_key);
  expect(firstCall).not.toBe(second);
  expect(gateway.free.runs.filter((text) => text === 'twice')).toHaveLength(2);
});

test('a GET capability is called with a query and an agent key', async () => {
  const callToolAsAgent = await connectClient(keys.ak);
  const input = { capability: 'agent', input: { text: 'a question' } };
  const { value } = await callToolAsAgent('call', input);
  expect(value).toMatchObject({ answer: { data: { text: 'a question' } }, idempotency_key: null });
  expect(await callTool('call', input)).toMatchObject({
    isError: true,
    value: { code: 'key_not_allowed', status: 403 },
  });
});

test('reports refusals and failures as problems, at no cost', async () => {
  const { value: before } = await callTool('account');
  const cases = [
    [{ text: 'refused' }, undefined, 'invalid_request'],
    [{ text: 'dear' }, '0.001', 'max_charge_exceeded'],
    [{ text: 'gone', does: 'fail', code: 'media_unavailable' }, undefined, 'media_unavailable'],
    [{ text: 'a defect', does: 'throw' }, undefined, 'temporarily_unavailable'],
  ] as const;
  for (const [input, limit, code] of cases) {
    const call = { capability: 'paid', input, ...(limit !== undefined && { max_charge: limit }) };
    expect(await callTool('call', call)).toMatchObject({ isError: true, value: { code } });
  }
  expect((await callTool('account')).value).toMatchObject({ balance: before.balance as object });
  expect((await callTool('account')).value.free_quota).toEqual(before.free_quota);
});

test('runs a call as a job that is awaited by its id and hidden from other accounts', async () => {
  const input = { capability: 'free', input: { text: 'later' }, as_job: true };
  const { value } = await callTool('call', input);
  const { data } = value.answer as { data: { id: string; status: string } };
  expect(['queued', 'running', 'succeeded']).toContain(data.status);
  let job = await callTool('job', { id: data.id, wait_seconds: 60 });
  while (['queued', 'running'].includes(String(job.value.status))) {
    job = await callTool('job', { id: data.id, wait_seconds: 60 });
  }
  expect(job.value).toMatchObject({ id: data.id, status: 'succeeded', result: { text: 'later' } });
  const otherAccount = await connectClient((await gateway.newAccount()).sk);
  const otherClient = await otherAccount('job', { id: data.id });
  expect(otherClient).toMatchObject({ isError: true, value: { code: 'not_found' } });
  const invalidId = await callTool('job', { id: 'job_\0', wait_seconds: 0 });
  expect(invalidId).toMatchObject({
    isError: true,
    value: {
      code: 'invalid_request',
      detail:
        'The argument "id" is no id of a job. The argument "wait_seconds" must be at least 1.',
    },
  });
});

describe('the endpoint', () => {
  const headers = { 'content-type': 'application/json', accept: 'application/json' };
  const post = (message: object, extraHeaders: object = {}) =>
    gateway.sendRequest({
      method: 'POST',
      path: '/mcp',
      headers: { ...headers, ...extraHeaders },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }),
    });

  test('requires a key, and a wrong key calls no tool', async () => {
    const withoutKey = await post({ method: 'ping' });
    expect([withoutKey.status, withoutKey.headers['www-authenticate']]).toEqual([
      401,
      'Bearer realm="gateway"',
    ]);
    const wrongKeyClient = await connectClient(`${keys.sk.slice(0, -1)}_`);
    for (const name of ['list', 'account']) {
      expect(await wrongKeyClient(name)).toMatchObject({
        isError: true,
        value: { code: 'invalid_api_key' },
      });
    }
  });

  test('returns one JSON body for a POST, and refuses other methods and hosts', async () => {
    const authorization = `Bearer ${keys.sk}`;
    const listResponse = await post({ method: 'tools/list' }, { authorization });
    expect([listResponse.status, listResponse.headers['cache-control']]).toEqual([200, 'no-store']);
    expect(listResponse.headers.ratelimit).toMatch(/^"key";r=\d+;t=1/);
    const response = await gateway.sendRequest({ path: '/mcp' });
    expect([response.status, response.headers.allow]).toEqual([405, 'POST, OPTIONS']);
    const foreignHost = await post({ method: 'ping' }, { authorization, host: 'rebound.example' });
    expect([foreignHost.status, json(foreignHost).code]).toEqual([403, 'forbidden']);
    const page = await gateway.sendRequest({ path: '/problems/forbidden' });
    expect(page.status).toBe(200);
  });

  test('limits messages with a wrong key, also within a batch', async () => {
    const batch = Array.from({ length: 100 }, (_, id) => ({
      jsonrpc: '2.0',
      id,
      method: 'tools/list',
    }));
    const client = { 'x-forwarded-for': '198.51.100.7' };
    const sendBatch = () =>
      gateway.sendRequest({
        method: 'POST',
        path: '/mcp',
        headers: { ...headers, ...client, authorization: 'Bearer wrong' },
        body: JSON.stringify(batch),
      });
    const statuses: number[] = [];
    for (let sent = 0; sent < 4; sent += 1) statuses.push((await sendBatch()).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
  });
});
