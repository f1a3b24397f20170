// The SDK's gateway client against a real gateway behind a failing connection. No call is charged
// twice, no retry is early, and refusals keep their code.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request as forward, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { isProblem } from '../../packages/sdk/src/errors.ts';
import { createGateway, type GatewayOptions } from '../../packages/sdk/src/gateway.ts';
import { openCapabilities } from '../../src/gateway/capabilities/open-capabilities.ts';
import { providersSchema } from '../../src/gateway/capabilities/providers-config.ts';
import { atEnd } from '../support/at-end.ts';
import { openTestGateway } from '../support/test-gateway.ts';
import { testWorld } from '../support/test-world.ts';

const url = 'https://gateway.example/media/kept';
const storedMedia = { token: 'kept', url, mimeType: 'image/png', byteLength: 8 } as const;
const mediaStore = {
  store: async () => storedMedia,
  find: async () => null,
  deleteExpired: async () => 0,
};
const capabilities = openCapabilities(testWorld().world, providersSchema.parse({}), mediaStore);
const gateway = await openTestGateway({ capabilities });
const { keys } = gateway;

type ServerFault = (res: ServerResponse, forwardRequest: () => void) => void;

/** The faults of the next requests, one for each request. Later requests are forwarded. */
let faults: ServerFault[] = [];
const sentRequests: { path: string; key: unknown; prefer: unknown }[] = [];
const connection = createServer((req, res) => {
  const chunks: Buffer[] = [];
  req.on('data', (chunk: Buffer) => chunks.push(chunk));
  req.on('end', () => {
    const { headers, method } = req;
    sentRequests.push({
      path: req.url ?? '',
      key: headers['idempotency-key'],
      prefer: headers.prefer,
    });
    const forwardRequest = (onResponse = () => {}) => {
      const forwardedRequest = forward(
        new URL(req.url ?? '/', gateway.origin),
        { method, headers },
        (gatewayResponse) => {
          const parts: Buffer[] = [];
          gatewayResponse.on('data', (chunk: Buffer) => parts.push(chunk));
          gatewayResponse.on('end', () => {
            onResponse();
            if (res.headersSent || res.destroyed) return;
            res
              .writeHead(gatewayResponse.statusCode ?? 0, gatewayResponse.headers)
              .end(Buffer.concat(parts));
          });
        },
      );
      forwardedRequest.end(Buffer.concat(chunks));
    };
    const fault = faults.shift();
    if (fault === undefined) forwardRequest();
    else fault(res, () => forwardRequest(() => res.destroy()));
  });
});
await new Promise<void>((resolve) => connection.listen(0, '127.0.0.1', resolve));
afterAll(() => {
  connection.closeAllConnections();
  connection.close();
});
const baseUrl = `http://127.0.0.1:${(connection.address() as AddressInfo).port}`;

const closeConnection: ServerFault = (res) => res.destroy();
/** The call runs, and its response is lost. */
const loseResponse: ServerFault = (_res, forwardRequest) => forwardRequest();
const sendHalf: ServerFault = (res) => {
  res.writeHead(200, { 'content-type': 'application/json' }).end('{"request_id":"req_');
};
const refuseWith =
  (status: number, headers: Record<string, string> = {}, body = '<h1>no</h1>'): ServerFault =>
  (res) => {
    res.writeHead(status, headers).end(body);
  };

/** The waits that the SDK requests, in milliseconds. They take no time in this test. */
const requestedWaits: number[] = [];
const openClient = (options: Partial<GatewayOptions> = {}) =>
  createGateway({
    baseUrl,
    apiKey: keys.sk,
    agentKey: keys.ak,
    runtime: {
      random: () => 0,
      wait: async (ms) => {
        requestedWaits.push(ms);
      },
    },
    ...options,
  });
const sdk = openClient();

/** Calls the capability `paid`, which costs 0.036. */
const call = (text: string, inputOptions: object = {}, options: object = {}) =>
  sdk.run('paid', { text, ...inputOptions }, options);

beforeEach(() => {
  faults = [];
  sentRequests.length = 0;
  requestedWaits.length = 0;
});

test('pays for a call once, whatever failure the connection has', async () => {
  faults = [closeConnection, loseResponse, sendHalf, refuseWith(502)];
  const { data, charge, isReplay } = await call('through everything');
  expect(data).toEqual({ text: 'through everything' });
  expect([charge.total, isReplay]).toEqual(['0.036', true]);
  expect(gateway.paid.runs.filter((text) => text === 'through everything')).toHaveLength(1);
  expect(new Set(sentRequests.map(({ key }) => key)).size).toBe(1);
  expect(sentRequests.map(({ prefer }) => prefer)).toEqual(Array(5).fill('idempotent-replay'));
  // The exponential delay, when the random part is 0.
  expect(requestedWaits).toEqual([250, 500, 1000, 2000]);
  const [newest] = (await sdk.callsPage({ limit: 1 })).calls;
  expect(newest?.charge?.total).toBe('0.036');
});

