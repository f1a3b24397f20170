// Fetch warnings are stored as codes and formatted in the page's language. A Chinese page shows
// English only in values from outside.
import { expect, test } from 'vitest';
import { parseSourceDefinition } from '../source-settings.ts';
import {
  fetchWarning,
  formatAttempt,
  formatWarning,
  nestWarning,
  parseStoredWarnings,
} from './fetch-warning.ts';
import { type WarningCode, warningMessages } from './warning-messages.ts';

const codes = Object.keys(warningMessages.en) as WarningCode[];
/** Names that are the same in every language. */
const names =
  /\w+\.privateHosts|radar\.config\.json|JSON( Feed)?|HTTP|TLS|XML|CSS|robots\.txt|windows-1252/g;

test.each(codes)('%s is formatted in Chinese', (code) => {
  const text = formatWarning(fetchWarning(code, '1', '2', '3', '4'), 'zh-CN').replace(names, '');
  expect(text === '' ? code : text).toMatch(/^[^a-zA-Z]+$|^page$/);
});

test.each(['dns', 'connect', 'tls', 'timeout', 'too_large', 'redirects', 'address_refused'])(
  "a request that fails as %s is formatted without the system's error text",
  (reason) => {
    const warning = fetchWarning('net', reason, 'GET http://a.example/: connect ECONNREFUSED');
    expect(formatWarning(warning, 'en')).toMatch(
      /^GET http:\/\/a\.example\/: connect ECONNREFUSED/,
    );
    expect(formatWarning(warning, 'zh-CN').replace(names, '')).toMatch(/^\P{Script=Latin}+$/u);
  },
);

test('a refused private address names the setting that allows it', () => {
  const warning = fetchWarning('net', 'address_refused', 'GET http://10.0.0.1/: private use');
  for (const language of ['en', 'zh-CN'] as const) {
    expect(formatWarning(warning, language)).toContain('network.privateHosts');
    expect(formatWarning(fetchWarning('net', 'dns', 'x'), language)).not.toContain('privateHosts');
  }
});

test('a nested warning is formatted completely', () => {
  const warning = nestWarning('page', fetchWarning('status', '503'));
  expect(formatWarning(warning, 'en')).toBe('page of an entry: the server answered 503');
  expect(formatWarning(warning, 'zh-CN')).toBe('某条内容的页面：服务器返回 503');
});

test('uses the singular for one deferred entry', () => {
  expect(formatWarning(fetchWarning('left', '1'), 'en')).toBe('1 entry waits for the next fetch');
  expect(formatWarning(fetchWarning('left', '2'), 'en')).toBe('2 entries wait for the next fetch');
});

test('skips stored warnings with unknown codes', () => {
  const storedWarnings = [
    { code: 'status', values: ['500'] },
    { code: 'toString', values: [] },
    7,
    null,
  ];
  expect(parseStoredWarnings(storedWarnings)).toEqual([fetchWarning('status', '500')]);
  expect(parseStoredWarnings(null)).toEqual([]);
});

test("formats invalid settings in Chinese, with the setting's name", () => {
  const json = {
    id: 'A b',
    kind: 'web-list',
    name: '',
    owner: 'x'.repeat(121),
    tier: 'T9',
    language: 'english',
    intervalMinutes: 1,
    participation: 'editorial',
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

test('an attempt names its address once', () => {
  const url = 'https://halden.example/feed';
  const attempt = (...values: readonly string[]) => ({
    url,
    warning: fetchWarning('net', ...values),
  });
  const tooLarge = attempt('too_large', `GET ${url}: more than 4194304 bytes`);
  expect(formatAttempt(tooLarge, 'en')).toBe(`${url}: more than 4194304 bytes`);
  expect(formatAttempt(tooLarge, 'zh-CN')).toBe(`${url}：响应太大，没有读完`);
  const loop = `GET ${url} → ${url}/b → ${url}: the redirects form a loop`;
  expect(formatAttempt(attempt('redirects', loop), 'en')).toBe(loop);
});
