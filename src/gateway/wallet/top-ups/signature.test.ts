import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { checkSignature } from './signature.ts';

const body = Buffer.from('{"id":"evt_1"}');
const now = Date.parse('2026-08-22T12:00:00.000Z');
const signedAt = now / 1000;
const sign = (secret: string, at = signedAt) =>
  createHmac('sha256', secret).update(`${at}.`).update(body).digest('hex');
const check = (header: string, secrets = ['whsec_one'], bytes: Uint8Array = body) =>
  checkSignature(header, bytes, { secrets, now }).kind;

test.each([
  ['one signature', `t=${signedAt},v1=${sign('whsec_one')}`],
  [
    'both signatures during a replacement',
    `t=${signedAt},v1=${sign('other')},v1=${sign('whsec_one')}`,
  ],
  [
    'an additional signature of another scheme',
    `t=${signedAt},v0=${sign('other')},v1=${sign('whsec_one')},x`,
  ],
  ['spaces around the values', ` t=${signedAt} , v1=${sign('whsec_one')}`],
  [
    'a signature of five minutes ago',
    `t=${signedAt - 300},v1=${sign('whsec_one', signedAt - 300)}`,
  ],
])('accepts %s', (_name, header) => {
  expect(check(header)).toBe('signed');
});

test('accepts both secrets during a replacement', () => {
  for (const secret of ['whsec_one', 'whsec_two']) {
    expect(check(`t=${signedAt},v1=${sign(secret)}`, ['whsec_one', 'whsec_two'])).toBe('signed');
  }
});

test.each([
  ['nothing', ''],
  ['no time', `v1=${sign('whsec_one')}`],
  ['an invalid time', `t=now,v1=${sign('whsec_one')}`],
  ['no signature', `t=${signedAt}`],
  ['only a signature of another scheme', `t=${signedAt},v0=${sign('whsec_one')}`],
  ['half a signature', `t=${signedAt},v1=${sign('whsec_one').slice(0, 32)}`],
  ['another secret', `t=${signedAt},v1=${sign('whsec_two')}`],
  ['a time that was not signed', `t=${signedAt - 1},v1=${sign('whsec_one')}`],
  ['an old signature', `t=${signedAt - 301},v1=${sign('whsec_one', signedAt - 301)}`],
  ['a signature of the future', `t=${signedAt + 301},v1=${sign('whsec_one', signedAt + 301)}`],
])('refuses %s', (_name, header) => {
  expect(check(header)).toBe('refused');
});

test('refuses a body with one changed byte', () => {
  const changedBody = Buffer.from('{"id":"evt_2"}');
  expect(check(`t=${signedAt},v1=${sign('whsec_one')}`, ['whsec_one'], changedBody)).toBe(
    'refused',
  );
});
