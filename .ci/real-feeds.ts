// Sends real feeds through the whole radar. A folder of RSS documents is served over loopback and
// added with `npx radar source add`. The items of the API are compared with a naive parse of the
// same documents.
//
// Usage: real-feeds.ts <folder> <RADAR_NOW>
import { spawn } from 'node:child_process';
import { createReadStream, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { decode } from 'html-entities';

const [folder = '', radarNow = ''] = process.argv.slice(2);
const radarUrl = 'http://127.0.0.1:4000';
const dataDir = mkdtempSync(join(tmpdir(), 'real-feeds-'));
const env = { ...process.env, DATA_DIR: join(dataDir, 'data'), RADAR_NOW: radarNow };
const problems: string[] = [];

type Entry = { readonly title: string; readonly url: string; readonly at: number };

/** Title, link and date of every item, by the simplest parser that suffices for these documents. */
function parseEntries(document: string): Entry[] {
  return document
    .split('<item>')
    .slice(1)
    .map((item) => {
      const field = (name: string) => {
        const text = new RegExp(`<${name}>([\\s\\S]*?)</${name}>`).exec(item)?.[1] ?? '';
        return decode(text.replace(/^\s*<!\[CDATA\[([\s\S]*)\]\]>\s*$/, '$1'))
          .replaceAll(/\s+/g, ' ')
          .trim();
      };
      const url = new URL(field('link')).href;
      return { title: field('title'), url, at: Date.parse(field('pubDate')) };
    });
}

const site = createServer((req, res) => {
  createReadStream(join(folder, basename(req.url ?? ''))).pipe(res);
});
await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
const address = site.address();
const siteUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;

function runRadar(...args: string[]): Promise<{ code: number | null; out: string }> {
  const child = spawn('npx', ['radar', ...args], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let out = '';
  child.stdout.on('data', (bytes) => {
    out += bytes;
  });
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, out })));
}

function compare(
  file: string,
  subject: string,
  expected: readonly Entry[],
  actual: readonly Entry[],
) {
  const keyOf = (entry: Entry) => JSON.stringify([entry.url, entry.title, entry.at]);
  const actualKeys = new Set(actual.map(keyOf));
  const missing = expected.filter((entry) => !actualKeys.has(keyOf(entry)));
  const urls = new Set(actual.map((entry) => entry.url));
  if (urls.size !== actual.length) problems.push(`${file}: ${subject} has duplicates`);
  if (actual.length !== expected.length) {
    problems.push(`${file}: ${subject} has ${actual.length} of ${expected.length}`);
  }
  for (const entry of missing.slice(0, 3))
    problems.push(`${file}: ${subject} lacks ${keyOf(entry)}`);
}

type TriedSource = { entries: { title: string; url: string; publishedAt: string }[] };
type Item = {
  title: string;
  originalTitle: string | null;
  publishedAt: string;
  links: { original: string };
};

const server = spawn('npm', ['start'], { env, stdio: ['ignore', 'ignore', 'inherit'] });
try {
  while ((await fetch(`${radarUrl}/readyz`).catch(() => null))?.status !== 200) {
    if (server.exitCode !== null) throw new Error(`npm start ended with ${server.exitCode}`);
    await pause(100);
  }
  const now = Date.parse(radarNow);
  const recentEntries: Entry[] = [];
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.xml'))) {
    const entries = parseEntries(readFileSync(join(folder, file), 'utf8'));
    const trial = await runRadar('source', 'try', `${siteUrl}/${file}`);
    const trialEntries = (JSON.parse(trial.out) as TriedSource).entries.map((entry) => ({
      title: entry.title,
      url: entry.url,
      at: Date.parse(entry.publishedAt),
    }));
    compare(file, 'source try', entries, trialEntries);
    const added = await runRadar('source', 'add', `${siteUrl}/${file}`);
    if (added.code !== 0) problems.push(`${file}: source add ended with ${added.code}`);
    recentEntries.push(...entries.filter(({ at }) => at > now - 7 * 86_400_000 && at <= now));
  }
  // The worker publishes the items within three minutes at most.
  let items: Item[] = [];
  for (let attempts = 0; attempts < 1_800 && items.length < recentEntries.length; attempts += 1) {
    const response = await fetch(`${radarUrl}/api/v1/items?mode=all&limit=100`);
    items = ((await response.json()) as { items: Item[] }).items;
    await pause(100);
  }
  const rows = items.map((item) => ({
    title: item.originalTitle ?? item.title,
    url: item.links.original,
    at: Date.parse(item.publishedAt),
  }));
  compare('the API', 'mode=all', recentEntries, rows);
  console.log(`real feeds: ${rows.length} items of the last seven days, as their feeds have them`);
} finally {
  const closed = new Promise((resolve) => server.once('close', resolve));
  if (server.exitCode === null && server.kill('SIGTERM')) await closed;
  site.close();
  rmSync(dataDir, { recursive: true, force: true });
}
for (const problem of problems) console.log(`real feeds: ${problem}`);
process.exitCode = problems.length === 0 ? 0 : 1;
