// Only the token of a push source gives access. The body of an unauthorized request is not read.
import { request } from 'node:http';
import { expect, test } from 'vitest';
import { addSource } from '../../../src/radar/sources/add-source.ts';
import { createPushToken, revokePushToken } from '../../../src/radar/sources/push-token.ts';
import { findPushToken } from '../../../src/store/radar/sources/push-tokens.ts';
import { expectProblem } from '../../support/expect-problem.ts';
import { addPushSource, openPushEndpoint } from '../../support/push-endpoint.ts';
import { openTestApp } from '../../support/test-radar.ts';

const app = await openTestApp();
const endpoint = await openPushEndpoint(app);
const batch = { source: 'agents', items: [{ url: 'https://halden.example/a', title: 'About a' }] };
const expected = { status: 401, code: 'unauthorized', title: 'Unauthorized' };
const noToken = { ...expected, detail: 'A bearer token of a push source is needed here.' };

test.each([
  ['no token', ''],
  ['another scheme', `Basic ${Buffer.from(`agents:${endpoint.token}`).toString('base64')}`],
  ['a token without a scheme', endpoint.token],
  ['a token cut short', `Bearer ${endpoint.token.slice(0, -1)}`],
  ['a token with one more character', `Bearer ${endpoint.token}A`],
  ['nothing after the scheme', 'Bearer '],
  ['an overlong token', `Bearer radar_push_${'a'.repeat(8_000)}`],
])('refuses the authorization: %s', async (_name, authorization) => {
  const response = await endpoint.push(batch, { authorization });
  expectProblem(response, noToken);
  expect(response.headers.get('www-authenticate')).toBe('Bearer realm="radar"');
});

test('checks the token before everything else', async () => {
  const headers = { authorization: 'Bearer none', 'content-type': 'text/plain' };
  expectProblem(await endpoint.push('x'.repeat(3 * 1024 * 1024), headers), noToken);
});

test('sends no 100 Continue to a client without a token', async () => {
  const requestContinue = (token: string) =>
    new Promise<readonly [boolean, number]>((resolve, reject) => {
      const body = JSON.stringify(batch);
      const headers = {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'content-length': body.length,
        expect: '100-continue',
      };
      let hasContinue = false;
      const clientRequest = request(endpoint.url, { method: 'POST', headers }, (response) => {
        response.resume().on('end', () => resolve([hasContinue, response.statusCode ?? 0]));
        if (!hasContinue) clientRequest.destroy();
      });
      clientRequest.on('continue', () => {
        hasContinue = true;
        clientRequest.end(body);
      });
      clientRequest.on('error', reject);
      clientRequest.flushHeaders();
    });
  expect(await requestContinue('none')).toEqual([false, 401]);
  expect(await requestContinue(endpoint.token)).toEqual([true, 200]);
});

test('a token is valid for its own source only', async () => {
  const token = await addPushSource(app, 'others');
  const response = await endpoint.push(batch, { authorization: `Bearer ${token}` });
  const detail = 'This token belongs to another source than the batch names.';
  expectProblem(response, { ...expected, detail });
});

test('a new token replaces the old token, and a revoked token is invalid', async () => {
  const createdToken = await createPushToken(app.world, app.db, 'agents');
  const token = createdToken.kind === 'made' ? createdToken.token : '';
  const authorization = `Bearer ${token}`;
  expectProblem(await endpoint.push(batch), noToken);
  expect((await endpoint.push(batch, { authorization })).status).toBe(200);
  expect(await revokePushToken(app.db, 'agents')).toEqual({ kind: 'revoked' });
  expectProblem(await endpoint.push(batch, { authorization }), noToken);
  expect(await revokePushToken(app.db, 'agents')).toEqual({ kind: 'no_token' });
});

test('stores the token as a hash, and creates tokens for push sources only', async () => {
  const { world, db } = app;
  expect(Buffer.from(endpoint.token.slice('radar_push_'.length), 'base64url')).toHaveLength(32);
  expect(await findPushToken(db, Buffer.from(endpoint.token))).toBeNull();
  expect(await createPushToken(world, db, 'nobody')).toEqual({ kind: 'no_source' });
  await addSource(world, db, {
    id: 'feed',
    kind: 'feed',
    name: 'Feed',
    owner: 'Feed',
    tier: 'T2',
    language: 'en',
    intervalMinutes: 30,
    participation: 'editorial',
    settings: { url: 'https://halden.example/feed' },
  });
  expect(await createPushToken(world, db, 'feed')).toEqual({ kind: 'not_push' });
});
