import { expect, test } from 'vitest';
import { canonicalJson } from './canonical-json.ts';
import { canonicalText } from './canonical-text.ts';

function writeAll(text: string): { readonly written: string; readonly steps: number } {
  const steps = canonicalText(text);
  for (let count = 1; ; count += 1) {
    const { done, value } = steps.next();
    if (done) return { written: value, steps: count };
  }
}

test.each([
  '{}',
  ' [ ] ',
  '{"b":[1,2,{"d":4,"c":3}],"a":1}',
  ' { "b" : [ 1 , 2 , { "d" : [ ] , "c" : { } } , "x" , true ] , "a" : null } ',
  '{"10":1,"9":2,"\\u0061":3,"":4,"__proto__":5,"é":6,"\\ud83d\\ude80":7}',
  '{"a":1,"b":2,"a":{"c":3}}',
  '{"a":"\\u0041\\/\\n\\ud800","b":"a\\\\","c":"\\""}',
  '{"a":"\\/\\ud83d\\ude80\\ud83d\\ud83d\\ude80\\ude80🚀\\u0000\\u001F\\\\u0041"}',
  '{"a":[0.1,-1.5,7],"b":1.25,"c":-3}',
  '{"a":[0.0000001,123456789.123456789]}',
  '[[["a",1],[2,"b"]],false]',
  '7',
  '"a"',
])('equals the canonical JSON of the values: %s', (text) => {
  expect(writeAll(text).written).toBe(canonicalJson(JSON.parse(text)));
});

test.each([
  [
    '{"a":1.0,"b":[1e2,-0,12345678901234567890, 5]}',
    '{"a":R1.0,"b":[R1e2,R-0,R12345678901234567890,5]}',
  ],
  ['{"a":0.0000001,"b":"1e2"}', '{"a":R0.0000001,"b":"1e2"}'],
])('keeps the digits of numbers: %s', (text, expected) => {
  const marked = expected.replaceAll(/R([-\d.e]+)/g, '{"rawJSON":"$1"}');
  expect(writeAll(text).written).toBe(marked);
});

test('writes long lists and many members in steps', () => {
  const numbers = Array.from({ length: 100_000 }, (_, index) => index);
  const members = Object.fromEntries(numbers.map((number) => [`k${number % 9_999}`, number]));
  const escapes = JSON.stringify('🚀\n'.repeat(30_000)).replaceAll('🚀', '\\ud83d\\ude80');
  expect(writeAll(escapes).written).toBe(JSON.stringify(JSON.parse(escapes)));
  expect(writeAll(escapes).steps).toBeGreaterThan(3);
  for (const value of [
    numbers,
    numbers.map((number) => number / 8),
    members,
    { numbers, members },
  ]) {
    const { written, steps } = writeAll(JSON.stringify(value));
    expect(written).toBe(canonicalJson(value));
    expect(steps).toBeGreaterThan(3);
  }
});
