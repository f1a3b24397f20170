// `radar eval` runs components of the radar on a user's files. Its output has a documented shape.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { runRadarCommand } from '../support/radar-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'radar-eval-'));
afterAll(() => rmSync(folder, { recursive: true }));
const run = (...args: string[]) =>
  runRadarCommand(['eval', ...args], { DATA_DIR: join(folder, 'data') });

function writeInput(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

test('article prints title, text, time and language of a page', async () => {
  const paragraphs = [
    'The harbour of Halden will be closed to cars from the first of May, the council decided.',
    'Shops had asked for a year of trial, and most of them now say that sales went up.',
  ];
  const page = writeInput(
    'page.html',
    `<html lang="en"><head><title>Harbour closes to cars | Halden Post</title>
<meta property="article:published_time" content="2026-04-02T07:30:00+02:00"></head>
<body><nav><a href="/">Home</a> <a href="/sport">Sport</a></nav><article>
<h1>Harbour closes to cars</h1>${paragraphs.map((text) => `<p>${text}</p>`).join('')}</article>
<footer>Subscribe to our newsletter</footer></body></html>`,
  );
  const { code, out, err } = await run('article', page, '--url', 'https://post.example/harbour');
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(JSON.parse(out)).toEqual({
    title: 'Harbour closes to cars',
    text: paragraphs.join('\n'),
    publishedAt: '2026-04-02T05:30:00.000Z',
    language: 'en',
  });
});

test('`eval desk` prints the accuracy of both halves, the half used for tuning first', async () => {
  const rows = Array.from({ length: 20 }, (_, index) => ({ id: `n${index}`, title: `A ${index}` }));
  const lines = (allRows: readonly object[]) =>
    allRows.map((row) => JSON.stringify(row)).join('\n');
  const items = writeInput('items.jsonl', lines(rows));
  const labels = writeInput('labels.jsonl', lines(rows.map(({ id }) => ({ id, category: 'tip' }))));
  const { code, out } = await run('desk', '--items', items, '--labels', labels);
  expect(code).toBe(0);
  const halfRows = [
    ...out.matchAll(/^(tuning|held-out) half: (\d+) of (\d+) right, accuracy [01]\.\d{3}$/gm),
  ];
  expect(halfRows.map(([, name]) => name)).toEqual(['tuning', 'held-out']);
  expect(halfRows.reduce((sum, [, , , count]) => sum + Number(count), 0)).toBe(20);
});

test('`eval desk` refuses a category that the rules do not have', async () => {
  const rows = [{ id: 'a', title: 'Halden closes its harbour to cars', category: 'harbours' }];
  const items = writeInput('labelled.jsonl', rows.map((row) => JSON.stringify(row)).join('\n'));
  const { code, out, err } = await run('desk', '--items', items);
  expect({ code, out }).toEqual({ code: 1, out: '' });
  expect(err).toContain('Unknown categories: item a has "harbours". Categories: ai-models,');
  const labels = writeInput('wrong.jsonl', '{"id": "a", "category": "harbours"}');
  const withLabels = await run('desk', '--items', items, '--labels', labels);
  expect(withLabels.err).toContain('item a has "harbours"');
});

test('texts prints a line for each text of the stories, and a table of faults', async () => {
  const report = (id: string, owner: string) => ({
    id,
    owner,
    source: owner,
    time: '2026-04-02T07:30:00Z',
    title: 'Halden closes its harbour to cars',
    text: 'Halden closed its harbour to cars on 1 May. The council decided so on Thursday.',
  });
  const reports = [report('a', 'Halden Post'), report('b', 'The Wire')];
  const stories = writeInput('stories.jsonl', JSON.stringify({ id: 's', lang: 'en', reports }));
  const { code, out, err } = await run('texts', '--in', stories);
  expect(code).toBe(0);
  const lines = out.trimEnd().split('\n');
  const texts = lines.map((line) => JSON.parse(line) as { id: string; kind: string });
  expect(texts.map(({ id, kind }) => `${id} ${kind}`)).toEqual(
    expect.arrayContaining(['a item_title', 'b item_title', 's story_title', 's digest']),
  );
  expect(err).toMatch(/^story_title +1 /m);
});

test.each([
  [
    'a missing file',
    ['article', '/nowhere.html', '--url', 'https://post.example/'],
    '/nowhere.html cannot be read',
  ],
  [
    'an invalid address',
    ['article', '/nowhere.html', '--url', 'post'],
    'post is not an http or https address',
  ],
  ['no address', ['article', '/nowhere.html'], "required option '--url <url>' not specified"],
  ['no items', ['desk'], "required option '--items <file>' not specified"],
])('%s reports its error and fails', async (_name, args, message) => {
  const { code, out, err } = await run(...args);
  expect(code).toBe(1);
  expect(out).toBe('');
  expect(err).toContain(message);
});
