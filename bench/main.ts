// `npm run bench` runs all measurements, prints them as tables and writes bench/results.json. With
// `-- feed read-model` it runs two, and with `-- ledger:alone relay:chunk` single slices. Each row
// is printed as soon as it is measured. The figures of the README are results of these
// measurements. `npm run bench -- --against <commit>` compares this tree with a commit instead.
import { writeFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { join } from 'node:path';
import { againstHelp, readAgainstOptions } from './against/against-options.ts';
import { benchAgainst } from './against.ts';
import { benchConsole } from './console.ts';
import { benchFeed } from './feed.ts';
import { benchGrowth } from './growth.ts';
import { benchLedger } from './ledger.ts';
import { benchReadModel } from './read-model.ts';
import { benchRelay } from './relay.ts';
import { type BenchRow, meetsGoal, rowAsLine, rowsAsTable, type Slices } from './row.ts';
import { benchStories } from './stories.ts';
import { benchSubscriptions } from './subscriptions.ts';
import { benchTail } from './tail.ts';
import { benchUncached } from './uncached.ts';
import { benchWorker } from './worker.ts';

const benches: Readonly<Record<string, (slices: Slices) => Promise<BenchRow[]>>> = {
  feed: () => benchFeed(),
  uncached: benchUncached,
  tail: benchTail,
  'read-model': benchReadModel,
  ledger: benchLedger,
  relay: benchRelay,
  stories: benchStories,
  subscriptions: benchSubscriptions,
  growth: benchGrowth,
  console: benchConsole,
  worker: benchWorker,
};

const args = process.argv.slice(2);
if (args.includes('--help')) {
  console.log(`Runs all benchmarks, or those that are named: npm run bench [-- <name>[:<part>] …]
Names: ${Object.keys(benches).join(', ')}

${againstHelp}`);
} else if (args.some((word) => /^--(against|rounds)\b/.test(word))) {
  await compareVersions();
} else {
  await measureAll();
}

async function compareVersions(): Promise<void> {
  const options = readAgainstOptions(args);
  try {
    if ('faults' in options) throw new Error(`${options.faults.join('\n')}\n\n${againstHelp}`);
    await benchAgainst(options);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    // A process of a version may still run. It ends when this process ends.
    process.exit(1);
  }
}

async function measureAll(): Promise<void> {
  const selected = args.map((name) => name.split(':'));
  const unknownNames = selected.flatMap(([name = '']) =>
    Object.hasOwn(benches, name) ? [] : [name],
  );
  if (unknownNames.length > 0) {
    throw new Error(
      `no such benchmark: ${unknownNames.join(', ')}; there are ${Object.keys(benches)}`,
    );
  }
  const results: Record<string, BenchRow[]> = {};
  for (const [name, bench] of Object.entries(benches)) {
    const requestedNames = selected.filter(([requested]) => requested === name);
    if (selected.length > 0 && requestedNames.length === 0) continue;
    const slices = requestedNames.flatMap(([, slice]) => (slice === undefined ? [] : [slice]));
    const rows = await bench({ selected: slices, report: (row) => console.log(rowAsLine(row)) });
    results[name] = rows;
    console.log(`\n## ${name}\n\n${rowsAsTable(rows)}`);
  }
  const processor = `${availableParallelism()} × ${cpus()[0]?.model ?? 'unknown processor'}`;
  const machine = `${processor}, Node ${process.version}`;
  const rows = Object.values(results).flat();
  const missedGoals = rows.filter((row) => !meetsGoal(row)).length;
  const goals = rows.filter((row) => row.goal !== undefined).length;
  console.log(`\n${machine}: ${goals - missedGoals} of ${goals} goals met.`);
  const file = join(import.meta.dirname, 'results.json');
  writeFileSync(file, `${JSON.stringify({ machine, at: new Date(), results }, null, 2)}\n`);
}
