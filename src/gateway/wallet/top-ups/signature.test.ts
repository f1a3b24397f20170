import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { checkSignature } from './signature.ts';

const body = Buffer.from('{"id":"evt_1"}');
const now = Date.parse('2026-08-22T12:00:00.000Z');
const t = now / 1000;
const sign = (secret: string, at = t) =>
  createHmac('sha256', secret).update(`${at}.`).update(body).digest('hex');
const check = (header: string, secrets = ['whsec_one'], bytes: Uint8Array = body) =>
  checkSignature(header, bytes, { secrets, now }).kind;

test.each([
  ['one signature', `t=${t},v1=${sign('whsec_one')}`],
  ['both signatures during a replacement', `t=${t},v1=${sign('other')},v1=${sign('whsec_one')}`],
  ['other schemes beside it', `t=${t},v0=${sign('other')},v1=${sign('whsec_one')},x`],
  ['blanks', ` t=${t} , v1=${sign('whsec_one')}`],
  ['five minutes old', `t=${t - 300},v1=${sign('whsec_one', t - 300)}`],
])('accepts %s', (_what, header) => {
  expect(check(header)).toBe('signed');
});

test('accepts both secrets during a replacement', () => {
  for (const secret of ['whsec_one', 'whsec_two']) {
    expect(check(`t=${t},v1=${sign(secret)}`, ['whsec_one', 'whsec_two'])).toBe('signed');
  }
});

test.each([
  ['nothing', ''],
  ['no time', `v1=${sign('whsec_one')}`],
  ['an invalid time', `t=now,v1=${sign('whsec_one')}`],
  ['no signature', `t=${t}`],
  ['another scheme alone', `t=${t},v0=${sign('whsec_one')}`],
  ['half a signature', `t=${t},v1=${sign('whsec_one').slice(0, 32)}`],
  ['another secret', `t=${t},v1=${sign('whsec_two')}`],
  ['another time than was signed', `t=${t - 1},v1=${sign('whsec_one')}`],
  ['too old', `t=${t - 301},v1=${sign('whsec_one', t - 301)}`],
  ['from the future', `t=${t + 301},v1=${sign('whsec_one', t + 301)}`],
])('refuses %s', (_what, header) => {
  expect(check(header)).toBe('refused');
});

test('refuses a body with one changed byte', () => {
  const other = Buffer.from('{"id":"evt_2"}');
  expect(check(`t=${t},v1=${sign('whsec_one')}`, ['whsec_one'], other)).toBe('refused');
});
