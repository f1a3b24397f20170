// The relay's server over a test's own database, with chat servers of the demonstration behind it
// and an account with a key of each kind.

import { request } from 'node:http';

import {
  type ChatServer,
  chatKey,
  openChatServer,
} from '../../demo/upstream/chat/open-chat-server.ts';
import { addAccount } from '../../src/gateway/accounts/account.ts';
import { openCallAccounting } from '../../src/gateway/api/relay/call-accounting.ts';
import { openRelayServer } from '../../src/gateway/api/relay/open-relay-server.ts';
import { type LimitSettings, openAdmission } from '../../src/gateway/calls/admit.ts';
import { openPriceLists } from '../../src/gateway/calls/price-lists.ts';
import { openSwitches, upstreamName } from '../../src/gateway/capabilities/switches.ts';
import { makeKey } from '../../src/gateway/keys/change-keys.ts';
import { openKeyCache } from '../../src/gateway/keys/key-cache.ts';
import type { KeyInput } from '../../src/gateway/keys/key-input.ts';
import { openCallServices } from '../../src/gateway/relay/open-call-services.ts';
import { openInputRatios } from '../../src/gateway/relay/prices/input-ratio.ts';
import { relaySchema } from '../../src/gateway/relay/relay-config.ts';
import { tokensOf } from '../../src/gateway/relay/token-usage.ts';
import { openSandboxes } from '../../src/gateway/relay/upstream/sandbox-upstream.ts';
import { openUpstreamHealth } from '../../src/gateway/relay/upstream/upstream-health.ts';
import { openUpstreams } from '../../src/gateway/relay/upstream/upstreams.ts';
import { openUsageRecorder } from '../../src/gateway/relay/usage-recorder.ts';
import { findStoredResponse, listCalls } from '../../src/gateway/wallet/history/read-calls.ts';
import { openWallet } from '../../src/gateway/wallet/ledger/open-wallet.ts';
import {
  type ClientResolver,
  openClientResolver,
} from '../../src/kernel/client-address/client-address.ts';
import { openStreamingClients } from '../../src/kernel/net/streaming-client.ts';
import { openMetrics } from '../../src/kernel/observability/metrics.ts';
import type { Db } from '../../src/kernel/ports/db.ts';
import { openLocalLimiter } from '../../src/kernel/rate-limit/limiter.ts';
import { sqlOf } from '../../src/store/platform/db.ts';
import { atEnd } from '../support/at-end.ts';
import { sendRequest, type TestRequest, type TestResponse } from '../support/http-request.ts';
import { openTestDatabase } from '../support/test-database.ts';
import { testWorld } from '../support/test-world.ts';
import { until } from '../support/until.ts';
import { openStream, type SlowClient } from './open-stream.ts';

export type RelayOptions = {
  /** False: only the test advances the clock. Otherwise each logged warning also advances it. */
  readonly isPauseSkipped?: boolean;
  /** The proxies in front of the relay; when absent, there is none. */
  readonly clients?: ClientResolver;
  /**
   * The configuration of each upstream, without address and key. When absent, there is one
   * upstream.
   */
  readonly upstreams?: readonly object[];
  readonly price?: { readonly perCall: string; readonly version: number };
  /** Routes of the configuration. */
  readonly models?: object;
  readonly limits?: Partial<LimitSettings>;
  /** A migrated database; a new one when absent. */
  readonly db?: Db;
};

/**
 * The clock advances by this time after each logged warning. It exceeds the relay's own pause
 * before a second try.
 */
export const RETRY_PAUSE_MS = 700;

const openLimits: LimitSettings = {
  rate: { perSecond: 100_000, burst: 1_000_000 },
  callsPerDay: 100_000,
  callsPerMonth: 2_000_000,
  keysPerAccount: 1_000,
};

export type Relay = Awaited<ReturnType<typeof openTestRelay>>;

