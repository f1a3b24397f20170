// Pairs of reports, each labelled whether they contradict each other. `own.jsonl`, `own-2.jsonl`
// and `own-3.jsonl` were written beside the rules (the third tells without figures), `unseen.jsonl`
// from imagination after them, `stranger.jsonl` by somebody who had not read them,
// `stranger-2.jsonl` by another; all have since been learned from or worked on. `stranger-3.jsonl`
// was written by a third stranger and never read, but looked at as a figure while rules changed;
// `stranger-4.jsonl` by a fourth, never read. `own-4.jsonl` and `own-5.jsonl` were written to learn
// from and to look at, `stranger-5.jsonl` by the author of the latter and run once, at the end,
// since learned from; `stranger-6.jsonl` by another stranger, run once and never read. The
// levels are those reached (docs/decisions/0035-contradictions.md, 0041, 0045, 0047).
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
    ['own', 32, 0],
    ['own-2', 26, 0],
    ['own-3', 41, 6],
    ['own-4', 54, 1],
    ['own-5', 19, 0],
    ['unseen', 31, 0],
    ['stranger', 30, 0],
    ['stranger-2', 27, 0],
    ['stranger-3', 17, 0],
    ['stranger-4', 6, 1],
    ['stranger-5', 18, 0],
    ['stranger-6', 16, 3],
  ])('reach the recorded level in %s', (name, leastFound, mostInvented) => {
    const { found, invented } = scoreOf(name);
    expect(found).toBeGreaterThanOrEqual(leastFound);
    expect(invented).toBeLessThanOrEqual(mostInvented);
  });
});
