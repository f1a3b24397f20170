import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import type { Enricher } from '../enricher.ts';
import { evaluateEnricher, isHeldOut, runEnricherEvaluation } from './evaluate-enricher.ts';

/** An enricher that takes the category from the title. */
const enricher: Enricher = {
  version: 'test',
  enrich: ({ title }) => ({
    title,
    originalTitle: null,
    summary: null,
    category: title === '' ? null : title,
    score: 0,
    isWorthy: false,
    reason: null,
    summaryBy: 'rules',
  }),
};

const ids = Array.from({ length: 40 }, (_, index) => `i${index}`);
const [tuning, heldOut] = [ids.filter((id) => !isHeldOut(id)), ids.filter(isHeldOut)];

test('an id belongs permanently to one half', () => {
  expect(tuning.slice(0, 4)).toMatchInlineSnapshot(`
    [
      "i0",
      "i1",
      "i2",
      "i3",
    ]
  `);
  expect(heldOut.slice(0, 4)).toMatchInlineSnapshot(`
    [
      "i6",
      "i10",
      "i11",
      "i12",
    ]
  `);
});

test('counts both halves by category', () => {
  const labels = ids.map((id) => ({ id, category: 'a' }));
  const items = ids.map((id) => ({ id, title: id === tuning[0] ? 'b' : 'a' }));
  const right = tuning.length - 1;
  expect(evaluateEnricher(labels, items, enricher)).toEqual({
    tuning: {
      count: tuning.length,
      correct: right,
      accuracy: right / tuning.length,
      byCategory: [
        { category: 'a', labelled: tuning.length, given: right, correct: right },
        { category: 'b', labelled: 0, given: 1, correct: 0 },
      ],
    },
    heldOut: {
      count: heldOut.length,
      correct: heldOut.length,
      accuracy: 1,
      byCategory: [
        {
          category: 'a',
          labelled: heldOut.length,
          given: heldOut.length,
          correct: heldOut.length,
        },
      ],
    },
    unmatched: { labels: 0, items: 0 },
  });
});

test('reports labels without an item and items without a label, and scores neither', () => {
  const labels = [
    { id: 'i0', category: 'a' },
    { id: 'gone', category: 'a' },
  ];
  const items = [
    { id: 'i0', title: '' },
    { id: 'new', title: 'a' },
  ];
  const report = evaluateEnricher(labels, items, enricher);
  expect(report.unmatched).toEqual({ labels: 1, items: 1 });
  expect(report.tuning.count + report.heldOut.count).toBe(1);
  expect(report.tuning.correct + report.heldOut.correct).toBe(0);
});

test('turns two files into a report and its output lines', () => {
  const linesOf = (...rows: object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  const [tuningExample, other] = [tuning[0], heldOut[0]];
  const labels = linesOf({ id: tuningExample, category: 'a' }, { id: other, category: 'a' });
  const items = linesOf({ id: tuningExample, title: 'a', lang: 'en' }, { id: other, title: 'b' });
  expect(runEnricherEvaluation({ labels, items }, enricher).text.split('\n')).toEqual([
    'desk test',
    'tuning half: 1 of 1 right, accuracy 1.000',
    '  a: 1 labelled, 1 given, 1 right',
    'held-out half: 0 of 1 right, accuracy 0.000',
    '  a: 1 labelled, 0 given, 0 right',
    '  b: 0 labelled, 1 given, 0 right',
  ]);
});

test('the labels hold ids and known categories, no text, each id once', async () => {
  const editorial = new URL('../../../../editorial/', import.meta.url);
  const readEditorialFile = async (name: string) => readFile(new URL(name, editorial), 'utf8');
  const ids = JSON.parse(await readEditorialFile('categories.json')).map(
    (category: { id: string }) => category.id,
  );
  const rows = (await readEditorialFile('labels/ai-news.jsonl'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(rows).toHaveLength(443);
  expect(new Set(rows.map(({ id }) => id)).size).toBe(443);
  for (const row of rows) {
    expect(Object.keys(row)).toEqual(['id', 'category']);
    expect(ids).toContain(row.category);
  }
});
