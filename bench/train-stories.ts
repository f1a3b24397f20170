// Trains the story engine's only trained number, `sameFrom`, and scores it by cross-validation.
// A plain baseline is trained in the same way. `--help` lists the uses.
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { openEngine } from '../src/radar/stories/clustering/engine.ts';
import type { StoryItem } from '../src/radar/stories/clustering/story-item.ts';
import type { StoryRules } from '../src/radar/stories/rules/open-rules.ts';
import { readStoryRules } from '../src/radar/stories/rules/read-story-rules.ts';
import { candidateRecall } from './candidate-recall.ts';
import { assignClusters, mergeByAverageLink } from './plain-stories.ts';
import { type Rate, type Score, scoreAssignment } from './score-stories.ts';
import { confidenceInterval, sampleScores } from './story-intervals.ts';

const help = `Trains and scores the story engine on labelled sets:
  bin/node24 bench/train-stories.ts [--leave-one-out | --candidates] <folder or file> …

Each line of a file is { id, time, lang, title, text?, source?, cluster }. Files with the same
prefix are one corpus.

  (no flag)        the best value of sameFrom for all corpora
  --leave-one-out  scores of each corpus, with the value of sameFrom that is best for the mean of
                   all other corpora; the interval is a bootstrap over events
  --candidates     the share of pairs of one event in which the search finds one report as a
                   candidate of the other; goal: .95 on the set in two languages`;

export type LabelledItem = StoryItem & { readonly cluster: string };

export async function readLabelled(path: string): Promise<readonly LabelledItem[]> {
  const lines = (await readFile(path, 'utf8')).split('\n').filter(Boolean);
  return lines.map((line) => {
    const row = JSON.parse(line) as Record<string, string | null>;
    return {
      id: String(row.id),
      timeMs: row.time === null || row.time === undefined ? null : Date.parse(row.time),
      lang: String(row.lang),
      title: String(row.title),
      ...(typeof row.text === 'string' && { text: row.text }),
      ...(typeof row.source === 'string' && { source: row.source }),
      cluster: String(row.cluster),
    };
  });
}

type AssignedRow = { readonly cluster: string; readonly story: string };

type Method = {
  readonly name: string;
  readonly thresholds: readonly number[];
  /** The items of the set with their stories, by threshold. */
  assign(items: readonly LabelledItem[]): readonly (readonly AssignedRow[])[];
};

const listSteps = (from: number, to: number, step: number) =>
  Array.from({ length: Math.round((to - from) / step) + 1 }, (_, index) =>
    Number((from + index * step).toFixed(4)),
  );

const plainMethod: Method = {
  name: 'plain baseline',
  thresholds: listSteps(0.02, 0.6, 0.01),
  assign(items) {
    const merges = mergeByAverageLink(items);
    return this.thresholds.map((threshold) => {
      const clusters = assignClusters(merges, items.length, threshold);
      return items.map(({ cluster }, index) => ({ cluster, story: String(clusters[index]) }));
    });
  },
};

const engineMethod = (rules: StoryRules): Method => ({
  name: 'story engine',
  thresholds: listSteps(0, 0.08, 0.01),
  assign(items) {
    // Only the last pass depends on the threshold, so the items are added once for all thresholds.
    const settings = { ...rules.settings };
    const engine = openEngine({ ...rules, settings });
    for (const item of items) engine.restore(item, item.id);
    return this.thresholds.map((threshold) => {
      settings.sameFrom = threshold;
      engine.recluster();
      const stories = new Map(engine.assigned().map(({ id, story }) => [id, story]));
      return items.map(({ id, cluster }) => ({ cluster, story: stories.get(id) ?? id }));
    });
  },
});

const computeMean = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
const averageF1 = ({ bcubed, pairwise }: Score) => (bcubed.f1 + pairwise.f1) / 2;

type ScoredSet = {
  readonly name: string;
  readonly assigned: readonly (readonly AssignedRow[])[];
  readonly scores: readonly Score[];
};
type Corpus = readonly ScoredSet[];

/** Index of the best threshold for the mean of the corpora. */
function findBestThreshold(corpora: readonly Corpus[]): number {
  const count = corpora[0]?.[0]?.scores.length ?? 0;
  const means = Array.from({ length: count }, (_, index) =>
    computeMean(corpora.map((sets) => scoreCorpus(sets, index))),
  );
  return means.indexOf(Math.max(...means));
}

