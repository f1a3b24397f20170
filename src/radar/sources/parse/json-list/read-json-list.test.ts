import { describe, expect, it } from 'vitest';
import { fetchWarning } from '../../fetch/fetch-warning.ts';
import type { JsonListSettings } from '../../source-settings.ts';
import { fillTemplate, pathProblem, templateProblem, valueAt } from './json-path.ts';
import { readJsonList } from './read-json-list.ts';

const context = {
  url: 'https://api.example/v1/list',
  now: Date.parse('2026-08-23T04:00:00Z'),
  language: 'en',
};
const base: JsonListSettings = {
  url: context.url,
  items: 'data.items',
  id: 'paper.id',
  title: 'paper.title',
  urlTemplate: 'https://hub.example/papers/{paper.id}',
};

function readList(document: unknown, settings: Partial<JsonListSettings> = {}) {
  return readJsonList(JSON.stringify(document), { ...base, ...settings }, context);
}

const item = (id: string | number, otherFields: object = {}) => ({
  paper: { id, title: ` T ${id} ` },
  ...otherFields,
});

describe('a list in a JSON document', () => {
  it('yields one entry per item, in order, each address once', () => {
    const document = {
      data: {
        items: [
          item('a/b c', { at: 1_787_390_000, by: [{ n: 'Ada' }, { n: 'Bo' }], s: 'Sum' }),
          item(7),
          item(7),
        ],
      },
    };
    const settings = {
      date: 'at',
      dateFormat: 'epoch-s',
      author: 'by[1].n',
      summary: 's',
    } as const;
    expect(readList(document, settings)).toEqual({
      kind: 'read',
      feed: {
        format: 'json-list',
        title: null,
        entries: [
          {
            id: 'a/b c',
            url: 'https://hub.example/papers/a/b%20c',
            title: 'T a/b c',
            summary: 'Sum',
            content: null,
            author: 'Bo',
            publishedAt: '2026-08-22T09:13:20.000Z',
            updatedAt: null,
            language: null,
          },
          {
            id: '7',
            url: 'https://hub.example/papers/7',
            title: 'T 7',
            summary: null,
            content: null,
            author: null,
            publishedAt: null,
            updatedAt: null,
            language: null,
          },
        ],
        warnings: [],
      },
    });
  });

  it('reads a top-level array and resolves relative addresses', () => {
    const { urlTemplate: _, id: __, ...otherSettings } = base;
    const settings = { ...otherSettings, items: '$', title: 't', link: 'href' };
    const outcome = readJsonList('[{"t":"A","href":"/a"}]', settings, context);
    expect(outcome.kind === 'read' && outcome.feed.entries.map((entry) => entry.url)).toEqual([
      'https://api.example/a',
    ]);
  });

  it.each([
    ['iso', '2026-08-22T10:30:00+08:00', '2026-08-22T02:30:00.000Z'],
    ['iso', '2026-08-22 10:30:00', '2026-08-22T10:30:00.000Z'],
    ['epoch-s', 1_787_390_000, '2026-08-22T09:13:20.000Z'],
    ['epoch-s', '1787390000', '2026-08-22T09:13:20.000Z'],
    ['epoch-ms', 1_787_390_000_123, '2026-08-22T09:13:20.123Z'],
  ] as const)('reads a date as %s: %s', (dateFormat, at, expected) => {
    const outcome = readList({ data: { items: [item(1, { at })] } }, { date: 'at', dateFormat });
    expect(outcome.kind === 'read' && outcome.feed.entries[0]?.publishedAt).toBe(expected);
  });
});

describe('a document that does not fit', () => {
  it('reports the path and the value found there', () => {
    expect(readList({ data: {} })).toEqual({
      kind: 'failed',
      warning: fetchWarning('json-no-list', 'settings.items', 'data.items', 'missing'),
    });
    expect(readList({ data: { items: {} } })).toEqual({
      kind: 'failed',
      warning: fetchWarning('json-no-list', 'settings.items', 'data.items', 'an object'),
    });
    expect(readList({ data: { items: [{ paper: { title: 'x' } }] } })).toEqual({
      kind: 'failed',
      warning: fetchWarning('json-some', 'settings.urlTemplate', 'paper.id', 'missing'),
    });
  });

  it('reports milliseconds configured as seconds instead of the year 58611', () => {
    const document = { data: { items: [item(1, { at: 1_787_390_000_123 })] } };
    const outcome = readList(document, { date: 'at', dateFormat: 'epoch-s' });
    expect(outcome.kind === 'read' && outcome.feed.warnings).toEqual([
      fetchWarning('json-date', 'settings.date', 'at', '1787390000123', 'epoch-s'),
    ]);
  });

  it('fails when it is not JSON', () => {
    const outcome = readJsonList('<html>', base, context);
    expect(outcome.kind === 'failed' && outcome.warning.code).toBe('json-none');
  });

  it('is an empty list when the list is empty', () => {
    const outcome = readList({ data: { items: [] } });
    expect(outcome.kind === 'read' && outcome.feed.entries).toEqual([]);
  });
});

describe('paths', () => {
  it('reach members, array positions and unusual names, but nothing inherited', () => {
    const document = { a: [{ 'b c': 1, d: { e: 2 } }] };
    expect(valueAt(document, 'a[0].d.e')).toBe(2);
    expect(valueAt(document, '$.a[0]["b c"]')).toBe(1);
    expect(valueAt(document, 'a.length')).toBe(1);
    expect(valueAt(document, 'constructor.name')).toBeUndefined();
    expect(valueAt(document, 'a[1].d')).toBeUndefined();
  });

  it('are refused with a reason when they are invalid', () => {
    expect(pathProblem('a..b')?.en).toMatch(/is not a path/);
    expect(pathProblem('')?.en).toMatch(/is not a path/);
    expect(pathProblem('a[b]')?.en).toMatch(/is not a path/);
    expect(pathProblem('a[0].b')).toBeNull();
    expect(templateProblem('https://x.example/all')?.en).toMatch(/names no value/);
    expect(templateProblem('{host}/x')?.en).toMatch(/must begin with/);
    expect(templateProblem('https://{id}.example/')?.en).toMatch(/must begin with/);
    expect(templateProblem('https://x.example/{a.b}')).toBeNull();
  });

  it("cannot move a template's address to another host", () => {
    expect(fillTemplate('https://x.example/{id}', { id: '?#@evil.example' })).toEqual({
      kind: 'url',
      url: 'https://x.example/%3F%23%40evil.example',
    });
  });
});
