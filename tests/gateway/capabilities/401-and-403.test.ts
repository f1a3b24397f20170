import { describe, expect, test } from 'vitest';
import { resumeAccount, suspendAccount } from '../../../src/gateway/accounts/account.ts';
import { revokeKey, rotateKey } from '../../../src/gateway/keys/change-keys.ts';
import { makeKeyText } from '../../../src/gateway/keys/key-text.ts';
import { json } from '../../support/http-request.ts';
import { openTestGateway, problemIn } from '../../support/test-gateway.ts';

const gateway = await openTestGateway();
const { world, db, clock } = gateway;
const { accountId, sk, ak } = gateway.keys;

const path = '/api/v1/capabilities/free';
const callWithHeaders = (headers: Record<string, string>) =>
  gateway.sendRequest({ method: 'POST', path, headers, body: '{"text":"x"}' });
const callWith = (key: string) => gateway.call('free', { text: 'x' }, { key });

describe('401', () => {
  test('the challenge without a key contains no error', async () => {
    const response = await callWithHeaders({ 'content-type': 'application/json' });
    expect(problemIn(response)).toEqual({
      type: '/problems/invalid-api-key',
      title: 'Invalid API key',
      status: 401,
      detail: 'An API key is needed here: Authorization: Bearer <key>.',
      instance: path,
      code: 'invalid_api_key',
    });
    expect(response.headers['www-authenticate']).toBe('Bearer realm="gateway"');
  });

  test.each([
    ['Basic dXNlcjpwYXNz', 'Bearer realm="gateway"'],
    ['Bearer', 'Bearer realm="gateway"'],
    ['Bearer sk-wrong', 'Bearer realm="gateway", error="invalid_token"'],
    [`Bearer ${sk.slice(0, -1)}`, 'Bearer realm="gateway", error="invalid_token"'],
    [`Bearer ${sk.toUpperCase()}`, 'Bearer realm="gateway", error="invalid_token"'],
  ])('refuses the authorization %s', async (authorization, challenge) => {
    const response = await callWithHeaders({ authorization });
    expect(problemIn(response)).toMatchObject({ status: 401, code: 'invalid_api_key' });
    expect(response.headers['www-authenticate']).toBe(challenge);
    expect(response.headers.ratelimit).toBeUndefined();
  });

  test('an unknown but well-formed key is refused', async () => {
    const unknownKey = makeKeyText(world.random, { kind: 'sk', livemode: true });
    expect(problemIn(await callWith(unknownKey)).detail).toBe('This API key is unknown.');
  });

  test.each(['key', 'api_key', 'access_token'])(
    'a key in the address is ignored: %s',
    async (name) => {
      const response = await fetch(`${gateway.origin}/api/v1/account?${name}=${sk}`);
      expect(response.status).toBe(401);
    },
  );

  test('the body is read after authentication', async () => {
    const response = await callWithHeaders({ 'content-type': 'text/plain' });
    expect(response.status).toBe(401);
  });
});

describe('the validity of a key', () => {
  test('a revoked key is refused within a second, on every node', async () => {
    const { origin: otherNode } = await gateway.openNode();
    const { id, text } = await gateway.newKey({ accountId });
    const onOtherNode = () =>
      fetch(`${otherNode}/api/v1/account`, { headers: { authorization: `Bearer ${text}` } });
    expect((await callWith(text)).status).toBe(200);
    expect((await onOtherNode()).status).toBe(200);
    expect(await revokeKey(world, db, id)).toBe(true);
    clock.advance(1000);
    expect(problemIn(await callWith(text)).detail).toBe('This API key is revoked.');
    expect((await onOtherNode()).status).toBe(401);
  });

  test('a call of a key that is revoked meanwhile ends normally and is charged', async () => {
    const { id, text } = await gateway.newKey({ accountId });
    const callArrived = gateway.paid.waitForRuns(1);
    const body = { text: 'slow', does: 'wait' };
    const runningCall = gateway.call('paid', body, { key: text });
    await callArrived;
    expect(await revokeKey(world, db, id)).toBe(true);
    clock.advance(1000);
    expect((await callWith(text)).status).toBe(401);
    gateway.paid.release();
    const response = await runningCall;
    expect(json(response)).toMatchObject({ charge: { total: '0.036' } });
    const { request_id: requestId } = json(response);
    const call = json(await gateway.readPath(`/api/v1/calls/${requestId}`, sk));
    expect(call).toMatchObject({ status: 'succeeded', key: { id }, charge: { total: '0.036' } });
  });

  test('an expired key is refused', async () => {
    const { text } = await gateway.newKey({ accountId, expiresAt: clock.now() + 60_000 });
    expect((await callWith(text)).status).toBe(200);
    clock.advance(60_000);
    expect(problemIn(await callWith(text)).detail).toBe('This API key is expired.');
  });

  test('the old key works beside the new key until the end of the overlap', async () => {
    const { id, text } = await gateway.newKey({ accountId, scopes: ['free'] });
    const rotatedKey = await rotateKey(world, db, { id, overlapMs: 120_000 });
    if (rotatedKey.kind !== 'rotated') throw new Error(rotatedKey.kind);
    expect((await callWith(text)).status).toBe(200);
    expect((await callWith(rotatedKey.key.text)).status).toBe(200);
    clock.advance(120_000);
    expect((await callWith(text)).status).toBe(401);
    expect((await callWith(rotatedKey.key.text)).status).toBe(200);
    // The new key has the same limits as the old key.
    const otherKey = await gateway.call('paid', { text: 'x' }, { key: rotatedKey.key.text });
    expect(otherKey.status).toBe(403);
  });
});

