import { expect, test } from 'vitest';
import { withPreferredLanguage } from './preferred-language.ts';

test.each([
  ['without a cookie the address stays', '/', undefined, '/'],
  ['a list follows the cookie', '/', 'language=zh', '/?language=zh'],
  ['other parameters stay', '/hot?a=1', 'b=2; language=en; c=3', '/hot?a=1&language=en'],
  ['the address wins', '/?language=all', 'language=zh', '/?language=all'],
  ['the API has no such filter', '/api/v1/items', 'language=zh', '/api/v1/items'],
  ['an unknown language is ignored', '/', 'language=fr', '/'],
  ['a cookie of another name is ignored', '/', 'my-language=zh', '/'],
])('the chosen language: %s', (_name, url, cookie, expected) => {
  expect(withPreferredLanguage(url, cookie)).toBe(expected);
});
