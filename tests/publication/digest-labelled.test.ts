// Pairs of reports, each labelled whether they contradict each other. `own.jsonl`, `own-2.jsonl`
// and `own-3.jsonl` were written beside the rules (the third tells without figures), `unseen.jsonl`
// from imagination after them, `stranger.jsonl` by somebody who had not read them,
// `stranger-2.jsonl` by another; all have since been learned from or worked on. `stranger-3.jsonl`
// was written by a third stranger and never read, but looked at as a figure while rules changed;
// `stranger-4.jsonl` by a fourth, and run once. The levels are those reached
// (docs/decisions/0035-contradictions.md, 0041).
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { claimsOf } from '../../src/radar/publication/digest/claims-of.ts';
import { writeDigest } from '../../src/radar/publication/digest/write-digest.ts';
import { type LabelledPair, readPairs } from '../support/digest-pairs.ts';

function contradicts(pair: LabelledPair): boolean {
  const reports = pair.reports.map((report) => ({ ...report, claims: claimsOf(report) }));
  const digest = writeDigest(reports, { siteLanguage: 'en', previous: null });
  return (digest?.contradictions.length ?? 0) > 0;
}

function scoreOf(name: string): { readonly found: number; readonly invented: number } {
  const path = new URL(`../corpus/digest/${name}.jsonl`, import.meta.url);
  const said = readPairs(readFileSync(path, 'utf8')).filter(contradicts);
  const found = said.filter((pair) => pair.isContrary).length;
  return { found, invented: said.length - found };
}

describe('contradictions in labelled pairs', () => {
  it.each([
    ['own', 33, 1],
    ['own-2', 27, 1],
    ['own-3', 39, 3],
    ['unseen', 29, 0],
    ['stranger', 34, 0],
    ['stranger-2', 32, 0],
    ['stranger-3', 14, 5],
    ['stranger-4', 7, 0],
  ])('reach the recorded level in %s', (name, leastFound, mostInvented) => {
    const { found, invented } = scoreOf(name);
    expect(found).toBeGreaterThanOrEqual(leastFound);
    expect(invented).toBeLessThanOrEqual(mostInvented);
  });
});