describe('403', () => {
  const refusalWith = (detail: string) => ({
    type: '/problems/key-not-allowed',
    title: 'Key not allowed',
    status: 403,
    detail,
    instance: path,
    code: 'key_not_allowed',
  });

  test('refuses a key of the other kind', async () => {
    const detail = 'Test free must be called with an API key (sk-…).';
    expect(problemIn(await callWith(ak))).toEqual(refusalWith(detail));
    const agents = await gateway.readPath('/api/v1/capabilities/agent?text=x');
    expect(problemIn(agents).detail).toBe(
      'Test agent must be called with an Agent API key (ak-…).',
    );
  });

  test('refuses a key without the scope', async () => {
    const { text } = await gateway.newKey({ accountId, scopes: ['paid'] });
    expect(problemIn(await callWith(text))).toEqual(
      refusalWith('This API key may not call Test free.'),
    );
  });

  test('checks the network of the client behind a trusted proxy', async () => {
    const { text } = await gateway.newKey({ accountId, networks: ['203.0.113.0/24'] });
    const detail = 'This API key may not be used from this network.';
    expect(problemIn(await callWith(text))).toEqual(refusalWith(detail));
    const headers = { 'x-forwarded-for': '203.0.113.9' };
    const permittedCall = await gateway.call('free', { text: 'x' }, { key: text, headers });
    expect(permittedCall.status).toBe(200);
  });

  test('refuses a suspended account until it is active again', async () => {
    const account = await gateway.newAccount();
    await suspendAccount(db, account.accountId);
    const detail = 'The account of this API key is suspended.';
    expect(problemIn(await callWith(account.sk))).toEqual(refusalWith(detail));
    await resumeAccount(db, account.accountId);
    clock.advance(1000);
    expect((await callWith(account.sk)).status).toBe(200);
  });
});

test('limits wrong keys per address, and never delays a valid key', async () => {
  const headersFrom = (address: string) => ({ 'x-forwarded-for': address });
  const guessKey = (address: string) =>
    callWithHeaders({ authorization: 'Bearer sk-guess', ...headersFrom(address) });
  const statuses = new Set<number>();
  let response = await guessKey('198.51.100.7');
  for (let attempt = 0; attempt < 300; attempt += 1) {
    statuses.add(response.status);
    response = await guessKey('198.51.100.7');
  }
  expect([...statuses]).toEqual([401]);
  expect(problemIn(response)).toMatchObject({ status: 429, code: 'rate_limited', retry_after: 1 });
  expect(response.headers['retry-after']).toBe('1');
  const validResponse = await gateway.call(
    'free',
    { text: 'x' },
    { headers: headersFrom('198.51.100.7') },
  );
  expect(validResponse.status).toBe(200);
  expect((await guessKey('198.51.100.8')).status).toBe(401);
  clock.advance(1000);
  expect((await guessKey('198.51.100.7')).status).toBe(401);
});

test('neither the log nor the response contains the key', async () => {
  const { text } = await gateway.newKey({ accountId });
  const response = await callWith(text.slice(0, -1));
  expect(response.text).not.toContain(text.slice(5, 20));
  expect(gateway.logged.join('\n')).not.toContain(text.slice(5, 20));
  expect(json(response).code).toBe('invalid_api_key');
});
