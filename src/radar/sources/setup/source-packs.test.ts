import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { readEditorial } from '../../enrichment/read-editorial.ts';
import { packsJsonSchema, readPacks } from './source-packs.ts';

const packs = await readPacks('editorial');

it('has a pack for each documented subject', () => {
  expect(packs.map(({ id }) => id)).toEqual([
    'ai',
    'ai-zh',
    'finance',
    'open-source',
    'science',
    'security',
  ]);
});

it('names a public document at a fixed version for every address, and repeats no address', () => {
  for (const { id, sources } of packs) {
    const urls = sources.map(
      ({ definition }) => definition.kind !== 'push' && definition.settings.url,
    );
    expect([id, new Set(urls).size]).toEqual([id, sources.length]);
    expect(new Set(sources.map(({ definition }) => definition.id)).size).toBe(sources.length);
    for (const { definition, seenIn } of sources) {
      expect([definition.id, seenIn]).toEqual([
        definition.id,
        expect.stringMatching(/^https:\/\/github\.com\/[\w.-]+\/[\w.-]+\/blob\/[0-9a-f]{40}\//),
      ]);
      expect(definition.privateHosts).toBeUndefined();
    }
  }
});

it('has category hints that exist in its editorial folder', async () => {
  for (const pack of packs) {
    const { categories } = await readEditorial(`editorial/${pack.editorial}`);
    const categoryIds = categories.map(({ id }) => id);
    const hints = pack.sources.map(({ definition }) => definition.categoryHint);
    expect([pack.id, hints.filter((hint) => !categoryIds.includes(hint ?? ''))]).toEqual([
      pack.id,
      [],
    ]);
  }
});

it('matches its generated JSON schema', () => {
  const stored = readFileSync('editorial/schemas/packs.schema.json', 'utf8');
  expect(JSON.parse(stored)).toEqual(packsJsonSchema());
});
