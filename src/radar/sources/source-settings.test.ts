import { describe, expect, it } from 'vitest';
import { parseSourceDefinition } from './source-settings.ts';

const commonFields = {
  id: 'lab-blog',
  name: 'Lab blog',
  owner: 'Lab',
  tier: 'T1',
  language: 'en',
  intervalMinutes: 60,
  participation: 'editorial',
};
const webList = {
  ...commonFields,
  kind: 'web-list',
  settings: { url: 'https://lab.example/blog', item: 'article', link: 'a', date: 'time' },
};

function problemsOf(json: unknown): readonly string[] {
  const parsed = parseSourceDefinition(json);
  return parsed.kind === 'invalid' ? parsed.problems : [];
}

describe('a source definition', () => {
  it.each([
    { ...commonFields, kind: 'feed', settings: { url: 'https://lab.example/feed' } },
    webList,
    {
      ...commonFields,
      kind: 'json-list',
      settings: {
        url: 'https://a.example/x',
        items: '$',
        title: 't',
        urlTemplate: 'https://b.example/{id}',
      },
    },
    { ...commonFields, kind: 'push', settings: {} },
  ])('of kind $kind is accepted unchanged', (json) => {
    expect(parseSourceDefinition(json)).toEqual({ kind: 'source', source: json });
  });

  it("reports each unknown setting with the source's kind", () => {
    const settings = { ...webList.settings, itme: '.x', detail: { dat: '.y' } };
    expect(problemsOf({ ...webList, settings, teir: 'T1' })).toEqual([
      'settings.detail.dat: unknown setting of a web-list source',
      'settings.itme: unknown setting of a web-list source',
      'teir: unknown setting of a web-list source',
    ]);
    expect(
      problemsOf({ ...commonFields, kind: 'push', settings: { url: 'https://x.example/' } }),
    ).toEqual(['settings.url: unknown setting of a push source']);
  });

  it('reports an invalid selector, path or template', () => {
    const invalidSource = { ...webList, settings: { ...webList.settings, title: 'h2[' } };
    expect(problemsOf(invalidSource)[0]).toMatch(/^settings\.title: is not a CSS selector: "h2\["/);
    const json = {
      ...commonFields,
      kind: 'json-list',
      settings: {
        url: 'https://a.example/x',
        items: 'a..b',
        title: 't',
        urlTemplate: 'https://b.example/',
      },
    };
    expect(problemsOf(json)).toEqual([
      'settings.items: is not a path: "a..b" (write data.items or authors[0].name)',
      'settings.urlTemplate: names no value of the item: write https://x.example/{id}',
    ]);
  });

  it('requires exactly one of link and template', () => {
    const settings = { url: 'https://a.example/x', items: '$', title: 't' };
    const twoLinkSettings = { ...settings, link: 'u', urlTemplate: 'https://b.example/{id}' };
    const expected = ['settings.link: give either link or urlTemplate'];
    expect(problemsOf({ ...commonFields, kind: 'json-list', settings })).toEqual(expected);
    expect(problemsOf({ ...commonFields, kind: 'json-list', settings: twoLinkSettings })).toEqual(
      expected,
    );
  });

  it('refuses unknown kinds, addresses and ids', () => {
    expect(problemsOf({ ...commonFields, kind: 'rss', settings: {} })).toEqual([
      'kind: must be one of feed, web-list, json-list, push',
    ]);
    const feed = { ...commonFields, kind: 'feed', settings: { url: 'file:///etc/passwd' } };
    expect(problemsOf(feed)).toEqual(['settings.url: must be an absolute http or https address']);
    expect(problemsOf({ ...webList, id: 'Lab Blog' })).toEqual([
      'id: must be lower-case words joined by hyphens',
    ]);
    expect(problemsOf(null).length).toBe(1);
  });
});
