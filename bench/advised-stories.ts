// Measures the effect of vectors and a model on stories of labelled files. The same items are
// assigned without a model, with vectors alone, and with vectors and a model's verdicts. The
// default model is that of the demonstration; MODEL_URL and the other MODEL_ variables select
// another.
//
// bin/node24 bench/advised-stories.ts <items.jsonl with cluster> …
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { demoModelSettings } from '../demo/upstream/model/demo-settings.ts';
import { openModelServer } from '../demo/upstream/model/open-model-server.ts';
import { readConfig } from '../src/config.ts';
import { timedIds } from '../src/kernel/crypto/ids.ts';
import { systemRandom } from '../src/kernel/crypto/random.ts';
import { openNet } from '../src/kernel/net/open-net.ts';
import { openLog } from '../src/kernel/observability/log.ts';
import { runningClock } from '../src/kernel/time/clock.ts';
import { capTokens, quoteText } from '../src/radar/enrichment/model/quote-text.ts';
import { readPrompts } from '../src/radar/enrichment/prompts/read-prompts.ts';
import { openModel } from '../src/radar/model/open-model.ts';
import { assignAdvised } from '../src/radar/stories/advice/assign-advised.ts';
import { openAdviser } from '../src/radar/stories/advice/open-adviser.ts';
import type { StoryItem } from '../src/radar/stories/clustering/story-item.ts';
import { assignAll } from '../src/radar/stories/evaluation/assign-all.ts';
import { readStoryRules } from '../src/radar/stories/rules/read-story-rules.ts';
import { migrate } from '../src/store/platform/migrate.ts';
import { openDatabase } from '../src/store/platform/open-database.ts';

type Row = {
  readonly id: string | number;
  readonly time?: string | null;
  readonly lang?: string;
  readonly title?: string;
  readonly text?: string | null;
  readonly cluster: string | number;
};

type AssignedItems = readonly { readonly id: string; readonly story: string }[];

const clock = runningClock();
const random = systemRandom();
const world = {
  clock,
  random,
  ids: timedIds(clock, random),
  log: openLog({ level: 'error', now: clock.now }),
  net: openNet({ clock, privateHosts: [], politenessMs: 0, userAgent: 'ContentRadar/bench' }),
};
const config = readConfig();
const server = config.model === null ? await openModelServer() : null;
const settings = server === null ? config.model : demoModelSettings(server);
if (settings === null) throw new Error('no model is configured: set MODEL_URL');
const { db, close } = await openDatabase(world, {
  databaseUrl: config.databaseUrl,
  dataDir: `${config.dataDir}/bench`,
  isDurable: false,
});
await migrate(world, db);
const rules = await readStoryRules(config.file.editorial);
const { relate: prompt } = await readPrompts(config.file.editorial);
const relate = { prompt, textTokens: 2_400, quote: quoteText, cap: capTokens };
const { joinFrom, liveDays } = rules.settings;
const print = (text: string) => process.stdout.write(`${text}\n`);

print('set, method: BCubed F1 / pairwise F1 / across languages F1; requests per item');
for (const path of process.argv.slice(2)) {
  const rows = readFileSync(path, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line): Row => JSON.parse(line));
  const items = rows.map(itemOf);
  const printRow = (method: string, assigned: AssignedItems, requests: string) =>
    print(`${basename(path)}, ${method}: ${formatScores(rows, assigned)}${requests}`);
  printRow('nothing configured', assignAll(rules, items), '');
  for (const hasModel of [false, true]) {
    const model = openModel(world, db, { settings });
    const { embed } = model;
    const requestModel = hasModel ? model.requestModel : null;
    const adviser = openAdviser({ requestModel, embed, relate, joinFrom, liveDays });
    const assigned = await assignAdvised(world, rules, items, adviser);
    const { requestCount, replyCount, pairs, agreedCount } = adviser.counts();
    const requestsPerItem = (requestCount / items.length).toFixed(3);
    const agreement = `${agreedCount} of ${pairs} pairs agreed`;
    const counts = `${requestCount} sent, ${replyCount} replies; ${agreement}`;
    const requests = `; ${requestsPerItem} (${counts})`;
    printRow(hasModel ? 'vectors and model' : 'vectors alone', assigned, requests);
  }
}
await close();
await world.net.close();
await server?.close();

function itemOf({ id, time, lang = '', title = '', text }: Row): StoryItem {
  const timeMs = time === undefined || time === null ? null : Date.parse(time);
  const fields = { id: String(id), timeMs, lang, title };
  return text === undefined || text === null ? fields : { ...fields, text };
}

function formatScores(rows: readonly Row[], assigned: AssignedItems): string {
  const storyOf = new Map(assigned.map(({ id, story }) => [id, story]));
  const labelledRows = rows.map(({ id, cluster, lang = '' }) => {
    return { cluster: String(cluster), story: storyOf.get(String(id)) ?? String(id), lang };
  });
  const meanShare = (keyOf: (row: (typeof labelledRows)[number]) => string) => {
    const sizes = Map.groupBy(labelledRows, keyOf);
    const sharedSizes = Map.groupBy(labelledRows, ({ cluster, story }) => `${cluster} ${story}`);
    const sum = labelledRows.reduce((total, row) => {
      const sharedCount = sharedSizes.get(`${row.cluster} ${row.story}`)?.length ?? 0;
      return total + sharedCount / (sizes.get(keyOf(row))?.length ?? 1);
    }, 0);
    return sum / labelledRows.length;
  };
  const pairwiseF1 = (isAcrossLanguages: boolean) => {
    let [correct, assigned, expected] = [0, 0, 0];
    for (let a = 0; a < labelledRows.length; a += 1) {
      for (let b = a + 1; b < labelledRows.length; b += 1) {
        const [first, second] = [labelledRows[a], labelledRows[b]];
        if (first === undefined || second === undefined) continue;
        if (isAcrossLanguages && first.lang === second.lang) continue;
        const [isSameStory, isSameCluster] = [
          first.story === second.story,
          first.cluster === second.cluster,
        ];
        assigned += isSameStory ? 1 : 0;
        expected += isSameCluster ? 1 : 0;
        correct += isSameStory && isSameCluster ? 1 : 0;
      }
    }
    return expected === 0
      ? '–'
      : f1(correct / Math.max(1, assigned), correct / expected).toFixed(3);
  };
  const bcubed = f1(
    meanShare(({ story }) => story),
    meanShare(({ cluster }) => cluster),
  );
  return `${bcubed.toFixed(3)} / ${pairwiseF1(false)} / ${pairwiseF1(true)}`;
}

function f1(precision: number, recall: number): number {
  return precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall);
}
