// Only the token of a push source opens its door; nothing else is read of whoever has none.
import { request } from 'node:http';
import { expect, test } from 'vitest';
import { addSource } from '../../../src/radar/sources/add-source.ts';
import { createPushToken, revokePushToken } from '../../../src/radar/sources/push-token.ts';
import { findPushToken } from '../../../src/store/radar/sources/push-tokens.ts';
import { expectProblem } from '../../support/expect-problem.ts';
import { addPushSource, openPushDoor } from '../../support/push-endpoint.ts';
import { openTestHouse } from '../../support/test-radar.ts';

const house = await openTestHouse();
const door = await openPushDoor(house);
const batch = { source: 'agents', items: [{ url: 'https://halden.example/a', title: 'About a' }] };
const wanted = { status: 401, code: 'unauthorized', title: 'Unauthorized' };
const noToken = { ...wanted, detail: 'A bearer token of a push source is needed here.' };

test.each([
  ['no token', ''],
  ['another scheme', `Basic ${Buffer.from(`agents:${door.token}`).toString('base64')}`],
  ['a token alone', door.token],
  ['a token cut short', `Bearer ${door.token.slice(0, -1)}`],
  ['a token with more', `Bearer ${door.token}A`],
  ['nothing after the scheme', 'Bearer '],
  ['something long', `Bearer radar_push_${'a'.repeat(8_000)}`],
])('%s', async (_name, authorization) => {
  const answer = await door.push(batch, { authorization });
  expectProblem(answer, noToken);
  expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="radar"');
});

test('the token comes before everything else that may be wrong', async () => {
  const headers = { authorization: 'Bearer none', 'content-type': 'text/plain' };
  expectProblem(await door.push('x'.repeat(3 * 1024 * 1024), headers), noToken);
});

test('a client that asks before it sends is not invited without a token', async () => {
  const ask = (token: string) =>
    new Promise<readonly [boolean, number]>((resolve, reject) => {
      const body = JSON.stringify(batch);
      const headers = {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'content-length': body.length,
        expect: '100-continue',
      };
      let isInvited = false;
      const asking = request(door.url, { method: 'POST', headers }, (response) => {
        response.resume().on('end', () => resolve([isInvited, response.statusCode ?? 0]));
        if (!isInvited) asking.destroy();
      });
      asking.on('continue', () => {
        isInvited = true;
        asking.end(body);
      });
      asking.on('error', reject);
      asking.flushHeaders();
    });
  expect(await ask('none')).toEqual([false, 401]);
  expect(await ask(door.token)).toEqual([true, 200]);
});

test('a token opens its own source only', async () => {
  const token = await addPushSource(house, 'others');
  const answer = await door.push(batch, { authorization: `Bearer ${token}` });
  const detail = 'This token belongs to another source than the batch names.';
  expectProblem(answer, { ...wanted, detail });
});

test('a new token takes the place of the old one, a revoked one of none', async () => {
  const made = await createPushToken(house.world, house.db, 'agents');
  const token = made.kind === 'made' ? made.token : '';
  const authorization = `Bearer ${token}`;
  expectProblem(await door.push(batch), noToken);
  expect((await door.push(batch, { authorization })).status).toBe(200);
  expect(await revokePushToken(house.db, 'agents')).toEqual({ kind: 'revoked' });
  expectProblem(await door.push(batch, { authorization }), noToken);
  expect(await revokePushToken(house.db, 'agents')).toEqual({ kind: 'no_token' });
});

test('a token is stored as a hash, and made for push sources only', async () => {
  const { world, db } = house;
  expect(Buffer.from(door.token.slice('radar_push_'.length), 'base64url')).toHaveLength(32);
  expect(await findPushToken(db, Buffer.from(door.token))).toBeNull();
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
