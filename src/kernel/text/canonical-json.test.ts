import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson } from './canonical-json.ts';

test('canonicalizes the example of RFC 8785, 3.2.2', () => {
  const value = JSON.parse(String.raw`{
    "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
    "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
    "literals": [null, true, false]
  }`);
  expect(canonicalJson(value)).toBe(
    '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
      String.raw`"string":"€$\u000f\nA'B\"\\\\\"/"}`,
  );
});

test('sorts members by code units: RFC 8785, 3.2.3', () => {
  const names = ['\u20ac', '\r', '\ufb33', '1', '\u{1f600}', '\u0080', '\u00f6'];
  const value = Object.fromEntries(names.map((name) => [name, 0]));
  const sorted = ['\r', '1', '\u0080', '\u00f6', '\u20ac', '\u{1f600}', '\ufb33'];
  expect(Object.keys(JSON.parse(canonicalJson(value))).sort()).toEqual([...sorted].sort());
  expect(canonicalJson(value)).toBe(
    `{${sorted.map((name) => `${JSON.stringify(name)}:0`).join(',')}}`,
  );
});

test('parses to the same value and does not depend on the order of members', () => {
  const reverseKeys = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(reverseKeys);
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).map(([name, inner]) => [name, reverseKeys(inner)]);
    return Object.fromEntries(entries.toReversed());
  };
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = canonicalJson(value);
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      expect(canonicalJson(reverseKeys(JSON.parse(text)))).toBe(text);
    }),
    { seed: 42 },
  );
});
