import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { editorialFiles, editorialJsonSchema } from './editorial-files.ts';
import { checkReferences, parseEditorialFile, readEditorial } from './read-editorial.ts';

const folder = fileURLToPath(new URL('../../../editorial', import.meta.url));
const editorial = await readEditorial(folder);

test('our own folder is whole', () => {
  expect(editorial.categories.map((c) => c.id)).toEqual([
    'ai-models',
    'ai-products',
    'industry',
    'paper',
    'tip',
    'opinion',
  ]);
});

test('an unknown key is an error that names it and its file', () => {
  const text = JSON.stringify({ ...editorial.scoring, bonus: 3 });
  expect(() =>
    parseEditorialFile('enrichment/scoring.json', text, 'mine/enrichment/scoring.json'),
  ).toThrow('mine/enrichment/scoring.json: Unrecognized key: "bonus"');
});

test('a wrong value is named by its place', () => {
  const text = JSON.stringify({ ...editorial.scoring, bare: 'much' });
  expect(() =>
    parseEditorialFile('enrichment/scoring.json', text, 'mine/enrichment/scoring.json'),
  ).toThrow(/scoring\.json: bare: .*number/);
});

test('a pattern that is no regular expression is an error', () => {
  const text = JSON.stringify({ broken: { in: 'title', patterns: ['(unclosed'] } });
  expect(() =>
    parseEditorialFile('enrichment/features.json', text, 'mine/enrichment/features.json'),
  ).toThrow('mine/enrichment/features.json: broken.patterns.0: not a regular expression');
});

test('what is not JSON is said to be none', () => {
  expect(() =>
    parseEditorialFile('enrichment/names.json', '["Orrery"', 'mine/enrichment/names.json'),
  ).toThrow('mine/enrichment/names.json: not JSON');
});

const pathOf = (name: string) => `mine/${name}`;

test('a feature or category that nobody defines is an error', () => {
  const { scoring, reasons } = editorial;
  const misspelt = { ...scoring, features: { ...scoring.features, fundng: 3 } };
  expect(() => checkReferences({ ...editorial, scoring: misspelt }, pathOf)).toThrow(
    'mine/enrichment/scoring.json: unknown "fundng"',
  );
  const text = { en: 'Gossip', 'zh-CN': '八卦' };
  const subjects = [...reasons.subjects, { category: 'gossip', text }];
  expect(() =>
    checkReferences({ ...editorial, reasons: { ...reasons, subjects } }, pathOf),
  ).toThrow('mine/enrichment/reasons.json: unknown "gossip"');
});

test('what is wrong is named by the file that was read, not by one of its name', async () => {
  const own = mkdtempSync(join(tmpdir(), 'editorial-'));
  try {
    writeFileSync(join(own, 'base.json'), JSON.stringify({ folder }));
    writeFileSync(join(own, 'categories.json'), '{}');
    await expect(readEditorial(own)).rejects.toThrow(`${own}/categories.json: `);
    const [first, second] = editorial.categories;
    const others = [first, { ...second, id: 'plants' }];
    writeFileSync(join(own, 'categories.json'), JSON.stringify(others));
    const message = `${folder}/enrichment/weights.json: unknown "ai-products"`;
    await expect(readEditorial(own)).rejects.toThrow(message);
  } finally {
    rmSync(own, { recursive: true });
  }
});

test('a folder that is not there is an error', async () => {
  await expect(readEditorial('/nowhere')).rejects.toThrow('cannot be read');
});

test.each(Object.keys(editorialFiles) as (keyof typeof editorialFiles)[])(
  'the schema of %s is the one that checks it',
  async (name) => {
    const { file, schema } = editorialJsonSchema(name);
    expect(JSON.parse(await readFile(`${folder}/${file}`, 'utf8'))).toEqual(schema);
  },
);
