// `radar eval stories --model` as an operator runs it: real processes, the demonstration's servers,
// and a data folder with the paid replies.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { modelKey, openModelServer } from '../../demo/upstream/model/open-model-server.ts';
import { buildWorld } from '../../demo/world/build-world.ts';
import { evalRows } from '../../demo/world/dump-items.ts';
import { runRadarCommand, temporaryDataDir } from '../support/radar-process.ts';

const folder = temporaryDataDir();
const server = await openModelServer();
afterAll(() => server.close());

test('sends at most one model request for five items, and pays once', async () => {
  const now = Date.parse('2026-09-24T08:00:00Z');
  const rows = evalRows(buildWorld({ seed: 3, now, items: undefined }), now).slice(-200);
  const [input, out] = [join(folder, 'items.jsonl'), join(folder, 'stories.jsonl')];
  writeFileSync(input, rows.map((row) => JSON.stringify(row)).join('\n'));
  const variables = {
    DATA_DIR: folder,
    MODEL_URL: server.url,
    MODEL_KEY: modelKey,
    MODEL_NAME: 'demo-editor',
    EMBEDDING_MODEL: 'demo-vectors',
  };
  const args = ['eval', 'stories', '--in', input, '--out', out, '--model'];
  const firstRun = await runRadarCommand(args, variables);
  expect(firstRun.code).toBe(0);
  // Generated items have event labels, so scores are printed too.
  expect(firstRun.out).toMatch(/^joins from +stories +precision +recall +F1 /);
  expect(readFileSync(out, 'utf8').trim().split('\n')).toHaveLength(rows.length);
  const [, requestCount] = /(\d+) model requests/.exec(firstRun.err) ?? [];
  expect(Number(requestCount)).toBeGreaterThan(0);
  expect(Number(requestCount)).toBeLessThanOrEqual(rows.length / 5);
  expect(firstRun.err).toContain('200 vectors');
  const paidReplies = server.billed.length;
  const secondRun = await runRadarCommand(args, variables);
  expect(secondRun.err).toBe(firstRun.err);
  expect(server.billed.length).toBe(paidReplies);
  const withoutModel = await runRadarCommand(args, { DATA_DIR: folder });
  expect(withoutModel.code).toBe(1);
  expect(withoutModel.err).toContain('No model is configured: set MODEL_URL');
});
