import { expect, test } from 'vitest';
import {
  measureSelection,
  parseLabelledRows,
  parseLabels,
  requireKnownCategories,
} from './evaluate-selection.ts';

test('computes precision, recall and accuracy at each threshold and at the configured ones', () => {
  const rows = [
    { wanted: true, score: 80, tier: 'T1' },
    { wanted: true, score: 55, tier: 'T2' },
    { wanted: false, score: 60, tier: 'T2' },
    { wanted: false, score: 20, tier: 'T1_5' },
  ] as const;
  expect(measureSelection(rows, [50, 70, 90], { T1: 53, T1_5: 51, T2: 58 })).toEqual({
    items: 4,
    wanted: 2,
    thresholds: [
      { threshold: 50, chosen: 3, right: 2, precision: 2 / 3, recall: 1, accuracy: 0.75 },
      { threshold: 70, chosen: 1, right: 1, precision: 1, recall: 0.5, accuracy: 0.75 },
      { threshold: 90, chosen: 0, right: 0, precision: null, recall: 0, accuracy: 0.5 },
      { threshold: 'standing', chosen: 2, right: 1, precision: 0.5, recall: 0.5, accuracy: 0.5 },
    ],
  });
});

test('reads a labelled line with defaults for absent fields', () => {
  const text = '{"id": 7, "title": "Halden opens Atlas", "selected": true}\n\n';
  expect(parseLabelledRows(text)).toEqual([
    {
      id: '7',
      at: null,
      category: null,
      selected: true,
      input: {
        title: 'Halden opens Atlas',
        text: '',
        summary: '',
        url: '',
        language: 'en',
        source: { name: '', tier: 'T2', participation: 'editorial' },
      },
    },
  ]);
});

test.each([
  ['{"id": 1}', 'Line 1 of the items: title: '],
  ['{"id": 1, "title": "x"}\n{', 'Line 2 of the items: it is not JSON.'],
  ['{"id": 1, "title": "x", "time": "soon"}', 'Line 1 of the items: "soon" is not a time.'],
  ['{"id": 1, "title": "x", "source": {"tier": "T3"}}', 'Line 1 of the items: source.tier: '],
])('reports the line of the error in %s', (text, message) => {
  expect(() => parseLabelledRows(text)).toThrow(message);
});

test('refuses labels with unknown categories, and names the first ones', () => {
  const labels = parseLabels('{"id": 7, "category": "tip"}\n{"id": "b", "category": "tipp"}\n');
  expect(() => requireKnownCategories(labels, ['tip', 'tipp'])).not.toThrow();
  expect(() => requireKnownCategories(labels, ['tip', 'paper'])).toThrow(
    'Unknown categories: item b has "tipp". Categories: tip, paper.',
  );
  const wrongLabels = Array.from({ length: 7 }, (_, id) => ({ id: String(id), category: 'x' }));
  expect(() => requireKnownCategories(wrongLabels, ['tip'])).toThrow('has "x" and 2 more.');
});

test('names the invalid line of a file with labels', () => {
  expect(() => parseLabels('{"id": 7, "category": "tip"}\n{"id": 8}')).toThrow(
    'Line 2 of the labels: category:',
  );
  expect(() => parseLabels('tip')).toThrow('Line 1 of the labels: it is not JSON.');
});
