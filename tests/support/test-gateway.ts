// Opens the gateway's HTTP server with a test's database. It has capabilities for tests, a manual
// clock, an account with a key of each kind, and functions to send requests.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { addAccount } from '../../src/gateway/accounts/account.ts';
import type { GatewayContext } from '../../src/gateway/api/context.ts';
import { openGatewayServer } from '../../src/gateway/api/open-gateway-server.ts';
import { type LimitSettings, openAdmission } from '../../src/gateway/calls/admit.ts';
import type { CallDeps } from '../../src/gateway/calls/call.ts';
import { type JobsOptions, openJobs } from '../../src/gateway/calls/jobs/open-jobs.ts';
import { openPriceLists } from '../../src/gateway/calls/price-lists.ts';
import { openRequestLog } from '../../src/gateway/calls/request-log.ts';
import type { Capability } from '../../src/gateway/capabilities/capability.ts';
import type { MediaStore } from '../../src/gateway/capabilities/media/media-store.ts';
import { openMediaStore } from '../../src/gateway/capabilities/media/open-media-store.ts';
import { openSwitches } from '../../src/gateway/capabilities/switches.ts';
import { makeKey } from '../../src/gateway/keys/change-keys.ts';
import { openKeyCache } from '../../src/gateway/keys/key-cache.ts';
import type { KeyInput } from '../../src/gateway/keys/key-input.ts';
import { type InputRatios, openInputRatios } from '../../src/gateway/relay/prices/input-ratio.ts';
import { openRoutes, relaySchema } from '../../src/gateway/relay/relay-config.ts';
import { isAllowanceCapped } from '../../src/gateway/wallet/credits/allowance-cap.ts';
import { findStoredResponse } from '../../src/gateway/wallet/history/read-calls.ts';
import { openWallet } from '../../src/gateway/wallet/ledger/open-wallet.ts';
import { openTopUps } from '../../src/gateway/wallet/top-ups/open-top-ups.ts';
import { topUpsSchema } from '../../src/gateway/wallet/top-ups/top-ups-config.ts';
import { publishJobFinished } from '../../src/gateway/webhooks/publish-job-finished.ts';
import { openBudgetNotice } from '../../src/gateway/webhooks/raise-alerts.ts';
import {
  type ClientResolver,
  openClientResolver,
} from '../../src/kernel/client-address/client-address.ts';
import { openMetricsAccess } from '../../src/kernel/http/metrics-access.ts';
import { openMetrics } from '../../src/kernel/observability/metrics.ts';
import type { Db } from '../../src/kernel/ports/db.ts';
import { type Limiter, openLocalLimiter } from '../../src/kernel/rate-limit/limiter.ts';
import type { FormHandler } from '../../src/kernel/web/form-handler.ts';
import { atEnd } from './at-end.ts';
import { json, sendRequest, type TestRequest, type TestResponse } from './http-request.ts';
import { type TestCapability, testCapability } from './test-capability.ts';
import { openTestDatabase } from './test-database.ts';
import { type TestWorld, testWorld } from './test-world.ts';

export type TestKeys = {
  readonly accountId: string;
  readonly sk: string;
  readonly skTest: string;
  readonly ak: string;
  readonly akTest: string;
};

export type CallOptions = {
  readonly key?: string;
  readonly idempotencyKey?: string;
  readonly prefer?: string;
  readonly headers?: Readonly<Record<string, string>>;
};

export type TestNode = {
  readonly origin: string;
  /** Stops the node as SIGTERM does. */
  close(): Promise<void>;
};

export type TestGateway = TestWorld & {
  readonly db: Db;
  readonly origin: string;
  /** The account that all tests of the file share, with its keys. */
  readonly keys: TestKeys;
  /**
   * `paid` costs 0.036 CNY, `free` nothing, `timed` by the second; `agent` is a GET for `ak-` keys.
   */
  readonly paid: TestCapability;
  readonly free: TestCapability;
  readonly timed: TestCapability;
  readonly agent: TestCapability;
  readonly media: MediaStore;
  newAccount(): Promise<TestKeys>;
  newKey(
    input: Partial<KeyInput> & { readonly accountId: string },
  ): Promise<{ id: string; text: string }>;
  sendRequest(send: TestRequest): Promise<TestResponse>;
  /** POST to a capability, with the live key by default. */
  call(id: string, body: unknown, options?: CallOptions): Promise<TestResponse>;
  readPath(path: string, key?: string): Promise<TestResponse>;
  /** A second server on the same database, as another node. */
  openNode(): Promise<TestNode>;
};

export type GatewayOptions = {
  /** When absent, the server trusts X-Forwarded-For from loopback. */
  readonly clients?: ClientResolver;
  readonly limits?: Partial<LimitSettings>;
  readonly limiter?: Limiter;
  readonly capabilities?: readonly Capability[];
  /** The `topUps` section of the configuration. */
  readonly topUps?: object;
  /** The database of another server; a new one when absent. */
  readonly db?: Db;
  /** Routes of models and their measured ratios; none when absent. */
  readonly relay?: { readonly models: object; readonly ratios: InputRatios };
  /** Pages with forms on the same port, by path prefix. */
  readonly areas?: (context: GatewayContext) => Promise<Readonly<Record<string, FormHandler>>>;
};

const highLimits: LimitSettings = {
  rate: { perSecond: 10_000, burst: 100_000 },
  callsPerDay: 100_000,
  callsPerMonth: 2_000_000,
  keysPerAccount: 1_000,
};