test('waits at least for Retry-After, with any jitter', async () => {
  // A date in a header has whole seconds. The remaining time decreases during the test.
  const at = new Date(Date.now() + 20_000).toUTCString();
  const minWaits: number[] = [];
  const randomValues = [0, 0.5, 0.999];
  for (const randomValue of randomValues) {
    const client = openClient({
      runtime: {
        random: () => randomValue,
        wait: async (ms) => {
          requestedWaits.push(ms);
          minWaits.push(Date.parse(at) - Date.now());
        },
      },
    });
    faults = [refuseWith(429, { 'retry-after': '3' }), refuseWith(503, { 'retry-after': '1' })];
    faults.push(refuseWith(503, { 'retry-after': at }));
    await client.run('free', { text: `patient ${randomValue}` });
  }
  for (const [index, ms] of requestedWaits.entries()) {
    const [from, to] =
      (
        [
          [3000, 3750],
          [1000, 1250],
          [minWaits[index] ?? Infinity, 26_000],
        ] as const
      )[index % 3] ?? [];
    expect([ms >= (from ?? Infinity), ms <= (to ?? 0)]).toEqual([true, true]);
  }
  expect(requestedWaits).toHaveLength(9);
});

test('returns the error when the required wait is too long', async () => {
  faults = [refuseWith(429, { 'retry-after': '3600' }, '{"code":"quota_exceeded"}')];
  const refusal = await call('too late').catch((error: unknown) => error);
  expect(refusal).toMatchObject({ code: 'quota_exceeded', retryAfterSeconds: 3600, status: 429 });
  expect(requestedWaits).toEqual([]);
});

test('gives up after its retries with the last error', async () => {
  faults = Array(5).fill(closeConnection);
  await expect(call('nobody there')).rejects.toMatchObject({ name: 'ConnectionError' });
  faults = Array(3).fill(refuseWith(502));
  const fewRetries = openClient({ retries: 2 });
  const failedCall = fewRetries.run('paid', { text: 'nobody there' });
  await expect(failedCall).rejects.toMatchObject({ code: 'http_502', status: 502 });
  expect(sentRequests).toHaveLength(5 + 3);
  expect(gateway.paid.runs).not.toContain('nobody there');
});

test('quotes a model call, and throws a problem for an unknown receipt', async () => {
  const body = { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }] };
  const client = openClient();
  const quote = await client.quoteModelCall({ path: '/relay/v1/messages', body });
  expect(quote).toMatchObject({ model: 'm', hold: '0', bounds: null });
  const prices = await createGateway({ baseUrl: gateway.origin }).modelPrices();
  expect(prices).toMatchObject({ version: null, models: [] });
  await expect(client.receipt('req_none')).rejects.toMatchObject({
    code: 'not_found',
    status: 404,
  });
});

test('throws a refusal with its code, without a retry', async () => {
  const tooExpensive = await call('dear', {}, { maxCharge: '0.001' }).catch(
    (error: unknown) => error,
  );
  expect(isProblem(tooExpensive, 'max_charge_exceeded') && tooExpensive.problem.required).toBe(
    '0.036',
  );
  const options = { idempotencyKey: 'reused' };
  await call('one', {}, options);
  await expect(call('other', {}, options)).rejects.toMatchObject({
    code: 'idempotency_key_reused',
  });
  await expect(call('', {})).rejects.toMatchObject({ code: 'invalid_request', status: 400 });
  const unknownClient = openClient({ apiKey: 'sk-nothing' });
  await expect(unknownClient.account()).rejects.toMatchObject({ code: 'invalid_api_key' });
  await expect(sdk.run('agent', {})).rejects.toMatchObject({ code: 'method_not_allowed' });
  expect(requestedWaits).toEqual([]);
});

test('waits for a response that is still in progress', async () => {
  const key = { idempotencyKey: 'still-running' };
  const firstCall = call('slow', { does: 'wait' }, key);
  await gateway.paid.waitForRuns(1);
  const secondCall = openClient({
    runtime: {
      wait: async (ms) => {
        requestedWaits.push(ms);
        gateway.paid.release();
        await firstCall;
      },
    },
  }).run('paid', { text: 'slow', does: 'wait' }, key);
  expect((await secondCall).request_id).toBe((await firstCall).request_id);
  expect(requestedWaits.every((ms) => ms >= 1000)).toBe(true);
  expect(requestedWaits.length).toBeGreaterThan(0);
});

test('sends no retry and returns nothing after the caller stops', async () => {
  const abortController = new AbortController();
  faults = [() => abortController.abort(new Error('enough'))];
  await expect(call('stopped', {}, { signal: abortController.signal })).rejects.toThrow('enough');
  expect(sentRequests).toHaveLength(1);
});

