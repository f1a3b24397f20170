import { expect, test } from 'vitest';
import { findRepeatedMember } from './repeated-member.ts';

test.each([
  ['{"a":1,"a":2}', ['a']],
  [' { "a" : [ { "b" : 1 } , { "c" : "{" , "d" : 2 , "c" : 3 } ] } ', ['a', 1, 'c']],
  ['{"a":{"b":1},"b":{"a":1,"\\u0061":2}}', ['b', 'a']],
  ['[[],[1,{"":1,"":2}]]', [1, 1, '']],
  ['{"__proto__":1,"__proto__":2}', ['__proto__']],
])('finds the repeated member in %s', (text, path) => {
  expect(findRepeatedMember(text)).toEqual(path);
});

test.each([
  '{"a":"a","b":{"a":"b"},"c":["a","a",{"a":1},{"a":1}]}',
  '{"a":",\\"a\\":","b":"\\\\"}',
  '["a","a"]',
  '"a"',
  '7',
])('finds none in %s', (text) => {
  expect(findRepeatedMember(text)).toBeNull();
});
