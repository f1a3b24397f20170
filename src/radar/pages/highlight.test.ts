import { expect, test } from 'vitest';
import { parseQuery } from '../publication/search/query.ts';
import { highlight } from './highlight.ts';

function markText(text: string, q: string): string {
  const parsed = parseQuery(q);
  return parsed.kind === 'query' ? highlight(text, parsed.query).text : parsed.kind;
}

test.each([
  ['a word at its start', 'A plant opens', 'pla', 'A <mark>pla</mark>nt opens'],
  ['no part inside of a word', 'Implants', 'plant', 'Implants'],
  ['Han anywhere', '奥勒里实验室开设工厂', '工厂', '奥勒里实验室开设<mark>工厂</mark>'],
  [
    'every part, in capitals or small letters',
    'Orrery PLANT',
    'plant orrery',
    '<mark>Orrery</mark> <mark>PLANT</mark>',
  ],
  ['overlapping parts once', '大模型', '大模 模型', '<mark>大模型</mark>'],
  ['escaped text around it', 'a <b> plant', 'plant', 'a &lt;b&gt; <mark>plant</mark>'],
])('marks %s', (_name, text, q, expected) => {
  expect(markText(text, q)).toBe(expected);
});
