import { expect, test } from 'vitest';
import { negotiateCoding } from './negotiate-coding.ts';

test.each([
  [undefined, 'identity'],
  ['', 'identity'],
  ['gzip', 'gzip'],
  ['br', 'br'],
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip;q=1.0, br;q=0.5', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['GZIP', 'gzip'],
  ['x-gzip', 'gzip'],
  ['deflate', 'identity'],
  ['*', 'br'],
  ['*;q=0', 'identity'],
  ['br;q=0, *', 'gzip'],
  ['identity;q=1, gzip;q=0.5', 'identity'],
  ['gzip;q=nonsense', 'identity'],
  [';;;,,,', 'identity'],
])('the header %s selects %s', (header, coding) => expect(negotiateCoding(header)).toBe(coding));
