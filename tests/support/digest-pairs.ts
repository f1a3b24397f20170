// Labelled pairs of reports (`tests/corpus/digest/*.jsonl`) as the digest reads them.
import type { DigestReport } from '../../src/radar/publication/digest/digest.ts';

type Side = {
  readonly language: string;
  readonly title: string;
  readonly text: string;
  /** Named in the sets written by strangers. */
  readonly source?: string;
  readonly at?: string;
};
type Row = {
  readonly id: string;
  readonly label: 'contradiction' | 'none';
  /** What the pair is about, with the values that contradict each other where there are any. */
  readonly note?: string;
  readonly a: Side;
  readonly b: Side;
};

export type LabelledPair = {
  readonly id: string;
  readonly isContrary: boolean;
  readonly note: string | null;
  readonly reports: readonly DigestReport[];
};

const usualAt = Date.parse('2026-11-18T08:00:00Z');

/** `text` holds one pair a line. */
export function readPairs(text: string): readonly LabelledPair[] {
  const rows = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Row);
  return rows.map(({ id, label, note = null, a, b }) => {
    const isContrary = label === 'contradiction';
    return { id, isContrary, note, reports: [a, b].map(reportOf) };
  });
}

function reportOf(side: Side, index: number): DigestReport {
  const { language, title, text, source = `Source ${index}` } = side;
  const at = side.at === undefined ? usualAt + index * 6 * 3_600_000 : Date.parse(side.at);
  return {
    ...{ id: `r${index}`, owner: `owner ${index}`, sourceName: source, isFirstParty: false },
    ...{ tier: 'T2', summary: null, language, title, text, at },
  };
}