test('waits for a job, and does not cancel a finished job', async () => {
  const startedJob = await sdk.begin('paid', { text: 'a job' });
  expect(startedJob).toMatchObject({ livemode: true, isReplay: false });
  const job = await sdk.jobs.wait(startedJob.data.id);
  expect(job).toMatchObject({ status: 'succeeded', result: { text: 'a job' }, error: null });
  expect(await sdk.jobs.cancel(startedJob.data.id)).toEqual(await sdk.jobs.get(startedJob.data.id));
  await expect(sdk.jobs.get('job_none')).rejects.toMatchObject({ code: 'not_found' });
});

test('reads the account, its calls and its usage', async () => {
  const client = openClient({ apiKey: (await gateway.newAccount()).sk });
  const requestIds: string[] = [];
  for (const text of ['a', 'b', 'c']) {
    requestIds.unshift((await client.run('paid', { text })).request_id);
    gateway.clock.advance(1_000);
  }
  const listedCalls: string[] = [];
  for await (const listedCall of client.calls()) listedCalls.push(listedCall.request_id);
  expect(listedCalls).toEqual(requestIds);
  const result = await client.call(requestIds[0] ?? '');
  expect(result.answer).toMatchObject({ status: 200, body: { data: { text: 'c' } } });
  const { free_quota: free, balance } = await client.account();
  expect([free.remaining, balance.total]).toEqual(['1.892', '0']);
  const day = free.resets_at.slice(0, 10);
  const { rows } = await client.usage({ from: day, to: day, group_by: 'capability' });
  expect(rows).toMatchObject([{ group: 'paid', calls: 3, charge: { total: '0.108' } }]);
});

test('calls the named capabilities with a test key', async () => {
  const testClient = openClient({ apiKey: keys.skTest, agentKey: keys.akTest });
  const content = {
    platform: 'youtube',
    action: 'search',
    params: { keyword: 'weights' },
  } as const;
  const foundPosts = await testClient.social(content, { maxCharge: '0.05' });
  expect([
    foundPosts.livemode,
    'posts' in foundPosts.data && foundPosts.data.posts.length > 0,
  ]).toEqual([false, true]);
  const noPosts = { ...content, params: { keyword: 'sandbox:empty' } };
  expect((await testClient.social(noPosts)).charge.total).toBe('0');
  const transcript = await testClient.transcribe({
    url: 'https://www.youtube.com/watch?v=abcdefghijk',
  });
  expect(typeof transcript.data.text).toBe('string');
  const recognizedText = await testClient.ocr({ image_urls: ['https://example.com/a.png'] });
  expect(recognizedText.data.images).toHaveLength(1);
  const drawnImage = await testClient.image({ prompt: 'a lighthouse', aspect_ratio: '1:1' });
  expect(drawnImage.data.images.length).toBeGreaterThan(0);
  const { results } = (await testClient.search({ q: 'weights', limit: 3 })).data;
  expect(results.length).toBeGreaterThan(0);
  expect((await testClient.platforms()).platforms).toHaveLength(11);
  const { integrations } = await testClient.catalog();
  expect(integrations).toEqual([
    { id: 'sdk', availability: 'available', url: 'https://gateway.example/sdk' },
    { id: 'mcp', availability: 'available', url: 'https://gateway.example/mcp' },
    { id: 'skill', availability: 'available', url: 'https://gateway.example/SKILL.md' },
  ]);
});

test('the gateway serves the SDK’s modules and nothing else', async () => {
  const response = await gateway.sendRequest({ path: '/sdk/gateway.js' });
  expect(response.headers['content-type']).toBe('text/javascript; charset=utf-8');
  expect(response.text).toContain("from './send.js'");
  const dir = mkdtempSync(join(tmpdir(), 'sdk-'));
  atEnd(() => rmSync(dir, { recursive: true, force: true }));
  writeFileSync(join(dir, 'package.json'), '{"type":"module"}');
  const load = async (name: string): Promise<void> => {
    const { text } = await gateway.sendRequest({ path: `/sdk/${name}` });
    writeFileSync(join(dir, name), text);
    for (const [, nextModule = ''] of text.matchAll(/from '\.\/([a-z-]+\.js)'/g))
      await load(nextModule);
  };
  await load('gateway.js');
  const program = join(dir, 'program.js');
  const clientExpression = `createGateway({ baseUrl: '${gateway.origin}' })`;
  writeFileSync(
    program,
    `import { createGateway } from './gateway.js';
process.stdout.write(JSON.stringify(await ${clientExpression}.catalog()));`,
  );
  const { stdout } = await promisify(execFile)(process.execPath, [program]);
  expect(JSON.parse(stdout)).toEqual(await sdk.catalog());
  for (const path of ['/sdk/../package.json', '/sdk/%2e%2e%2fpackage.js', '/sdk/x.js', '/sdk/a']) {
    expect((await gateway.sendRequest({ path })).status).toBe(404);
  }
  const guide = await gateway.sendRequest({ path: '/sdk' });
  expect(guide.text).toContain("from 'https://gateway.example/sdk/gateway.js'");
});
