import { describe, expect, test } from 'vitest';
import { type Hop, nextHop } from './redirects.ts';

const headers = {
  accept: 'text/html',
  'user-agent': 'radar',
  'if-none-match': '"1"',
  'content-type': 'application/json',
  authorization: 'Bearer s',
  cookie: 'a=b',
  'x-api-key': 'k',
};
const postHop: Hop = {
  url: new URL('https://example.com/a/b?c=d#part'),
  method: 'POST',
  headers,
  body: '{}',
};
const followRedirect = (hop: Hop, status: number, location: string) => {
  const next = nextHop(hop, status, location);
  if (next.kind !== 'redirect') throw new Error(next.kind);
  return { ...next.hop, url: next.hop.url.href };
};

describe('method and body', () => {
  test.each<readonly [number, Hop['method'], Hop['method'], string | null]>([
    [301, 'GET', 'GET', '{}'],
    [301, 'HEAD', 'HEAD', '{}'],
    [301, 'POST', 'GET', null],
    [302, 'POST', 'GET', null],
    [303, 'POST', 'GET', null],
    [303, 'HEAD', 'HEAD', '{}'],
    [307, 'POST', 'POST', '{}'],
    [308, 'POST', 'POST', '{}'],
  ])('%i on %s continues as %s with body %j', (status, method, becomes, body) => {
    const hop = followRedirect({ ...postHop, method }, status, '/x');
    expect([hop.method, hop.body]).toEqual([becomes, body]);
    expect('content-type' in hop.headers).toBe(body !== null);
  });
});

describe('headers', () => {
  test('are all sent to the same origin', () => {
    expect(followRedirect(postHop, 308, '/x').headers).toEqual(headers);
  });

  test.each([
    'https://other.example/',
    'https://www.example.com/',
    'http://example.com/',
    'https://example.com:8443/',
    '//other.example/x',
  ])('that could be secret are not sent to %s', (location) => {
    expect(followRedirect(postHop, 308, location).headers).toEqual({
      accept: 'text/html',
      'user-agent': 'radar',
      'if-none-match': '"1"',
      'content-type': 'application/json',
    });
  });
});

describe('the target', () => {
  test.each([
    ['/x', 'https://example.com/x#part'],
    ['x?y', 'https://example.com/a/x?y#part'],
    ['?y', 'https://example.com/a/b?y#part'],
    ['', 'https://example.com/a/b?c=d#part'],
    ['#other', 'https://example.com/a/b?c=d#other'],
    ['//h.example/x', 'https://h.example/x#part'],
    ['http:/x', 'http://x/#part'],
    [Buffer.from('/新闻').toString('latin1'), 'https://example.com/%E6%96%B0%E9%97%BB#part'],
    [Buffer.from('/caf\xe9', 'latin1').toString('latin1'), 'https://example.com/caf%C3%A9#part'],
    [' /x ', 'https://example.com/x#part'],
  ])('%j leads to %s', (location, url) => {
    expect(followRedirect(postHop, 302, location).url).toBe(url);
  });

  test.each([
    ['http://[bad', 'the redirect names no URL'],
    ['http://', 'the redirect names no URL'],
    ['ftp://example.com/', 'the redirect leads to ftp:'],
    ['file:///etc/passwd', 'the redirect leads to file:'],
    ['javascript:alert(1)', 'the redirect leads to javascript:'],
    ['https://u:p@example.com/', 'the redirect carries credentials'],
    ['https://u@example.com/', 'the redirect carries credentials'],
  ])('%s is refused', (location, message) => {
    expect(nextHop(postHop, 302, location)).toEqual({ kind: 'refused', message });
  });

  test.each([200, 201, 204, 300, 304, 305, 306, 400, 410, 503])(
    'with the status %i is not followed',
    (status) => {
      expect(nextHop(postHop, status, '/x')).toEqual({ kind: 'no_redirect' });
    },
  );

  test('is not followed without a Location header', () => {
    expect(nextHop(postHop, 301, undefined)).toEqual({ kind: 'no_redirect' });
  });
});
