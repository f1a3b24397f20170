// What a reading tells is kept as codes, said in the language of the page, and never in English on
// a Chinese one but for values that came from outside.
import { expect, test } from 'vitest';
import { parseSourceDefinition } from '../source-settings.ts';
import { note, readNotes, sayNote, within } from './fetch-warning.ts';
import { type NoteCode, noteWords } from './warning-messages.ts';

const codes = Object.keys(noteWords.en) as NoteCode[];
/** Words of ours that are names in any language. */
const names = /JSON Feed|JSON|HTTP|TLS|XML|CSS|robots\.txt|windows-1252/g;

test.each(codes)('%s is said in Chinese', (code) => {
  const said = sayNote(note(code, '1', '2', '3', '4'), 'zh-CN').replace(names, '');
  expect(said === '' ? code : said).toMatch(/^[^a-zA-Z]+$|^page$/);
});

test.each(['dns', 'connect', 'tls', 'timeout', 'too_large', 'redirects', 'address_refused'])(
  'a request that fails as %s is said without the words of the system',
  (reason) => {
    const one = note('net', reason, 'GET http://a.example/: connect ECONNREFUSED');
    expect(sayNote(one, 'en')).toBe('GET http://a.example/: connect ECONNREFUSED');
    expect(sayNote(one, 'zh-CN').replace(names, '')).toMatch(/^\P{Script=Latin}+$/u);
  },
);

test('a note within another is said whole', () => {
  const one = within('page', note('status', '503'));
  expect(sayNote(one, 'en')).toBe('page of an entry: the server answered 503');
  expect(sayNote(one, 'zh-CN')).toBe('某条内容的页面：服务器的回答是 503');
});

test('one entry and two are left', () => {
  expect(sayNote(note('left', '1'), 'en')).toBe('1 entry left for next time');
  expect(sayNote(note('left', '2'), 'en')).toBe('2 entries left for next time');
});

test('notes are read as they were stored, without what this version does not know', () => {
  const stored = [{ code: 'status', values: ['500'] }, { code: 'toString', values: [] }, 7, null];
  expect(readNotes(stored)).toEqual([note('status', '500')]);
  expect(readNotes(null)).toEqual([]);
});

test('what is wrong with settings is said in Chinese, at its setting', () => {
  const json = {
    ...{ id: 'A b', kind: 'web-list', name: '', owner: 'x'.repeat(121), tier: 'T9' },
    ...{ language: 'english', intervalMinutes: 1, participation: 'editorial' },
    settings: { url: 'ftp://x', item: 'li[', itme: 'x' },
  };
  const parsed = parseSourceDefinition(json, 'zh-CN');
  expect(parsed).toEqual({
    kind: 'invalid',
    problems: [
      'id: 须为小写单词，以连字符相连',
      'name: 不能为空',
      'owner: 最多 120 个字符',
      'tier: 须为 T1、T1_5、T2 之一',
      'language: 须为 BCP 47 语言标签，如 en 或 zh-CN',
      'intervalMinutes: 不能小于 5',
      'settings.url: 须为完整的 http 或 https 地址',
      'settings.item: 不是 CSS 选择器："li["',
      'settings.itme: 这种来源没有这项设置',
    ],
  });
});
