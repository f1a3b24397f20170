import { expect, test } from 'vitest';
import { withPreferredLanguage } from './preferred-language.ts';

test.each([
  ['keeps the address without a cookie', '/', undefined, '/'],
  ['adds the language of the cookie to a list', '/', 'language=zh', '/?language=zh'],
  ['keeps other parameters', '/hot?a=1', 'b=2; language=en; c=3', '/hot?a=1&language=en'],
  ['keeps the language of the address', '/?language=all', 'language=zh', '/?language=all'],
  ['keeps the address of an API request', '/api/v1/items', 'language=zh', '/api/v1/items'],
  ['ignores an unknown language', '/', 'language=fr', '/'],
  ['ignores a cookie with another name', '/', 'my-language=zh', '/'],
])('%s', (_name, url, cookie, expected) => {
  expect(withPreferredLanguage(url, cookie)).toBe(expected);
});
