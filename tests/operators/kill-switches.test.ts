// Operators disable a capability or a provider. After one second, no node calls it. A refused call
// costs nothing, and its response gives the reason.
import { afterAll, describe, expect, test } from 'vitest';
import type { Capability } from '../../src/gateway/capabilities/capability.ts';
import { providersSchema } from '../../src/gateway/capabilities/providers-config.ts';
import { openSearch } from '../../src/gateway/capabilities/search/search.ts';
import { openSwitches, providerWorld, setSwitch } from '../../src/gateway/capabilities/switches.ts';
import { readFormFields } from '../support/form-browser.ts';
import { json } from '../support/http-request.ts';
import { openLoopbackSite } from '../support/loopback-site.ts';
import { testCapability } from '../support/test-capability.ts';
import { problemIn } from '../support/test-gateway.ts';
import { openTestAdmin } from './test-admin.ts';

const ocr = testCapability({ id: 'ocr', sku: 'ocr' }).capability as Capability;
const admin = await openTestAdmin({ upstreams: ['chat:main'], capabilities: [ocr] });
const operator = await admin.signIn('Ada');
const otherNode = await admin.openNode();
afterAll(() => otherNode.close());

const pathOf = (kind: string, name: string) =>
  `/admin/providers/switch?${new URLSearchParams({ kind, name })}`;

async function toggleSwitch(kind: string, name: string, reason = 'it misbehaves') {
  const path = pathOf(kind, name);
  const { text } = await operator.get(path);
  return operator.post(path, { ...readFormFields(text, path.replaceAll('&', '&amp;')), reason });
}

const postCall = (origin: string, id: string, key = admin.keys.sk) =>
  fetch(`${origin}/api/v1/capabilities/${id}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ text: 'switched' }),
  });

const isHealthyIn = async (origin: string, id: string) => {
  const { capabilities } = (await (await fetch(`${origin}/capabilities/catalog`)).json()) as {
    capabilities: { id: string; healthy: boolean }[];
  };
  return capabilities.find((capability) => capability.id === id)?.healthy;
};

describe('a disabled capability', () => {
  test('returns 503 on every node within a second, runs nothing and charges nothing', async () => {
    const origins = [admin.origin, otherNode.origin];
    for (const origin of origins) expect((await postCall(origin, 'paid')).status).toBe(200);
    const allowanceBefore = json(await admin.readPath('/api/v1/account'));
    const runs = admin.paid.runs.length;
    expect((await toggleSwitch('capability', 'paid')).status).toBe(303);
    admin.clock.advance(1_000);
    const refusal = await admin.call('paid', { text: 'x' });
    expect(problemIn(refusal)).toEqual({
      type: '/problems/capability-unavailable',
      title: 'Capability unavailable',
      status: 503,
      detail: 'Test paid is switched off at the moment. Nothing was charged, and nothing was run.',
      instance: '/api/v1/capabilities/paid',
      code: 'capability_unavailable',
      retry_after: 30,
    });
    expect((await postCall(otherNode.origin, 'paid')).status).toBe(503);
    expect((await postCall(otherNode.origin, 'paid', admin.keys.skTest)).status).toBe(503);
    expect(admin.paid.runs.length).toBe(runs);
    expect(json(await admin.readPath('/api/v1/account'))).toEqual(allowanceBefore);
  });

  test('does not use up the Idempotency-Key of a request', async () => {
    const request = { idempotencyKey: 'while-off' };
    expect((await admin.call('paid', { text: 'once' }, request)).status).toBe(503);
    await toggleSwitch('capability', 'paid', 'it is well again');
    admin.clock.advance(1_000);
    expect((await admin.call('paid', { text: 'once' }, request)).status).toBe(200);
  });

  test('is unhealthy in the catalog of every node', async () => {
    const readHealth = () =>
      Promise.all([admin.origin, otherNode.origin].map((origin) => isHealthyIn(origin, 'ocr')));
    expect(await readHealth()).toEqual([true, true]);
    await toggleSwitch('capability', 'ocr');
    admin.clock.advance(1_000);
    expect(await readHealth()).toEqual([false, false]);
    await toggleSwitch('capability', 'ocr');
    admin.clock.advance(1_000);
    expect(await readHealth()).toEqual([true, true]);
  });

  test('changes only for an operator whose form has the current state', async () => {
    const otherOperator = await admin.signIn('Bo');
    const path = pathOf('capability', 'paid');
    const staleForm = readFormFields(
      (await otherOperator.get(path)).text,
      path.replaceAll('&', '&amp;'),
    );
    await toggleSwitch('capability', 'paid');
    const response = await otherOperator.post(path, { ...staleForm, reason: 'me too' });
    expect([response.status, response.text.includes('Ada saved a change first.')]).toEqual([
      409,
      true,
    ]);
    await toggleSwitch('capability', 'paid');
  });

  test('must exist', async () => {
    expect((await operator.get(pathOf('capability', 'telepathy'))).status).toBe(404);
    expect((await operator.get(pathOf('provider', 'nobody'))).status).toBe(404);
  });
});

describe('a disabled provider', () => {
  test('receives no requests within a second, and receives them again when enabled', async () => {
    const site = await openLoopbackSite();
    site.respond('/search?q=x&format=json&pageno=1', {
      body: JSON.stringify({ results: [{ title: 'One', url: 'https://one.example/' }] }),
      headers: { 'content-type': 'application/json' },
    });
    const config = providersSchema.parse({ search: [{ kind: 'searxng', url: site.url }] });
    const nodes = [1, 2].map(() => {
      const switches = openSwitches(admin.world, admin.db);
      const world = providerWorld(admin.world, switches);
      return { switches, search: openSearch(world, config.search, () => null) };
    });
    const callSearch = async ({ switches, search }: (typeof nodes)[number]) => {
      await switches.refresh();
      const { signal } = new AbortController();
      const context = { world: admin.world, requestId: 'req_x', signal };
      const callOptions = {
        accountId: 'acct_x',
        livemode: true,
        adjustHold: async () => 'held' as const,
        progress: () => {},
      };
      return search.run({ ...context, ...callOptions }, { q: 'x', limit: 5, page: 1 });
    };
    const callAllNodes = async () =>
      (await Promise.all(nodes.map(callSearch))).map(({ kind }) => kind);
    expect(await callAllNodes()).toEqual(['done', 'done']);
    const requestCount = site.requests.length;
    const [{ search }] = nodes as [(typeof nodes)[number]];
    const name = search.health().providers[0]?.name ?? '';
    const change = { kind: 'provider', name, reason: 'x', actor: 'Ada' } as const;
    expect(await setSwitch(admin.world, admin.db, { ...change, isOff: true, version: 0 })).toBe(
      true,
    );
    admin.clock.advance(1_000);
    const refusals = await Promise.all(nodes.map(callSearch));
    expect(refusals).toMatchObject([1, 2].map(() => ({ code: 'capability_unavailable' })));
    expect(site.requests.length).toBe(requestCount);
    expect(search.health()).toMatchObject({ healthy: false, providers: [{ circuit: 'off' }] });
    await setSwitch(admin.world, admin.db, { ...change, isOff: false, version: 1 });
    admin.clock.advance(1_000);
    expect(await callAllNodes()).toEqual(['done', 'done']);
  });
});