export async function openTestRelay(options: RelayOptions = {}) {
  const test = testWorld();
  const { clock } = test;
  const { log } = test.world;
  const world = {
    ...test.world,
    log: {
      debug: (fields: object, message: string) => log.debug(fields, message),
      info: (fields: object, message: string) => log.info(fields, message),
      error: (fields: object, message: string) => log.error(fields, message),
      warn: (fields: object, message: string) => {
        log.warn(fields, message);
        // Skips the delay before a retry.
        if (options.isPauseSkipped !== false) setImmediate(() => clock.advance(RETRY_PAUSE_MS));
      },
    },
  };
  const db = options.db ?? (await openTestDatabase()).db;
  const chatServers: ChatServer[] = [];
  const upstreams: object[] = [];
  for (const [index, rules] of (options.upstreams ?? [{}]).entries()) {
    const chat = await openChatServer({ models: ['demo-chat', `demo-only-${index}`] });
    chatServers.push(chat);
    upstreams.push({ name: `chat-${index}`, url: chat.url, key: chatKey, ...rules });
  }
  const config = relaySchema.parse({
    upstreams,
    price: options.price,
    models: options.models,
  });
  const streamingClients = openStreamingClients();
  const wallet = await openWallet(world, db);
  const limits = { ...openLimits, ...options.limits };
  const limiter = openLocalLimiter(world.clock);
  const admission = openAdmission(world, { keys: await openKeyCache(world, db), limiter, limits });
  const usage = openUsageRecorder(world, db);
  const accounting = openCallAccounting(world, wallet);
  const switches = openSwitches(world, db);
  const context = {
    world,
    admission,
    wallet,
    usage,
    accounting,
    switches,
    findResponse: (call: Parameters<typeof findStoredResponse>[2]) =>
      findStoredResponse(world, db, call),
    upstreams: openUpstreams(world, config, {
      clients: streamingClients,
      openHealth: (upstream) => {
        const name = upstreamName(upstream);
        return openUpstreamHealth(world.clock, {
          name,
          isOff: () => switches.isOff('provider', name),
        });
      },
    }),
    sandboxOf: openSandboxes(world),
    ...openCallServices(world),
    // Estimates tokens without the tokenizer thread, so the numbers are the same on every machine.
    counter: {
      of: () => ({ count: async (text: string) => tokensOf(Buffer.byteLength(text)) }),
      close: async () => {},
    },
    price: config.price ?? null,
    prices: openPriceLists(world, db),
    ratios: openInputRatios(),
  };
  const metrics = openMetrics();
  const server = await openRelayServer(context, {
    host: '127.0.0.1',
    port: 0,
    metrics,
    clients: options.clients ?? openClientResolver({ trustProxy: [] }),
    operator: { findNotReadyReason: async () => null, metrics: () => metrics.text() },
  });
  atEnd(async () => {
    await Promise.all(chatServers.map((chat) => chat.close()));
    await server.close();
    streamingClients.close();
    await wallet.close();
  });
  const origin = `http://127.0.0.1:${server.port}`;
  const account = await addAccount(world, db, { email: 'a@example.com', password: 'a long word' });
  if (account.kind !== 'added') throw new Error(account.kind);
  const accountId = account.id;
  const newKey = async (input: Partial<KeyInput> = {}) =>
    (await makeKey(world, db, { accountId, kind: 'ak', livemode: true, name: 'Test', ...input }))
      .text;
  const keys = {
    accountId,
    ak: await newKey(),
    akTest: await newKey({ livemode: false }),
    sk: await newKey({ kind: 'sk' }),
  };
  const send = (testRequest: TestRequest): Promise<TestResponse> =>
    sendRequest(origin, testRequest);
  const waitForWrites = async () => {
    await accounting.idle();
    await usage.flush();
  };
  const usageRows = async () => {
    await waitForWrites();
    return sqlOf(db).selectFrom('relay_usage').selectAll().orderBy('request_id').execute();
  };
  /** Waits until no call is running, and returns the calls of the account, newest first. */
  const calls = () =>
    until(async () => {
      await waitForWrites();
      const page = await listCalls(db, { accountId, livemode: true, cursor: null, limit: 1_000 });
      const calls = page?.calls ?? [];
      return calls.some(({ state }) => state === 'held') ? null : calls;
    });
  return {
    ...test,
    db,
    ratios: context.ratios,
    origin,
    keys,
    chats: chatServers,
    newKey,
    server,
    waitForWrites,
    send,
    chat: (body: unknown, headers: Record<string, string> = {}) =>
      send({
        method: 'POST',
        path: '/relay/v1/chat/completions',
        headers: {
          authorization: `Bearer ${keys.ak}`,
          'content-type': 'application/json',
          ...headers,
        },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    get: (path: string, key = keys.ak) =>
      send({ path, headers: { authorization: `Bearer ${key}` } }),
    /** Sends a request; the returned function disconnects. */
    sendAndDisconnect: (body: object) => {
      const clientRequest = request(`${origin}/relay/v1/chat/completions`, {
        method: 'POST',
        agent: false,
        headers: { authorization: `Bearer ${keys.ak}`, 'content-type': 'application/json' },
      });
      clientRequest.on('error', () => {});
      clientRequest.end(JSON.stringify(body));
      return () => clientRequest.destroy();
    },
    openStream: (body: object, key = keys.ak) => openStream(origin, { key, body }),
    usageOf: async (response: RequestHolder) => {
      const rows = await usageRows();
      return rows.find((row) => row.request_id === idOf(response)) ?? null;
    },
    usageRows,
    callOf: async (response: RequestHolder) => {
      const allCalls = await calls();
      return allCalls.find((call) => call.requestId === idOf(response)) ?? null;
    },
    calls,
  };
}

/** A response, or a client of a stream: both have the request id. */
type RequestHolder = Pick<TestResponse, 'headers'> | Pick<SlowClient, 'requestId'>;

const idOf = (holder: RequestHolder) =>
  'requestId' in holder ? holder.requestId : String(holder.headers['x-request-id']);

export const chatRequest = (content: string, fields: object = {}) => ({
  model: 'demo-chat',
  messages: [{ role: 'user', content }],
  ...fields,
});

/** The data of all events of a stream. */
export function eventsIn(text: string): unknown[] {
  const blocks = text.split(/\r?\n\r?\n/).filter((block) => block !== '');
  return blocks.map((block) => {
    if (!block.startsWith('data: ')) return block;
    const data = block.slice('data: '.length);
    return data === '[DONE]' ? data : JSON.parse(data);
  });
}

/** The text of all choices of a stream. */
export function streamedText(events: readonly unknown[]): string {
  return (events as { choices?: { delta?: { content?: string } }[] }[])
    .map((event) => event.choices?.[0]?.delta?.content ?? '')
    .join('');
}

type ErrorBody = {
  readonly message: string;
  readonly code: string;
  readonly param: string | null;
  readonly original?: { readonly status: number };
};

export const errorIn = ({ text }: TestResponse) => (JSON.parse(text) as { error: ErrorBody }).error;

export const modelsIn = ({ text }: TestResponse) =>
  (JSON.parse(text) as { readonly data: readonly { readonly id: string }[] }).data;

/** Content of a complete response. */
export function contentIn({ text }: TestResponse): string | undefined {
  const { choices } = JSON.parse(text) as { choices: { message: { content: string } }[] };
  return choices[0]?.message.content;
}
