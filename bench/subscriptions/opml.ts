// Measures an OPML file of 2,000 outlines: its preview with stored sources, its import and export.
import { planOpmlImport, storeSources } from '../../src/radar/sources/setup/import-sources.ts';
import { readOpml } from '../../src/radar/sources/setup/read-opml.ts';
import { writeOpml } from '../../src/radar/sources/setup/write-opml.ts';
import { listDefinitions } from '../../src/radar/sources/stored-source.ts';
import { openBenchDatabase } from '../open-database.ts';
import type { BenchRow, Slices } from '../row.ts';

const OUTLINES = 2_000;

export async function benchOpml({ report }: Pick<Slices, 'report'>): Promise<BenchRow[]> {
  const { world, db, close } = await openBenchDatabase();
  const rows: BenchRow[] = [];
  const measureStep = async <T>(name: string, goalMs: number | null, work: () => Promise<T>) => {
    const start = performance.now();
    const result = await work();
    const value = performance.now() - start;
    const goal = goalMs === null ? {} : { goal: { atMost: goalMs } };
    const row: BenchRow = {
      name: `OPML of ${OUTLINES} outlines: ${name}`,
      value,
      unit: 'ms',
      ...goal,
    };
    rows.push(row);
    report(row);
    return result;
  };
  try {
    const bytes = Buffer.from(makeFile(OUTLINES));
    const preview = async () => {
      const parsed = readOpml(bytes);
      if (parsed.kind !== 'read') throw new Error(JSON.stringify(parsed));
      return planOpmlImport(db, parsed);
    };
    const planned = await measureStep('preview', 3_000, preview);
    const newSources = planned.flatMap((row) => (row.kind === 'new' ? [row.definition] : []));
    await measureStep('import', null, () => storeSources(world, db, newSources));
    await measureStep('preview with all sources stored', 3_000, preview);
    await measureStep('export', null, async () =>
      writeOpml('Bench', await listDefinitions(db), world.clock.now()),
    );
  } finally {
    await close();
  }
  return rows;
}

function makeFile(count: number): string {
  const outlines = Array.from(
    { length: count },
    (_, id) =>
      `<outline text="Source ${id}" type="rss" xmlUrl="https://site-${id}.example/feed.xml"/>`,
  );
  return `<opml version="2.0"><head/><body>${outlines.join('\n')}</body></opml>`;
}
