import { describe, expect, test } from 'vitest';
import { openClientResolver } from '../client-address/client-address.ts';
import { Fault } from '../errors/fault.ts';
import { openMetricsAccess } from './metrics-access.ts';

const token = 'a-token-of-the-operator';
const clients = openClientResolver({ trustProxy: ['192.0.2.1'] });
const ruleWithToken = { allow: ['10.0.0.0/8', '2001:db8::/32'], token, clients };

describe('access to the metrics', () => {
  const isAllowed = openMetricsAccess(ruleWithToken);
  test.each([
    ['127.0.0.1', {}, true],
    ['::1', {}, true],
    ['::ffff:127.0.0.1', {}, true],
    ['10.1.2.3', {}, true],
    ['::ffff:10.1.2.3', {}, true],
    ['2001:db8::7', {}, true],
    ['203.0.113.7', {}, false],
    ['127.0.0.1', { host: 'localhost:4000' }, true],
    ['127.0.0.1', { host: '127.0.0.1:4000' }, true],
    ['::1', { host: '[::1]:4000' }, true],
    ['127.0.0.1', { host: 'evil.example' }, false],
    ['127.0.0.1', { host: '127.0.0.1.evil.example:4000' }, false],
    [undefined, {}, false],
    ['127.0.0.1', { 'x-forwarded-for': '203.0.113.7' }, false],
    ['127.0.0.1', { 'x-forwarded-for': '10.1.1.1' }, false],
    ['127.0.0.1', { forwarded: 'for=10.1.1.1' }, false],
    ['127.0.0.1', { 'x-real-ip': '10.1.1.1' }, false],
    ['127.0.0.1', { 'x-forwarded-for': '' }, false],
    ['10.1.2.3', { 'x-forwarded-for': '10.1.1.1' }, false],
    ['192.0.2.1', {}, false],
    ['192.0.2.1', { 'x-forwarded-for': '10.1.1.1' }, true],
    ['192.0.2.1', { 'x-forwarded-for': '10.1.1.1, 203.0.113.7' }, false],
    ['192.0.2.1', { 'x-forwarded-for': '203.0.113.7', forwarded: 'for=10.1.1.1' }, false],
    ['192.0.2.1', { 'x-forwarded-for': '127.0.0.1' }, false],
    ['203.0.113.7', { authorization: `Bearer ${token}` }, true],
    ['203.0.113.7', { authorization: `bearer  ${token}` }, true],
    ['203.0.113.7', { authorization: `Bearer ${token}x` }, false],
    ['203.0.113.7', { authorization: `Bearer ${token.slice(1)}` }, false],
    ['203.0.113.7', { authorization: 'Bearer ' }, false],
    ['203.0.113.7', { authorization: `Basic ${token}` }, false],
    ['203.0.113.7', { authorization: `Bearer ${token}`, 'x-forwarded-for': 'x' }, true],
  ])('%s with %j: %s', (remoteAddress, headers, expected) => {
    expect(isAllowed({ socket: { remoteAddress }, headers })).toBe(expected);
  });
});

test('refuses every token, also an empty one, when no token is configured', () => {
  const isAllowed = openMetricsAccess({ ...ruleWithToken, token: undefined });
  for (const authorization of ['Bearer ', 'Bearer undefined', `Bearer ${token}`]) {
    const request = { socket: { remoteAddress: '203.0.113.7' }, headers: { authorization } };
    expect(isAllowed(request)).toBe(false);
  }
});

test('a Fault names an invalid network', () => {
  const open = () => openMetricsAccess({ ...ruleWithToken, allow: ['intranet'] });
  expect(open).toThrow(Fault);
  expect(open).toThrow('metrics.allow: "intranet"');
});
