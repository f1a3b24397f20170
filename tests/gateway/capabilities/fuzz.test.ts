// All endpoints receive generated bodies, keys and headers. Every response is declared in the
// OpenAPI document, and only a response with 2xx causes a charge. The ledger has the same charges.
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { openCapabilities } from '../../../src/gateway/capabilities/open-capabilities.ts';
import { providersSchema } from '../../../src/gateway/capabilities/providers-config.ts';
import { auditLedger } from '../../../src/gateway/wallet/integrity/audit-ledger.ts';
import { formatCny, parseCny } from '../../../src/kernel/money.ts';
import { DAY_MS } from '../../../src/kernel/time/durations.ts';
import { readGatewayContract } from '../../support/gateway-contract.ts';
import {
  json,
  sendRequest,
  type TestRequest,
  type TestResponse,
} from '../../support/http-request.ts';
import { proofSeed, proofSize } from '../../support/proof-size.ts';
import { openTestGateway } from '../../support/test-gateway.ts';
import { testWorld } from '../../support/test-world.ts';
import { until } from '../../support/until.ts';

const noMedia = { store: async () => null, find: async () => null, deleteExpired: async () => 0 };
const ownCapabilities = openCapabilities(testWorld().world, providersSchema.parse({}), noMedia);
const gateway = await openTestGateway({ capabilities: ownCapabilities });
const contract = await readGatewayContract(gateway.origin);
const seed = proofSeed();

const accounts = await Promise.all([gateway.newAccount(), gateway.newAccount()]);
const keys = accounts.flatMap(({ sk, skTest, ak, akTest }) => [sk, skTest, ak, akTest]);

const anyText = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.string({ unit: 'binary', maxLength: 6 }),
  fc.constantFrom('模型', '\u0000', '​', '🛰️', 'x'.repeat(201), '__proto__', '-0', '1e999'),
);
const validBody = fc.record(
  {
    text: fc.oneof(fc.constant('x'), anyText),
    does: fc.constantFrom(
      'answer',
      'find_nothing',
      'fail',
      'throw',
      'fault',
      'insufficient',
      'measure',
    ),
    code: fc.constantFrom('media_unavailable', 'upstream_error', 'upstream_timeout'),
    seconds: fc.oneof(fc.nat(120), fc.constantFrom(0, 3000, -1, 0.5)),
    max_charge: fc.oneof(fc.constantFrom('0', '0.036', '1', 1, null), anyText),
  },
  { requiredKeys: [] },
);
const url = fc.constantFrom(
  'https://v.douyin.com/abc/',
  'https://www.bilibili.com/video/BV1xx411c7mD',
  'http://127.0.0.1:1/a.png',
  'https://example.com/sandbox:upstream_error',
  'sandbox:empty',
  'javascript:1',
);
const realisticBody = fc.oneof(
  fc.record({
    platform: fc.oneof(fc.constantFrom('douyin', 'dy', 'bilibili', 'x', 'none'), anyText),
    action: fc.oneof(fc.constantFrom('content', 'search'), anyText),
    params: fc.record(
      { url: fc.oneof(url, anyText), keyword: fc.oneof(anyText, url), limit: fc.integer() },
      { requiredKeys: [] },
    ),
  }),
  fc.record({ image_urls: fc.array(fc.oneof(url, anyText), { maxLength: 12 }) }),
);
const timeoutBody = '{"text":"x","does":"fail","code":"upstream_timeout"}';
const defectBody = '{"text":"x","does":"throw"}';
const body = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom('{"text":"same"}', timeoutBody, defectBody) },
  { weight: 6, arbitrary: validBody.map((value) => JSON.stringify(value)) },
  { weight: 3, arbitrary: realisticBody.map((value) => JSON.stringify(value)) },
  { weight: 2, arbitrary: fc.json() },
  { weight: 1, arbitrary: anyText },
);
const capabilityIds = fc.constantFrom('paid', 'free', 'timed', 'social', 'ocr', 'none');
const paths = fc.oneof(
  {
    weight: 8,
    arbitrary: capabilityIds.map((id) => ['POST', `/api/v1/capabilities/${id}`] as const),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      ['GET', '/api/v1/account'] as const,
      ['GET', '/api/v1/calls?limit=2'] as const,
      ['GET', '/api/v1/calls?cursor=x'] as const,
      ['GET', '/api/v1/calls/req_1'] as const,
      ['GET', '/api/v1/usage?from=2026-08-01&to=2026-08-31'] as const,
      ['GET', '/api/v1/capabilities/agent?text=x&does=fail'] as const,
      ['GET', '/capabilities/catalog'] as const,
      ['DELETE', '/api/v1/account'] as const,
      ['OPTIONS', '/api/v1/capabilities/paid'] as const,
      ['HEAD', '/api/v1/account'] as const,
    ),
  },
  {
    weight: 1,
    arbitrary: anyText.map(
      (text) => ['GET', `/api/v1/calls/${encodeURIComponent(text.toWellFormed())}`] as const,
    ),
  },
);
const headerText = fc.string({ unit: 'grapheme-ascii', maxLength: 30 });
const authorization = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom(...keys).map((key) => `Bearer ${key}`) },
  { weight: 1, arbitrary: headerText },
);
const headers = fc.record(
  {
    authorization,
    'content-type': fc.oneof(
      { weight: 9, arbitrary: fc.constant('application/json') },
      { weight: 1, arbitrary: headerText },
    ),
    'idempotency-key': fc.oneof(fc.constantFrom('a', 'b', 'c', '"d"'), headerText),
    prefer: fc.constantFrom('idempotent-replay', 'respond-async', 'x'),
    'x-forwarded-for': headerText,
    expect: fc.constant('100-continue'),
  },
  { requiredKeys: ['authorization', 'content-type'] },
);
const anyRequest: fc.Arbitrary<TestRequest> = fc
  .record({ at: paths, headers, body })
  .map(({ at: [method, path], headers: headerValues, body: sent }) => ({
    method,
    path,
    headers: headerValues,
    ...(method === 'POST' && { body: sent }),
  }));