export async function openTestGateway(options: GatewayOptions = {}): Promise<TestGateway> {
  const test = testWorld();
  const { world } = test;
  const db = options.db ?? (await openTestDatabase()).db;
  const { models, ratios } = options.relay ?? { models: {}, ratios: openInputRatios() };
  const routeOf = openRoutes(relaySchema.parse({ models }).models);
  const dataDir = mkdtempSync(join(tmpdir(), 'gateway-test-'));
  atEnd(() => rmSync(dataDir, { recursive: true, force: true }));
  const site = { url: 'https://gateway.example', name: 'Content Radar' };
  const media = openMediaStore(world, { kind: 'folder' }, { dataDir, siteUrl: () => site.url });
  const paid = testCapability({ id: 'paid', sku: 'social_data' });
  const free = testCapability({ id: 'free', sku: 'ocr' });
  const timed = testCapability({ id: 'timed', sku: 'transcribe' });
  const agent = testCapability({ id: 'agent', sku: null, key: 'ak', method: 'GET' });
  const testCapabilities = [paid, free, timed, agent].map(
    ({ capability }) => capability as Capability,
  );
  const capabilities = [...testCapabilities, ...(options.capabilities ?? [])];
  const openNode = async () => {
    const limits = { ...highLimits, ...options.limits };
    const wallet = await openWallet(world, db);
    const keys = await openKeyCache(world, db);
    const limiter = options.limiter ?? openLocalLimiter(world.clock);
    const admission = openAdmission(world, { keys, limiter, limits });
    const metrics = openMetrics();
    const { clients = openClientResolver({ trustProxy: ['loopback'] }) } = options;
    const canReadMetrics = openMetricsAccess({ allow: [], clients });
    const findResponse: CallDeps['findResponse'] = (call) => findStoredResponse(world, db, call);
    const lifeMs = 3_600_000;
    const switches = openSwitches(world, db);
    const onEnd: JobsOptions['onEnd'] = (tx, ended) => publishJobFinished(world, tx, ended);
    const jobs = openJobs(world, db, { wallet, capabilities, switches, lifeMs, onEnd });
    const calls: CallDeps = {
      world,
      admission,
      wallet,
      jobs,
      findResponse,
      switches,
      prices: openPriceLists(world, db),
      ratios,
      requestLog: openRequestLog(world, db),
      onBudgetRefused: openBudgetNotice(world, db),
      isAllowanceCapped: (accountId) => isAllowanceCapped(world, db, accountId),
    };
    const topUps = await openTopUps(world, db, {
      siteUrl: () => site.url,
      siteName: site.name,
      config: topUpsSchema.parse(options.topUps ?? {}),
    });
    const context = {
      world,
      db,
      site,
      admission,
      calls,
      capabilities,
      media,
      limits,
      topUps,
      relay: { routeOf, price: null },
    };
    const areas = (await options.areas?.(context)) ?? {};
    const server = await openGatewayServer(context, {
      pages: areas,
      host: '127.0.0.1',
      port: 0,
      clients,
      metrics,
      operator: {
        findNotReadyReason: async () => null,
        metrics: async (req) => (canReadMetrics(req) ? metrics.text() : null),
      },
    });
    atEnd(async () => {
      for (const { release } of [paid, free, timed, agent]) release();
      await close();
      await jobs.close();
      await wallet.close();
    });
    const close = () => {
      jobs.stopWaiting();
      return server.close();
    };
    return { origin: `http://127.0.0.1:${server.port}`, close };
  };
  const { origin } = await openNode();
  let accountCount = 0;
  const newKey: TestGateway['newKey'] = (input) =>
    makeKey(world, db, { kind: 'sk', livemode: true, name: 'Test', ...input });
  const newAccount = async (): Promise<TestKeys> => {
    accountCount += 1;
    const email = `customer-${accountCount}@example.com`;
    const account = await addAccount(world, db, {
      email,
      password: `password ${accountCount} of a test`,
      isPasswordChecked: true,
    });
    if (account.kind !== 'added') throw new Error(account.kind);
    const accountId = account.id;
    const addKey = async (kind: 'sk' | 'ak', livemode: boolean) =>
      (await newKey({ accountId, kind, livemode })).text;
    return {
      accountId,
      sk: await addKey('sk', true),
      skTest: await addKey('sk', false),
      ak: await addKey('ak', true),
      akTest: await addKey('ak', false),
    };
  };
  const keys = await newAccount();
  const send = (request: TestRequest) => sendRequest(origin, request);
  return {
    ...test,
    db,
    origin,
    keys,
    media,
    paid,
    free,
    timed,
    agent,
    newAccount,
    newKey,
    openNode,
    sendRequest: send,
    call: (id, body, { key = keys.sk, idempotencyKey, prefer, headers } = {}) =>
      send({
        method: 'POST',
        path: `/api/v1/capabilities/${id}`,
        headers: {
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
          ...(prefer !== undefined && { prefer }),
          ...headers,
        },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    readPath: (path, key = keys.sk) => send({ path, headers: { authorization: `Bearer ${key}` } }),
  };
}

/** The problem of a response, without the parts that differ between responses. */
export function problemIn(response: TestResponse): Record<string, unknown> {
  const { request_id: requestId, ...problem } = json(response);
  if (requestId !== response.headers['x-request-id'])
    throw new Error('request_id differs from the header X-Request-Id');
  return problem;
}
