import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { parseCatalogue, sourcesJsonSchema } from './source-catalogue.ts';

function editorial(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`../../../editorial/${name}`, import.meta.url), 'utf8'));
}

describe('editorial/sources.json', () => {
  const { sources, problems } = parseCatalogue(editorial('sources.json'));

  it('has no problem, and at least forty sources of both languages and every fetched kind', () => {
    expect(problems).toEqual([]);
    expect(sources.length).toBeGreaterThanOrEqual(40);
    const kinds = new Set(sources.map(({ kind }) => kind));
    expect([...kinds].sort()).toEqual(['feed', 'json-list', 'web-list']);
    const languages = new Set(sources.map(({ language }) => language.slice(0, 2)));
    expect([...languages].sort()).toEqual(['en', 'zh']);
  });

  it('marks no address as verified, repeats no address and allows no private host', () => {
    const addresses = sources.flatMap((source) =>
      source.kind === 'push' ? [] : [source.settings.url],
    );
    expect(new Set(addresses).size).toBe(addresses.length);
    for (const source of sources) {
      expect(source.verified).toBe(false);
      expect(source.privateHosts).toBeUndefined();
    }
    expect(addresses.every((address) => address.startsWith('https://'))).toBe(true);
  });

  it('matches its generated JSON schema', () => {
    expect(editorial('schemas/sources.schema.json')).toEqual(sourcesJsonSchema());
  });
});

describe('the JSON schema', () => {
  const ajv = new Ajv2020({ strict: false });
  formats.default(ajv);
  const isValid = ajv.compile(sourcesJsonSchema());

  it('accepts the catalogue and refuses an unknown setting', () => {
    const catalogue = editorial('sources.json') as { sources: object[] };
    expect(isValid(catalogue)).toBe(true);
    const [first, ...otherSources] = catalogue.sources;
    expect(isValid({ sources: [{ ...first, colour: 'red' }, ...otherSources] })).toBe(false);
  });
});

describe('a catalogue with errors', () => {
  const validSource = {
    id: 'a',
    name: 'A',
    kind: 'feed',
    owner: 'A',
    tier: 'T1',
    language: 'en',
    intervalMinutes: 60,
    participation: 'editorial',
    settings: { url: 'https://a.example/feed' },
  };

  it('reports each error with its row and keeps the other rows', () => {
    const rows = [
      validSource,
      validSource,
      { ...validSource, id: 'b', tier: 'T9' },
      { ...validSource, id: 'c', x: 1 },
    ];
    expect(parseCatalogue({ sources: rows, extra: 1 })).toEqual({
      sources: [validSource],
      problems: [
        'extra: unknown setting',
        'sources[1] (a): id: used by an earlier source',
        expect.stringMatching(/^sources\[2\] \(b\): tier: /),
        'sources[3] (c): x: unknown setting of a feed source',
      ],
    });
  });
});
