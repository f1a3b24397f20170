// `radar eval stories`: runs the story engine over a file of items in order of arrival. With a
// model, it uses vectors and the model's advice. If the items have labels, it prints scores for one
// or several join thresholds.
import { writeFile } from 'node:fs/promises';
import { z } from 'zod';
import { Fault } from '../../kernel/errors/fault.ts';
import { assignAdvised } from '../../radar/stories/advice/assign-advised.ts';
import type { StoryItem } from '../../radar/stories/clustering/story-item.ts';
import { assignAll } from '../../radar/stories/evaluation/assign-all.ts';
import { scoreAssigned } from '../../radar/stories/evaluation/score-clustering.ts';
import type { StoryRules } from '../../radar/stories/rules/open-rules.ts';
import type { App } from '../app.ts';
import { readFileAt } from '../read-file-at.ts';
import { textTable } from '../text-table.ts';
import { assignHourly } from './assign-hourly.ts';

const rowSchema = z.object({
  id: z.union([z.string(), z.number()]).transform(String),
  time: z.string().nullish(),
  lang: z.string().nullish(),
  title: z.string().nullish(),
  text: z.string().nullish(),
  source: z.string().nullish(),
  cluster: z.union([z.string(), z.number()]).transform(String).nullish(),
});

export type StoryOptions = {
  readonly in: string;
  /** When absent, only the scores are printed. */
  readonly out?: string;
  /** Join thresholds in log-odds, comma-separated; absent: the threshold of the rules. */
  readonly thresholds?: string;
  /** `true`: the configured model; a name: this model at the same address. */
  readonly model?: string | true;
  /** Recent items are clustered again each hour, as in a running radar. */
  readonly hourly?: boolean;
};

type Assignment = ReturnType<typeof assignAll>;

export async function evaluateStories(app: App, options: StoryOptions): Promise<void> {
  const rules = await app.openStoryRules();
  const { items, clusters } = parseItems((await readFileAt(options.in)).toString('utf8'));
  if (options.out === undefined && clusters.size === 0) {
    const message =
      'Nothing to output: set --out to a file for the stories, or add "cluster" to the items.';
    throw new Fault('invalid_request', message);
  }
  const thresholds =
    options.thresholds === undefined ? [null] : parseThresholds(options.thresholds);
  const lines: string[][] = [];
  for (const threshold of thresholds) {
    const appliedRules = threshold === null ? rules : withThreshold(rules, threshold);
    const assignment = await assignItems(app, options, appliedRules, items);
    if (threshold === thresholds[0] && options.out !== undefined)
      await writeAssignment(app, options.out, assignment);
    if (clusters.size > 0)
      lines.push(formatScores(appliedRules.settings.joinFrom, assignment, clusters));
  }
  if (lines.length === 0) return;
  const head = ['joins from', 'stories', 'precision', 'recall', 'F1', 'accuracy', 'BCubed F1'];
  app.terminal.out(textTable([head, ...lines]));
}

async function assignItems(
  app: App,
  { model, hourly = false }: StoryOptions,
  rules: StoryRules,
  items: readonly StoryItem[],
): Promise<Assignment> {
  if (model !== undefined && hourly) {
    throw new Fault('invalid_request', '--hourly measures the rules alone. Omit --model.');
  }
  if (model === undefined) return (hourly ? assignHourly : assignAll)(rules, items);
  let assignment: Assignment = [];
  await app.advise(model, async (world, adviser) => {
    assignment = await assignAdvised(world, rules, items, adviser);
    const { requestCount, replyCount, pairs, agreedCount, vectors } = adviser.counts();
    const requestsPerItem = (requestCount / Math.max(1, items.length)).toFixed(3);
    const requests = `${requestCount} model requests (${requestsPerItem} per item)`;
    const merges = `${pairs} pairs of stories compared twice, ${agreedCount} with the same result`;
    app.terminal.note(`${requests}, ${replyCount} replies; ${merges}; ${vectors} vectors\n`);
  });
  return assignment;
}

const withThreshold = (rules: StoryRules, joinFrom: number): StoryRules => ({
  ...rules,
  settings: { ...rules.settings, joinFrom },
});

function parseThresholds(list: string): readonly number[] {
  const numbers = list.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
  if (numbers.some((value) => !Number.isFinite(value))) {
    throw new Fault('invalid_request', `"${list}" is not a list of numbers like 0.8,1.2,1.6.`);
  }
  return numbers;
}

function formatScores(
  threshold: number,
  assignment: Assignment,
  clusters: ReadonlyMap<string, string>,
) {
  const labelled = assignment.flatMap(({ id, story }) => {
    const cluster = clusters.get(id);
    return cluster === undefined ? [] : [{ story, cluster }];
  });
  const { stories, ...scores } = scoreAssigned(labelled);
  const { precision, recall, f1, accuracy, bcubed } = scores;
  const shares = [precision, recall, f1, accuracy, bcubed].map((value) => value.toFixed(3));
  return [String(threshold), String(stories), ...shares];
}

async function writeAssignment(app: App, path: string, assignment: Assignment) {
  const lines = assignment.map(({ id, story }) => `${JSON.stringify({ id, story })}\n`);
  await writeFile(path, lines.join(''));
  const stories = new Set(assignment.map(({ story }) => story)).size;
  app.terminal.note(`${assignment.length} items in ${stories} stories: ${path}\n`);
}

type LabelledFile = {
  readonly items: readonly StoryItem[];
  /** Labels by item; empty for a file without labels. */
  readonly clusters: ReadonlyMap<string, string>;
};

function parseItems(text: string): LabelledFile {
  const clusters = new Map<string, string>();
  const items = text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return [];
    const lineFault = (message: string) =>
      new Fault('invalid_request', `Line ${index + 1} of the items: ${message}.`);
    let json: unknown;
    try {
      json = JSON.parse(line);
    } catch {
      throw lineFault('it is not JSON');
    }
    const parsed = rowSchema.safeParse(json);
    if (!parsed.success) throw lineFault('it is not { id, time, lang, title, text?, source? }');
    const { id, time, lang, title, text, source } = parsed.data;
    const timeMs = time === null || time === undefined ? null : Date.parse(time);
    if (Number.isNaN(timeMs)) throw lineFault(`"${time}" is not a time`);
    if (parsed.data.cluster) clusters.set(id, parsed.data.cluster);
    const base = { id, timeMs, lang: lang ?? '', title: title ?? '' };
    return [{ ...base, ...(text && { text }), ...(source && { source }) }];
  });
  return { items, clusters };
}
