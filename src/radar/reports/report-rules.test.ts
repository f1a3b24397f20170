import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { z } from 'zod';
import { readReportRules, reportRulesSchema } from './report-rules.ts';

const folder = await mkdtemp(join(tmpdir(), 'reports-'));
afterAll(() => rm(folder, { recursive: true }));

async function readRules(json: string) {
  await writeFile(join(folder, 'reports.json'), json);
  return readReportRules(folder);
}

test('the project’s rules are valid', async () => {
  const rules = await readReportRules('editorial');
  expect(rules.daily.entries).toBeGreaterThan(0);
});

test('the published schema is the one that checks the rules', async () => {
  const path = 'editorial/schemas/reports.schema.json';
  const schema = z.toJSONSchema(reportRulesSchema, { io: 'input' });
  const report = JSON.parse(await readFile(path, 'utf8'));
  expect(report).toEqual({ ...schema, title: 'editorial/reports.json' });
});

test('names an invalid rule', async () => {
  const rules = await readReportRules('editorial');
  const { weekly, ...otherRules } = rules;
  await expect(readRules(JSON.stringify(otherRules))).rejects.toThrow('/reports.json: weekly');
  const misspelt = { ...rules, weekly: { ...weekly, entrys: 3 } };
  await expect(readRules(JSON.stringify(misspelt))).rejects.toThrow('entrys');
  await expect(readRules('{')).rejects.toThrow('/reports.json: not JSON');
});
