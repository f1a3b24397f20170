// Tokens of markup, both well-formed and broken.
import { expect, test } from 'vitest';
import { tokens } from './markup.ts';

const tokensOf = (source: string) => [...tokens(source)];
const text = (value: string) => ({ kind: 'text', text: value });
const open = (
  name: string,
  attributes: readonly (readonly [string, string])[] = [],
  isSelfClosing = false,
) => ({ kind: 'open', name, attributes, isSelfClosing });
const close = (name: string) => ({ kind: 'close', name });

test('reads elements, attributes in every quoting, and text between them', () => {
  expect(tokensOf(`<a:b c="1" d='2' e=3 f>x</a:b><g/>`)).toEqual([
    open('a:b', [
      ['c', '1'],
      ['d', '2'],
      ['e', '3'],
      ['f', ''],
    ]),
    text('x'),
    close('a:b'),
    open('g', [], true),
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
  ['a < b', [text('a '), text('<'), text(' b')]],
  ['<3 x', [text('<'), text('3 x')]],
  ['<b then <i>', [text('<b then '), open('i')]],
  ['</a <b>', [close('a'), open('b')]],
  ['<a b="c>d<e f="g">', [open('a', [['b', 'c']]), text('d'), open('e', [['f', 'g']])]],
  ['<a b="c > d">', [open('a', [['b', 'c > d']])]],
  [
    '<a href=x" c=d>',
    [
      open('a', [
        ['href', 'x'],
        ['c', 'd'],
      ]),
    ],
  ],
  ['<a href=x/>', [open('a', [['href', 'x']], true)]],
  ['<a b', [{ kind: 'cut', text: '<a b' }]],
  ['<![CDATA[x', [{ kind: 'cdata', text: 'x' }]],
  ['<!-- x > y', [{ kind: 'comment', text: ' x ' }, text(' y')]],
  ['<!-->x', [{ kind: 'comment', text: '' }, text('x')]],
  ['< a>', [text('<'), text(' a>')]],
])('preserves %s', (source, expected) => {
  expect(tokensOf(source)).toEqual(expected);
});

test('reads the content of raw elements as text', () => {
  const rawText = new Set(['script']);
  expect([...tokens('<script>a<b></SCRIPT>c', { rawText })]).toEqual([
    open('script'),
    text('a<b>'),
    close('SCRIPT'),
    text('c'),
  ]);
});
