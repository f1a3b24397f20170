// Tokens of markup, both well-formed and broken.
import { expect, test } from 'vitest';
import { readTokens } from './markup.ts';

const tokensOf = (source: string) => [...readTokens(source)];
const textToken = (value: string) => ({ kind: 'text', text: value });
const openToken = (
  name: string,
  attributes: readonly (readonly [string, string])[] = [],
  isSelfClosing = false,
) => ({ kind: 'open', name, attributes, isSelfClosing });
const closeToken = (name: string) => ({ kind: 'close', name });

test('reads elements, attributes with all forms of quotes, and text', () => {
  expect(tokensOf(`<a:b c="1" d='2' e=3 f>x</a:b><g/>`)).toEqual([
    openToken('a:b', [
      ['c', '1'],
      ['d', '2'],
      ['e', '3'],
      ['f', ''],
    ]),
    textToken('x'),
    closeToken('a:b'),
    openToken('g', [], true),
  ]);
});

test('reads declarations, comments, instructions and CDATA', () => {
  expect(tokensOf('<?xml v?><!DOCTYPE r [<!ENTITY a "b">]><!-- c --><![CDATA[<d>]]>')).toEqual([
    { kind: 'instruction', text: 'xml v?' },
    { kind: 'doctype', text: 'DOCTYPE r [<!ENTITY a "b">]' },
    { kind: 'comment', text: ' c ' },
    { kind: 'cdata', text: '<d>' },
  ]);
});

test.each([
  ['a < b', [textToken('a '), textToken('<'), textToken(' b')]],
  ['<3 x', [textToken('<'), textToken('3 x')]],
  ['<b then <i>', [textToken('<b then '), openToken('i')]],
  ['</a <b>', [closeToken('a'), openToken('b')]],
  [
    '<a b="c>d<e f="g">',
    [openToken('a', [['b', 'c']]), textToken('d'), openToken('e', [['f', 'g']])],
  ],
  ['<a b="c > d">', [openToken('a', [['b', 'c > d']])]],
  [
    '<a href=x" c=d>',
    [
      openToken('a', [
        ['href', 'x'],
        ['c', 'd'],
      ]),
    ],
  ],
  ['<a href=x/>', [openToken('a', [['href', 'x']], true)]],
  ['<a b', [{ kind: 'cut', text: '<a b' }]],
  ['<![CDATA[x', [{ kind: 'cdata', text: 'x' }]],
  ['<!-- x > y', [{ kind: 'comment', text: ' x ' }, textToken(' y')]],
  ['<!-->x', [{ kind: 'comment', text: '' }, textToken('x')]],
  ['< a>', [textToken('<'), textToken(' a>')]],
])('splits the malformed markup %s into tokens', (source, expected) => {
  expect(tokensOf(source)).toEqual(expected);
});

test('reads the content of raw elements as text', () => {
  const rawText = new Set(['script']);
  expect([...readTokens('<script>a<b></SCRIPT>c', { rawText })]).toEqual([
    openToken('script'),
    textToken('a<b>'),
    closeToken('SCRIPT'),
    textToken('c'),
  ]);
});
