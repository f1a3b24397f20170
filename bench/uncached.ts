// Measures requests without a cached response, over HTTP, with 100,000 items, while a read model is
// published every second. It also measures the start of such a radar. To run only this benchmark:
// `bin/node24 bench/uncached.ts`.
import { Agent, request } from 'node:http';
import { seededRandom } from '../src/kernel/crypto/random.ts';
import type { PublicItem } from '../src/radar/publication/item.ts';
import { openBenchRadar } from './feed/bench-radar.ts';
import { type BenchWords, benchWords } from './read-model-items.ts';
import { queryKinds, searchOf } from './read-model-queries.ts';
import { type BenchRow, rowsAsTable } from './row.ts';

const ITEMS = 100_000;
const REQUESTS = 2_000;
const goal = { atMost: 15 };

export async function benchUncached(): Promise<BenchRow[]> {
  const words = benchWords(7);
  const radar = await openBenchRadar(ITEMS, words);
  const writer = setInterval(() => radar.publish('any'), 1_000);
  try {
    const { firstPage, searches } = makeUncachedPaths(words, radar.items, REQUESTS);
    const client = openClient(radar.url);
    // Warm-up. These searches repeat below, with a later read model.
    await client.times(searches.slice(0, 300));
    const timesOfPages = await client.pageTimes(firstPage, REQUESTS);
    const searchTimes = await client.times(searches);
    client.close();
    const label = `${ITEMS.toLocaleString('en')} items over HTTP`;
    const row = (name: string, times: readonly number[]): BenchRow => ({
      name: `${label}: ${name}, p99`,
      value: quantile(times, 0.99),
      unit: 'ms',
      goal,
      note: `p50 ${quantile(times, 0.5).toFixed(2)} ms, worst ${quantile(times, 1).toFixed(1)} ms`,
    });
    return [
      row('a page without a cached response', timesOfPages),
      row('a search without a cached response', searchTimes),
      {
        name: `${ITEMS.toLocaleString('en')} items: start of the process until it is ready`,
        value: radar.startMs / 1_000,
        unit: 's',
        goal: { atMost: 10 },
      },
    ];
  } finally {
    clearInterval(writer);
    await radar.close();
  }
}

/** Generates paths of pages and of searches. No path repeats within a read model. */
export function makeUncachedPaths(words: BenchWords, items: readonly PublicItem[], count: number) {
  const random = seededRandom(11);
  const kinds = queryKinds(random, words, items);
  const pickWord = <T>(from: readonly T[]): T => from[Math.floor(random.next() * from.length)] as T;
  const firstPage = (index: number) => {
    const category = pickWord(['', '', '&category=paper', '&category=industry']);
    const mode = pickWord(['selected', 'all']);
    const by = pickWord(['timeline', 'published']);
    return `/api/v1/items?mode=${mode}&by=${by}${category}&limit=${40 + (index % 21)}`;
  };
  const searches = Array.from({ length: count }, (_, index) => {
    const { text } = searchOf(pickWord(kinds));
    return `${firstPage(index)}&q=${encodeURIComponent(text)}`;
  });
  return { firstPage, searches };
}

/** Sends requests sequentially on one connection; times are milliseconds until the last byte. */
export function openClient(url: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const timeRequest = (path: string) =>
    new Promise<{ readonly ms: number; readonly body: string }>((resolve, reject) => {
      const start = performance.now();
      const req = request(url + path, { agent }, async (res) => {
        let body = '';
        for await (const part of res.setEncoding('utf8')) body += part;
        const ms = performance.now() - start;
        if (res.statusCode === 200) resolve({ ms, body });
        else reject(new Error(`${path}: ${res.statusCode} ${body}`));
      });
      req.on('error', reject).end();
    });
  return {
    times: async (paths: readonly string[]) => {
      const times: number[] = [];
      for (const path of paths) times.push((await timeRequest(path)).ms);
      return times;
    },
    /** Reads up to 20 pages of a list, each by the cursor of the page before. */
    pageTimes: async (firstPage: (index: number) => string, count: number) => {
      const times: number[] = [];
      for (let index = 0; times.length < count; index += 1) {
        const first = firstPage(index);
        for (let path = first, depth = 0; depth < 20 && times.length < count; depth += 1) {
          const { ms, body } = await timeRequest(path);
          times.push(ms);
          const { nextCursor } = JSON.parse(body).page;
          if (nextCursor === null) break;
          path = `${first}&cursor=${nextCursor}`;
        }
      }
      return times;
    },
    close: () => agent.destroy(),
  };
}

/** The quantile of the values at `share`. */
export function quantile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

if (import.meta.main) console.log(rowsAsTable(await benchUncached()));
