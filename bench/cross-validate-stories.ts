// How well the story engine groups events that nothing was learned from: the events of each set are
// dealt into folds; what is learned from all others groups the whole set, and only items of the
// fold's events are scored. Run: bin/node24 bench/cross-validate-stories.ts [--folds 2]
// [--settings '{"name":{"joinFrom":1}}'] set.jsonl …; each named change of the settings is a row.
import { readStoryFiles } from '../src/radar/stories/rules/read-story-rules.ts';
import { assign, type LabelledItem, readLabelled, train } from './train-stories.ts';

type Sums = { p: number; r: number; tp: number; said: number; wanted: number; items: number };
const noSums = (): Sums => ({ p: 0, r: 0, tp: 0, said: 0, wanted: 0, items: 0 });

const foldOf = (cluster: string, folds: number): number => {
  let hash = 0x811c9dc5;
  for (const char of cluster) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193);
  return ((hash ^ (hash >>> 15)) >>> 0) % folds;
};

/** What each scored item adds to BCubed, and to the counts of pairs. */
function addScore(
  sums: Sums,
  items: readonly LabelledItem[],
  stories: ReadonlyMap<string, string>,
  isScored: (cluster: string) => boolean,
): void {
  const storyOf = ({ id }: LabelledItem) => stories.get(id) ?? id;
  const count = (key: (item: LabelledItem) => string) => {
    const counts = new Map<string, number>();
    for (const item of items) counts.set(key(item), (counts.get(key(item)) ?? 0) + 1);
    return (item: LabelledItem) => counts.get(key(item)) ?? 0;
  };
  const ofStory = count(storyOf);
  const ofCluster = count(({ cluster }) => cluster);
  const ofBoth = count((item) => `${storyOf(item)} ${item.cluster}`);
  for (const item of items) {
    if (!isScored(item.cluster)) continue;
    const [said, wanted, both] = [ofStory(item), ofCluster(item), ofBoth(item)];
    sums.p += both / said;
    sums.r += both / wanted;
    sums.tp += both - 1;
    sums.said += said - 1;
    sums.wanted += wanted - 1;
    sums.items += 1;
  }
}

function lineOf(path: string, { p, r, tp, said, wanted, items }: Sums): string {
  const f = (a: number, b: number) => (a + b === 0 ? 0 : (2 * a * b) / (a + b));
  const rates = (a: number, b: number) => [a, b, f(a, b)].map((n) => n.toFixed(3)).join(' ');
  const name = path.replace(/^.*\//u, '').replace(/\.jsonl$/u, '');
  return `${name.padEnd(16)} B ${rates(p / items, r / items)}  P ${rates(tp / said, tp / wanted)}`;
}

function takeFlag(args: string[], flag: string): string | undefined {
  const at = args.indexOf(flag);
  return at < 0 ? undefined : args.splice(at, 2)[1];
}

async function main(args: string[]): Promise<void> {
  const folds = Number(takeFlag(args, '--folds') ?? 2);
  const changes = Object.entries(JSON.parse(takeFlag(args, '--settings') ?? '{"as it is":{}}'));
  const files = await readStoryFiles('editorial');
  const sets = await Promise.all(args.map(readLabelled));
  const sums = changes.map(() => sets.map(noSums));
  for (let fold = 0; fold < folds; fold += 1) {
    const isHeldOut = (cluster: string) => foldOf(cluster, folds) === fold;
    const trained = train(files, sets, (cluster) => !isHeldOut(cluster));
    for (const [row, [, change]] of changes.entries()) {
      const settings = { ...trained.rules.settings, ...(change as object) };
      const changed = { ...trained, rules: { ...trained.rules, settings } };
      for (const [at, items] of sets.entries()) {
        const sum = sums[row]?.[at];
        if (sum !== undefined) addScore(sum, items, assign(changed, items), isHeldOut);
      }
    }
  }
  for (const [row, [name]] of changes.entries()) {
    console.log(name);
    for (const [at, path] of args.entries()) console.log(lineOf(path, sums[row]?.[at] ?? noSums()));
  }
}

await main(process.argv.slice(2));
