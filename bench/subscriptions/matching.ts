// Measures the matching of public items against ten thousand subscriptions: duration and processor
// time per item, and memory of the index.

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { seededRandom } from '../../src/kernel/crypto/random.ts';
import { DAY_MS } from '../../src/kernel/time/durations.ts';
import { openMatchIndex } from '../../src/radar/subscriptions/match-index.ts';
import type { NewsMatch } from '../../src/radar/subscriptions/subscription.ts';
import { type BenchWords, benchItems, benchWords } from '../read-model-items.ts';
import type { BenchRow, Slices } from '../row.ts';

const SUBSCRIPTIONS = 10_000;
const ITEMS = 5_000;
const WARM_UP = 500;
/** The duration of an item is that of its fastest round, without the load of other programs. */
const ROUNDS = 5;
const ITEMS_PER_SECOND = 10;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

export async function benchMatching({ report }: Pick<Slices, 'report'>): Promise<BenchRow[]> {
  const now = Date.parse('2026-11-24T12:00:00Z');
  const words = benchWords(7);
  const items = benchItems(ITEMS + WARM_UP, now, words);
  const subscriptions = makeSubscriptions(words, now);
  collectGarbage();
  const heapBefore = process.memoryUsage().heapUsed;
  const index = openMatchIndex(subscriptions);
  collectGarbage();
  const megabytes = (process.memoryUsage().heapUsed - heapBefore) / 2 ** 20;
  for (const item of items.slice(0, WARM_UP)) index.matching(item);
  const measuredItems = items.slice(WARM_UP);
  const times = measuredItems.map(() => Number.POSITIVE_INFINITY);
  let matches = 0;
  const cpuBefore = process.cpuUsage();
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [itemIndex, item] of measuredItems.entries()) {
      const start = performance.now();
      matches += index.matching(item).length;
      times[itemIndex] = Math.min(
        times[itemIndex] ?? Number.POSITIVE_INFINITY,
        performance.now() - start,
      );
    }
  }
  const { user, system } = process.cpuUsage(cpuBefore);
  const sorted = times.toSorted((a, b) => a - b);
  const quantile = (share: number) => sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN;
  const cpuMs = (user + system) / 1_000 / (ITEMS * ROUNDS);
  const name = `${SUBSCRIPTIONS.toLocaleString('en')} subscriptions`;
  const rows: BenchRow[] = [
    {
      name: `${name}: matching an item, p99`,
      value: quantile(0.99),
      unit: 'ms',
      goal: { atMost: 2 },
      note:
        `p50 ${quantile(0.5).toFixed(3)} ms, best of ${ROUNDS} rounds; ` +
        `${(matches / ITEMS / ROUNDS).toFixed(1)} matches an item`,
    },
    { name: `${name}: memory of the index`, value: megabytes, unit: 'MB', goal: { atMost: 30 } },
    {
      name: `${name}: share of a core at ${ITEMS_PER_SECOND} items a second`,
      value: (cpuMs * ITEMS_PER_SECOND) / 10,
      unit: '%',
      goal: { atMost: 3 },
      note: 'matching alone; processor time of all threads',
    },
  ];
  for (const row of rows) report(row);
  return rows;
}

/**
 * Nine tenths of the subscriptions have rare words, as real searches; a tenth has frequent words.
 */
function makeSubscriptions(words: BenchWords, now: number) {
  const random = seededRandom(3);
  const pick = (from: readonly string[], first: number, last: number) =>
    from[first + Math.floor(random.next() * (Math.min(last, from.length) - first))] ?? '';
  return Array.from({ length: SUBSCRIPTIONS }, (_, index) => {
    const isChinese = index % 2 === 0;
    const from = isChinese ? words.zh : words.en;
    const isFrequent = index % 10 === 0;
    const word = () => (isFrequent ? pick(from, 60, 300) : pick(from, 300, 20_000));
    const searchTexts = Array.from({ length: 1 + (index % 4) }, () =>
      isChinese ? word() : `${word()} ${word()}`,
    ).filter((text) => text.length >= 2);
    const match: NewsMatch = {
      any: index % 25 === 1 ? [] : searchTexts,
      none: index % 3 === 0 ? [pick(from, 300, 5_000)].filter((text) => text.length >= 2) : [],
      categories: index % 7 === 0 || index % 25 === 1 ? ['paper'] : [],
      sources: index % 50 === 1 ? [`${words.en[30 + (index % 300)]} Labs`] : [],
      mode: index % 2 === 0 ? 'all' : 'selected',
      minScore: index % 5 === 0 ? 60 : null,
      languages: [],
    };
    return { id: `sub_${index}`, match, createdAt: now - 8 * DAY_MS };
  });
}
