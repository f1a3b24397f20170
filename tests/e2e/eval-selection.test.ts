// `radar eval … --model` runs the enricher of the pipeline on a labelled file and states the cost.
// A second run costs nothing.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { modelKey, openModelServer } from '../../demo/upstream/model/open-model-server.ts';
import { runRadarCommand, temporaryDataDir } from '../support/radar-process.ts';

const server = await openModelServer({});
afterAll(() => server.close());
const dataDir = temporaryDataDir();
const items = join(dataDir, 'labelled.jsonl');
const rows = [
  [
    'atlas',
    true,
    'ai-models',
    'Halden Labs releases Atlas 3, a 70B open-weights model, at $2 per million tokens',
  ],
  [
    'deal',
    true,
    'industry',
    'Orrery raises $80 million from Northgate Capital at a $1.2 billion valuation',
  ],
  ['sale', false, 'ai-products', 'Save 30% on robot vacuums this weekend with this promo code'],
] as const;
await writeFile(
  items,
  rows
    .map(([id, selected, category, title]) => JSON.stringify({ id, selected, category, title }))
    .join('\n'),
);
await writeFile(join(dataDir, 'radar.config.json'), '{}');
const environment = {
  DATA_DIR: dataDir,
  RADAR_CONFIG: join(dataDir, 'radar.config.json'),
  MODEL_URL: server.url,
  MODEL_KEY: modelKey,
  MODEL_NAME: 'demo-editor',
};

async function evaluate(...args: readonly string[]) {
  const { code, out, err } = await runRadarCommand(
    ['eval', ...args, '--items', items, '--json'],
    environment,
  );
  expect([code, err.includes('radar:')]).toEqual([0, false]);
  return JSON.parse(out);
}

test('measures the selection without and with a model, and pays the model once', async () => {
  const withRules = await evaluate('selection', '--thresholds', '40,60');
  expect(withRules).toMatchObject({ model: null, requests: 0, items: 3, wanted: 2 });
  expect(withRules.thresholds.map(({ threshold }: { threshold: unknown }) => threshold)).toEqual([
    40,
    60,
    'standing',
  ]);
  const firstRun = await evaluate('selection', '--model');
  expect(firstRun).toMatchObject({ model: 'demo-editor', items: 3, fellBack: 0, cost: null });
  expect(firstRun.requests).toBe(server.billed.length);
  const secondRun = await evaluate('desk', '--model');
  expect(secondRun).toMatchObject({ requests: 0, tokens: 0, items: 3 });
  expect(secondRun.categories.length).toBeGreaterThan(0);
});

test('names the line of an invalid item', async () => {
  const invalidItems = join(dataDir, 'bad.jsonl');
  await writeFile(invalidItems, '{"id": 1}\n');
  const { code, err } = await runRadarCommand(
    ['eval', 'selection', '--items', invalidItems],
    environment,
  );
  expect([code, err]).toEqual([1, expect.stringContaining('Line 1 of the items: title:')]);
});
