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

test("the project's folder is valid", () => {
  expect(editorial.categories.map(({ id }) => id)).toEqual([
    'ai-models',
    'ai-products',
    'industry',
    'paper',
    'tip',
    'opinion',
  ]);
});

test('reports an unknown key with its file', () => {
  const text = JSON.stringify({ ...editorial.scoring, bonus: 3 });
  expect(() =>
    parseEditorialFile('enrichment/scoring.json', text, 'mine/enrichment/scoring.json'),
  ).toThrow('mine/enrichment/scoring.json: Unrecognized key: "bonus"');
});

test('reports the path of an invalid value', () => {
  const text = JSON.stringify({ ...editorial.scoring, bare: 'much' });
  expect(() =>
    parseEditorialFile('enrichment/scoring.json', text, 'mine/enrichment/scoring.json'),
  ).toThrow(/scoring\.json: bare: .*number/);
});

test('refuses an invalid regular expression', () => {
  const text = JSON.stringify({ broken: { in: 'title', patterns: ['(unclosed'] } });
  expect(() =>
    parseEditorialFile('enrichment/features.json', text, 'mine/enrichment/features.json'),
  ).toThrow('mine/enrichment/features.json: broken.patterns.0: not a regular expression');
});

test('reports a file that is not JSON', () => {
  expect(() =>
    parseEditorialFile('enrichment/names.json', '["Orrery"', 'mine/enrichment/names.json'),
  ).toThrow('mine/enrichment/names.json: not JSON');
});

const pathOf = (name: string) => `mine/${name}`;

test('refuses an undefined feature or category', () => {
  const { scoring, reasons } = editorial;
  const misspelt = { ...scoring, features: { ...scoring.features, fundng: 3 } };
  expect(() => checkReferences({ ...editorial, scoring: misspelt }, pathOf)).toThrow(
    'mine/enrichment/scoring.json: unknown feature or category "fundng"',
  );
  const text = { en: 'Gossip', 'zh-CN': '八卦' };
  const subjects = [...reasons.subjects, { category: 'gossip', text }];
  expect(() =>
    checkReferences({ ...editorial, reasons: { ...reasons, subjects } }, pathOf),
  ).toThrow('mine/enrichment/reasons.json: unknown feature or category "gossip"');
});

test('an error names the folder that the file was read from, own or base folder', async () => {
  const customFolder = mkdtempSync(join(tmpdir(), 'editorial-'));
  try {
    writeFileSync(join(customFolder, 'base.json'), JSON.stringify({ folder }));
    writeFileSync(join(customFolder, 'categories.json'), '{}');
    await expect(readEditorial(customFolder)).rejects.toThrow(`${customFolder}/categories.json: `);
    const [first, second] = editorial.categories;
    const changedCategories = [first, { ...second, id: 'plants' }];
    writeFileSync(join(customFolder, 'categories.json'), JSON.stringify(changedCategories));
    const message = `${folder}/enrichment/weights.json: unknown feature or category "ai-products"`;
    await expect(readEditorial(customFolder)).rejects.toThrow(message);
  } finally {
    rmSync(customFolder, { recursive: true });
  }
});

test('refuses a missing folder', async () => {
  await expect(readEditorial('/nowhere')).rejects.toThrow('cannot be read');
});

test.each(Object.keys(editorialFiles) as (keyof typeof editorialFiles)[])(
  'the published schema of %s equals the schema that validates it',
  async (name) => {
    const { file, schema } = editorialJsonSchema(name);
    expect(JSON.parse(await readFile(`${folder}/${file}`, 'utf8'))).toEqual(schema);
  },
);
