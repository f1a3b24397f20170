import { expect, test } from 'vitest';
import { findJsonExcess } from './json-limits.ts';

const limits = { members: 2, entries: 3, depth: 2 };
const long = ' '.repeat(100);

test.each([
  ['{"a":1,"b":[]}', null],
  ['{"a":":,{[","b":"\\\\"}', null],
  [`[${long}1${long},${'9'.repeat(100)},3,4${long}]`, null],
  ['{"a":1,"b":2,"c":3}', 'members'],
  [`{"a"${long}:${long}1,"b":{"c":1}}`, 'members'],
  ['[1,2,3,4,5]', 'entries'],
  [`[1${long},2,${'9'.repeat(100)},4,${long}5]`, 'entries'],
  ['[[1],[[2]]]', 'depth'],
  [`[${long}[${long}[`, 'depth'],
  ['"[[[', null],
  [long, null],
])('%s exceeds %s', (text, excess) => {
  expect(findJsonExcess(text, limits)).toBe(excess);
});