const declaredStatuses = new Set([
  200, 202, 204, 304, 400, 401, 402, 403, 404, 405, 409, 413, 415, 422, 429, 502, 503, 504,
]);
const statusCounts = new Map<number, number>();
let chargedTotals = 0n;
/** The API key of each accepted job, by request id. */
const acceptedJobs = new Map<string, string>();

function checkResponse(request: TestRequest, response: TestResponse): void {
  const { method, path, body = '' } = request;
  const label = `${method} ${path} ${body}: ${response.status} ${response.text}`;
  statusCounts.set(response.status, (statusCounts.get(response.status) ?? 0) + 1);
  expect(declaredStatuses, label).toContain(response.status);
  expect(contract.faultsOf(request, response), label).toEqual([]);
  if (response.status === 202) {
    const bearer = (request.headers as { authorization: string }).authorization;
    acceptedJobs.set(json(response).request_id as string, bearer.slice('Bearer '.length));
    return;
  }
  if (response.status !== 200 || response.headers['idempotent-replayed'] === 'true') return;
  if (request.method !== 'POST') return;
  const { charge } = json(response) as { charge: { total: string } };
  chargedTotals += parseCny(charge.total) ?? 0n;
}

describe(`generated requests (seed ${seed})`, () => {
  const numRuns = proofSize(5_000, 100_000);
  test(`${numRuns} requests receive declared responses, and only a 2xx causes a charge`, {
    timeout: 3_600_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyRequest, { minLength: 10, maxLength: 10 }), async (batch) => {
        const responses = await Promise.all(
          batch.map((request) => sendRequest(gateway.origin, request)),
        );
        for (const [index, response] of responses.entries())
          checkResponse(batch[index] ?? { path: '' }, response);
        // One minute passes after every ten requests, so that allowances renew and calls continue.
        gateway.clock.advance(60_000);
      }),
      { seed, numRuns: numRuns / 10, endOnFailure: true },
    );
  });

  test('the balances equal the responses to the last micro-fen', async () => {
    const day = (at: number) => new Date(at).toISOString().slice(0, 10);
    const from = '2026-08-22';
    const to = day(Math.min(gateway.clock.now() + DAY_MS, Date.parse(from) + 364 * DAY_MS));
    for (const [id, key] of acceptedJobs) {
      // The charge of a finished job equals the charge of its call.
      const { charge } = await until(async () => {
        const call = json(await gateway.readPath(`/api/v1/calls/${id}`, key));
        return call.status === 'running' ? null : (call as { charge: { total: string } | null });
      });
      chargedTotals += parseCny(charge?.total ?? '0') ?? 0n;
    }
    let bookedCharge = 0n;
    for (const key of accounts.flatMap(({ sk, skTest }) => [sk, skTest])) {
      const path = `/api/v1/usage?from=${from}&to=${to}`;
      const { rows } = json(await gateway.readPath(path, key)) as {
        rows: { charge: { total: string } }[];
      };
      for (const { charge } of rows) bookedCharge += parseCny(charge.total) ?? 0n;
      const account = json(await gateway.readPath('/api/v1/account', key));
      expect(account).toMatchObject({ balance: { held: '0' } });
    }
    expect(formatCny(bookedCharge)).toBe(formatCny(chargedTotals));
    expect(chargedTotals).toBeGreaterThan(0n);
    const audit = await auditLedger(gateway.world, gateway.db, 'full');
    expect(audit.invariants.filter(({ violations }) => violations.length > 0)).toEqual([]);
  });
});

afterAll(() => {
  // The run must produce every kind of response; otherwise the test proves little.
  for (const status of [
    200, 202, 204, 400, 401, 402, 403, 404, 405, 409, 415, 422, 502, 503, 504,
  ]) {
    expect([...statusCounts.keys()], `no response had the status ${status}`).toContain(status);
  }
});
