import { expect, test } from 'vitest';
import { testWorld } from '../../../../tests/support/test-world.ts';
import { buildReadModel } from '../../publication/read-model/build-read-model.ts';
import type { ApiContext } from '../context.ts';
import { handleSitemap, handleSitemapPart } from './sitemap.ts';

const { world, clock } = testWorld();
const now = clock.now();
const items = Array.from({ length: 25 }, (_, index) => ({
  id: `item-${index}`,
  title: `Item ${index}`,
  originalTitle: null,
  summary: null,
  sourceName: 'The Ledger',
  originalUrl: 'https://a.example/',
  publishedAt: null,
  discoveredAt: now - index,
  category: null,
  score: null,
  selected: true,
  reason: null,
  language: 'en',
  summaryBy: 'rules' as const,
  storyId: null,
  timelineAt: now - index,
}));
const model = await buildReadModel(1, items, now);
const site = { url: 'https://radar.example' };
const context = { world, site, publication: { readModel: () => model } } as unknown as ApiContext;
const request = (file = '') => ({ rawQuery: '', params: { file } });
const locationsIn = (bytes: Buffer) =>
  [...bytes.toString().matchAll(/<loc>(.*?)<\/loc>/g)].map(([, url]) => url);

test('splits a sitemap above the file limit into an index and its parts', () => {
  const sitemap = locationsIn(handleSitemap(context, request()).bytes);
  const parts = locationsIn(handleSitemap(context, request(), 10).bytes);
  expect(parts).toEqual([1, 2, 3, 4].map((part) => `https://radar.example/sitemap/${part}.xml`));
  const entries = [1, 2, 3, 4].flatMap((part) =>
    locationsIn(handleSitemapPart(context, request(`${part}.xml`), 10).bytes),
  );
  expect(entries).toEqual(sitemap);
  expect(sitemap).toContain('https://radar.example/items/item-24');
});

test('returns not_found for a missing part', () => {
  for (const file of ['0.xml', '5.xml', 'x.xml', '1', '01.xml']) {
    expect(() => handleSitemapPart(context, request(file), 10)).toThrow('no such part');
  }
});
