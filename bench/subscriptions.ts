// Measures the matching of subscriptions, deliveries, and the import of sources from a file. One
// slice: `npm run bench -- subscriptions:matching`, `:delivery`, `:throughput` or `:opml`.
import { type BenchRow, isSelected, type Slices } from './row.ts';
import { benchDelivery, benchThroughput } from './subscriptions/delivery.ts';
import { benchMatching } from './subscriptions/matching.ts';
import { benchOpml } from './subscriptions/opml.ts';

const slices = {
  matching: benchMatching,
  delivery: benchDelivery,
  throughput: benchThroughput,
  opml: benchOpml,
} as const;

export async function benchSubscriptions({ selected, report }: Slices): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const [name, bench] of Object.entries(slices)) {
    if (isSelected(selected, name)) rows.push(...(await bench({ report })));
  }
  return rows;
}
