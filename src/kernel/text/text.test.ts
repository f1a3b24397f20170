// Plain text from HTML, for any input in linear time.
import { describe, expect, test } from 'vitest';
import {
  decodeC1Controls,
  foldWhitespace,
  plainText,
  resolveEntities,
  stripControl,
} from './text.ts';

describe('plain text', () => {
  test.each([
    ['<p>Hello <b>w&ouml;rld</b></p><p>two<br>three</p>', 'Hello wörld\ntwo\nthree'],
    ['<ul><li>one</li><li>two</li></ul>', 'one\ntwo'],
    ['before<script>if (a<b) x("</p>")</script><style>p{}</style>after', 'beforeafter'],
    ['<nav>menu <nav>deeper</nav> menu</nav>text', 'text'],
    ['<head><title>no</title></head><body>yes</body>', 'yes'],
    ['a < b and c <d then <i>x</i>', 'a < b and c <d then x'],
    ['AT&T &amp;amp; &#8217; &#146; &nbsp;end', 'AT&T &amp; ’ ’ end'],
    ['plain\ntext   with\tspaces', 'plain text with spaces'],
    ['<a href="x>text</a> y', 'text y'],
    ['<a title="a > b">shown</a>', 'shown'],
    ['cut <a href="http://x.exam', 'cut'],
    ['cut x <b then', 'cut x <b then'],
    ['a<!-- <b>hidden</b> -->b', 'ab'],
    ['a<!-- never closed > b', 'a b'],
    ['<![CDATA[raw & <b>]]>', 'raw & <b>'],
    ['Cafe\u0301', 'Café'],
    ['null\u0000 bell\u0007 \ud800 half', 'null bell \ufffd half'],
    ['<div></div><br><br>', ''],
    ['', ''],
  ])('the text of %j is %j', (html, text) => {
    expect(plainText(html)).toBe(text);
  });

  test('keeps at most thirty combining marks', () => {
    // This run is longer than the stack of a backtracking regular expression allows.
    const text = stripControl(`a${'\u0315\u0300'.repeat(4_000_000)}b`);
    // One of the thirty marks combines with its letter.
    expect(text).toMatch(/^à\p{M}{29}b$/u);
  });

  test('reads deeply nested and broken markup to its end', () => {
    const count = 200_000;
    expect(plainText(`${'<div>'.repeat(count)}end`)).toBe('end');
    expect(plainText(`${'<a b="'.repeat(count)}end`).length).toBeLessThan(7 * count);
    expect(plainText(`${'<!--'.repeat(count)}>end`)).toBe('end');
    expect(plainText(`${'<'.repeat(count)}`)).toBe('<'.repeat(count));
    expect(plainText(`${'<nav>'.repeat(count)}end`)).toBe('');
  });

  test('limits a run of combining marks in linear time', () => {
    const text = plainText(`a${'\u0315\u0300'.repeat(200_000)}`);
    expect([...text].length).toBeLessThanOrEqual(31);
  });
});

test('joins white space of every kind to single spaces', () => {
  expect(foldWhitespace('\u00a0a \n\t\u200b b\u3000c ')).toBe('a b c');
  expect(foldWhitespace('in\u00advisi\u200bble')).toBe('invisible');
});

test('removes control characters and keeps line breaks and tabs', () => {
  expect(stripControl('a\r\nb\rc\u2028d\te\u0000\u007f\u009f\ufeff')).toBe('a\nb\nc\nd\te');
});

test('removes controls that reorder the visible text', () => {
  expect(stripControl('safe\u202egpj.exe\u202c \u2066a\u2069')).toBe('safegpj.exe a');
});

test('reads C1 controls as windows-1252 characters', () => {
  expect(decodeC1Controls('it\u0092s 5\u0080 \u0081')).toBe('it’s 5€ \u0081');
});

test('resolves references once', () => {
  expect(resolveEntities('&amp;lt; &eacute; &#x41; &bogus; &')).toBe('&lt; é A &bogus; &');
});