const scoreCorpus = (sets: Corpus, thresholdIndex: number) =>
  computeMean(
    sets.map(({ scores }) =>
      scores[thresholdIndex] === undefined ? 0 : averageF1(scores[thresholdIndex]),
    ),
  );

const averageSamples = (lists: readonly (readonly number[])[]) =>
  (lists[0] ?? []).map((_, index) => computeMean(lists.map((list) => list[index] ?? 0)));

const formatRate = ({ precision, recall, f1 }: Rate) =>
  [precision, recall, f1].map((value) => value.toFixed(3)).join(' / ');

function printLeaveOneOut(
  { name, thresholds }: Method,
  corpora: ReadonlyMap<string, Corpus>,
): void {
  console.log(`\n| ${name} | learned | BCubed P / R / F1 | pairwise P / R / F1 |`);
  console.log('|---|---:|---|---|');
  const means: number[] = [];
  const samples: (readonly number[])[] = [];
  for (const [excludedCorpus, sets] of corpora) {
    const thresholdIndex = findBestThreshold(
      [...corpora].flatMap(([corpus, corpusSets]) =>
        corpus === excludedCorpus ? [] : [corpusSets],
      ),
    );
    means.push(scoreCorpus(sets, thresholdIndex));
    samples.push(
      averageSamples(sets.map(({ assigned }) => sampleScores(assigned[thresholdIndex] ?? [], 1))),
    );
    for (const set of sets) {
      const score = set.scores[thresholdIndex];
      if (score === undefined) continue;
      const { bcubed, pairwise } = score;
      console.log(
        `| ${set.name} | ${thresholds[thresholdIndex]} | ${formatRate(bcubed)} ` +
          `| ${formatRate(pairwise)} |`,
      );
    }
  }
  const [low, high] = confidenceInterval(averageSamples(samples)).map((value) => value.toFixed(4));
  const mean = computeMean(means).toFixed(4);
  console.log(`| mean of the corpora, of both F1 | | ${mean} | 95 %: ${low} to ${high} |`);
}

const setNameOf = (path: string) => path.replace(/^.*\//u, '').replace(/\.jsonl$/u, '');
/** `og2021-en` and `og2021-es` are one corpus; `ecob-en` and `ecob-zh` are two corpora. */
const corpusNameOf = (name: string) => name.replace(/^(og2021|ai-news)\b.*$/u, '$1');

async function listSets(path: string): Promise<readonly string[]> {
  if (!(await stat(path)).isDirectory()) return [path];
  const files = (await readdir(path)).filter((file) => file.endsWith('.jsonl')).sort();
  return files.map((file) => join(path, file));
}

function printCandidateRecall(
  rules: StoryRules,
  sets: readonly { readonly name: string; readonly items: readonly LabelledItem[] }[],
): void {
  const formatShare = (share: number | null) => (share === null ? '–' : share.toFixed(3));
  console.log('| candidates found | all pairs | pairs in two languages |\n|---|---:|---:|');
  for (const { name, items } of sets) {
    const { allPairs, acrossLanguages } = candidateRecall(rules, items);
    console.log(`| ${name} | ${formatShare(allPairs)} | ${formatShare(acrossLanguages)} |`);
  }
}

async function main(args: readonly string[]): Promise<void> {
  const positional = args.filter((arg) => !arg.startsWith('--'));
  if (args.includes('--help') || positional.length === 0) {
    console.log(help);
    return;
  }
  const paths = (await Promise.all(positional.map(listSets))).flat();
  const sets = await Promise.all(
    paths.map(async (path) => ({ name: setNameOf(path), items: await readLabelled(path) })),
  );
  // The folder also contains a real stream without labels, which is skipped.
  const labelled = sets.filter(({ items }) => items[0]?.cluster !== 'undefined');
  const rules = await readStoryRules('editorial');
  if (args.includes('--candidates')) {
    printCandidateRecall(rules, labelled);
    return;
  }
  for (const method of [plainMethod, engineMethod(rules)]) {
    const corpora = new Map<string, ScoredSet[]>();
    for (const { name, items } of labelled) {
      const corpus = corpora.get(corpusNameOf(name)) ?? [];
      const assigned = method.assign(items);
      corpus.push({ name, assigned, scores: assigned.map(scoreAssignment) });
      corpora.set(corpusNameOf(name), corpus);
    }
    if (args.includes('--leave-one-out')) printLeaveOneOut(method, corpora);
    else
      console.log(`${method.name}: ${method.thresholds[findBestThreshold([...corpora.values()])]}`);
  }
}

if (import.meta.main) await main(process.argv.slice(2));
