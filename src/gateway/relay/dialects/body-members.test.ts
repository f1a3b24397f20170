import fc from 'fast-check';
import { expect, test } from 'vitest';
import { editMembers, readMembers } from './body-members.ts';

const memberNames = (text: string) => readMembers(text).map(({ name }) => name);

test('finds the members of an object, with escapes and nested values', () => {
  expect(memberNames('{}')).toEqual([]);
  expect(
    memberNames(' { "a" : {"b":[1,"}]"]} ,"mod\\u0065l":"x\\\\","c":-1.50e+2 , "d":null}'),
  ).toEqual(['a', 'model', 'c', 'd']);
});

test('finds the end of long numbers and of nested values with long white space', () => {
  const [number, space] = ['1'.repeat(100), ' '.repeat(100)];
  const text = `{"a":${number}${space},"b":[${space}${number},[${number}]${space}]${space},"c":1}`;
  const values = readMembers(text).map(({ valueStart, valueEnd }) =>
    text.slice(valueStart, valueEnd),
  );
  expect(values).toEqual([number, `[${space}${number},[${number}]${space}]`, '1']);
});

test.each(['{"a":[1', '{"a":"b', '{"a', '{"a":', '[1,2]', '', '{"a":]}'])('ends at %s', (text) => {
  expect(readMembers(text).length).toBeLessThanOrEqual(1);
});

test('refuses a duplicate member, also with an escaped name', () => {
  expect(() => readMembers('{"model":"a","mod\\u0065l":"b"}')).toThrow(
    'The field "model" occurs twice.',
  );
});

test.each([
  ['{"a":1,"b":2,"c":3}', '{"a":1,"c":3}'],
  ['{"a":1, "b" : [1, 2] }', '{"a":1 }'],
  ['{ "b":2 }', '{  }'],
  ['{"b":2,"a":1}', '{"a":1}'],
])('removes a member of %s', (text, expected) => {
  expect(editMembers(text, readMembers(text), { values: {}, removed: ['b'] })).toBe(expected);
});

test('replaces a value and preserves every other character', () => {
  const text = '{\n  "n": 1.50, "model" : "here" , "x":{"model":"y"}\n}\n';
  expect(editMembers(text, readMembers(text), { values: { model: '"there"' }, removed: [] })).toBe(
    '{\n  "n": 1.50, "model" : "there" , "x":{"model":"y"}\n}\n',
  );
});

test('adds an absent member at the end', () => {
  const edits = { values: { store: 'false' }, removed: ['a'] };
  expect(editMembers('{"a":1}', readMembers('{"a":1}'), edits)).toBe('{"store":false}');
  expect(editMembers('{"b":1}', readMembers('{"b":1}'), edits)).toBe('{"b":1,"store":false}');
});

test('an edit of the text gives the same object as an edit of the parsed value', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.string(), fc.jsonValue()),
      fc.constantFrom(undefined, 1, '\t'),
      fc.jsonValue(),
      (object, indent, value) => {
        const { max_charge: _removed, ...otherMembers } = { ...object, max_charge: '1' };
        const text = JSON.stringify({ ...object, max_charge: '1' }, null, indent);
        const edits = { values: { model: JSON.stringify(value) }, removed: ['max_charge'] };
        const editedText = editMembers(text, readMembers(text), edits);
        expect(JSON.parse(editedText)).toEqual(
          JSON.parse(JSON.stringify({ ...otherMembers, model: value })),
        );
      },
    ),
  );
});
