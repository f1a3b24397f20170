import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assert } from '../../src/kernel/errors/assert.ts';
import { escapeXml } from '../../src/kernel/text/escape-xml.ts';
import { manualClock } from '../../src/kernel/time/clock.ts';
import { DAY_MS, HOUR_MS } from '../../src/kernel/time/durations.ts';
import { buildWorld } from '../world/build-world.ts';
import type { WorldEntry } from '../world/world-model.ts';
import { openPublishers, type Publishers, type SourceDefinition } from './open-publishers.ts';
import { profileOf, profiles } from './profiles.ts';
import { pollSpacingHours, selectVisibleEntries } from './visible-entries.ts';

const now = Date.parse('2026-11-21T06:00:00Z');
const world = buildWorld({ seed: 1, now });
const clock = manualClock(now);
let publishers: Publishers;

beforeAll(async () => {
  publishers = await openPublishers(clock, world);
});
afterAll(() => publishers.close());

type Reply = {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly body: string;
};

function get(url: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const clientRequest = request(url, { headers, method }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const body = Buffer.concat(chunks).toString('utf8');
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body });
      });
    });
    clientRequest.once('error', reject);
    clientRequest.end();
  });
}

function requireSource(id: string): SourceDefinition & { readonly url: string } {
  const foundSource = publishers.sources.find((source) => source.id === id);
  assert(foundSource !== undefined, `source ${id} is there`);
  return { ...foundSource, url: String(foundSource.settings.url) };
}

function originOf(id: string): string {
  return new URL(requireSource(id).url).origin;
}

/** Runs at another instant and then resets the clock. */
async function runAt<T>(instant: number, work: () => Promise<T>): Promise<T> {
  clock.set(instant);
  try {
    return await work();
  } finally {
    clock.set(now);
  }
}

function entriesOf(id: string): readonly WorldEntry[] {
  return world.entries.filter((entry) => entry.publisherId === id);
}

describe('every publisher', () => {
  it('has its own host; together they have every format and five Chinese sources', () => {
    expect(publishers.sources.length).toBeGreaterThanOrEqual(15);
    const hosts = publishers.sources.flatMap((source) => source.privateHosts);
    expect(new Set(hosts).size).toBe(publishers.sources.length);
    const formats = new Set(profiles.map((profile) => profile.format));
    expect([...formats].sort()).toEqual(
      ['atom', 'json-feed', 'json-list', 'rdf', 'rss', 'web-list'].sort(),
    );
    const languages = Map.groupBy(publishers.sources, (source) => source.language);
    expect(languages.get('zh-CN')?.length).toBe(5);
  });

  it('returns its document with its latest entries and no future ones', async () => {
    for (const { id } of publishers.sources) {
      if (id === 'ferrous') continue;
      const { status, body } = await get(requireSource(id).url);
      expect(status, id).toBe(200);
      const visibleEntries = selectVisibleEntries(profileOf(id), world.entries);
      for (const visibleEntry of visibleEntries.latest(now))
        expect(body).toContain(visibleEntry.number);
      const futureEntry = entriesOf(id).find((entry) => entry.at > now);
      if (futureEntry !== undefined) expect(body).not.toContain(futureEntry.title);
    }
  });

  it('returns its latest articles as pages with the whole text, and robots.txt', async () => {
    for (const { id } of publishers.sources) {
      const origin = originOf(id);
      const robots = await get(`${origin}/robots.txt`);
      expect([robots.status, robots.body.startsWith('User-agent: *')]).toEqual([200, true]);
      const archive = await get(`${origin}/archive`);
      const links = [...archive.body.matchAll(/<li><a href="(\/[^"]+\d[^"]*)">/g)].slice(0, 12);
      expect(links.length, id).toBeGreaterThan(5);
      for (const [, path] of links) {
        const page = await get(`${origin}${path}`);
        expect(page.status).toBe(200);
        const number = /(r?\d{4,6})(?:\.html|\/)?$/.exec(path ?? '')?.[1];
        const entry = world.entries.find((entry) => entry.key === `${id}-${number}`);
        const version = entry?.edits.findLast((edit) => edit.at <= now) ?? entry;
        for (const paragraph of version?.paragraphs ?? ['no entry has this number'])
          expect(page.body).toContain(escapeXml(paragraph));
        expect(page.body).toContain('<footer>');
      }
    }
  });

  it('shows every entry to a client that fetches every twelve hours', () => {
    for (const profile of profiles) {
      const visibleEntries = selectVisibleEntries(profile, world.entries);
      const keysSeen = new Set<string>();
      for (let time = now - 42 * DAY_MS; time <= now; time += pollSpacingHours * HOUR_MS) {
        for (const visibleEntry of visibleEntries.latest(time))
          keysSeen.add(visibleEntry.entry.key);
      }
      const missedEntries = entriesOf(profile.id).filter((entry) => {
        const isShort = (entry.withdrawnAt ?? now) - entry.at < pollSpacingHours * HOUR_MS;
        return entry.at <= now && !isShort && !keysSeen.has(entry.key);
      });
      expect(
        missedEntries.map((entry) => entry.key),
        profile.id,
      ).toEqual([]);
    }
  });

  it('returns 404 for unknown paths, and 405 for a POST', async () => {
    const origin = originOf('meridian');
    expect((await get(`${origin}/nowhere`)).status).toBe(404);
    expect((await get(`${origin}/2026/01/01/x-99999/`)).status).toBe(404);
    expect((await get(`${origin}/`, {}, 'POST')).status).toBe(405);
    const head = await get(requireSource('meridian').url, {}, 'HEAD');
    expect([head.status, head.body]).toEqual([200, '']);
  });
});

describe('unusual publishers', () => {
  it('yunpu declares gb2312 and sends UTF-8', async () => {
    const { body } = await get(requireSource('yunpu').url);
    expect(body).toMatch(/^<\?xml version="1.0" encoding="gb2312"\?>/);
    expect(body).toMatch(/\p{Script=Han}/u);
    expect(body).not.toContain('\uFFFD');
  });

  it('moxingjie sends XML that is not well-formed', async () => {
    const { body } = await get(requireSource('moxingjie').url);
    expect(body).toMatch(/<link>[^<]*&from=rss/);
    expect(body).toContain('&hellip;\u0008');
    expect(body).not.toContain('</channel>');
  });

  it('ferrous redirects its feed with 301, and its links through a counter with 302', async () => {
    const first = await get(requireSource('ferrous').url);
    expect(first.status).toBe(301);
    const feed = await get(String(first.headers.location));
    expect(feed.status).toBe(200);
    const link = /<link>(http[^<]*\/go\/\d+)<\/link>/.exec(feed.body)?.[1] ?? '';
    const response = await get(link);
    expect(response.status).toBe(302);
    expect((await get(String(response.headers.location))).status).toBe(200);
  });

  it('orrinfell returns 304 for either validator until its feed changes', async () => {
    const { url } = requireSource('orrinfell');
    const first = await get(url);
    const etag = String(first.headers.etag);
    const since = String(first.headers['last-modified']);
    const unchanged = await get(url, { 'if-none-match': `"other", W/${etag}` });
    expect([unchanged.status, unchanged.body, unchanged.headers.etag]).toEqual([304, '', etag]);
    expect((await get(url, { 'if-modified-since': since })).status).toBe(304);
    const bothValidators = { 'if-none-match': '"other"', 'if-modified-since': since };
    expect((await get(url, bothValidators)).status).toBe(200);
    const nextEntry = entriesOf('orrinfell').find((entry) => entry.at > now);
    const laterResponse = await runAt(nextEntry?.at ?? 0, () =>
      get(url, { 'if-none-match': etag }),
    );
    expect(laterResponse.status).toBe(200);
  });

  it('handbill sends a new ETag in each response and never returns 304', async () => {
    const { url } = requireSource('handbill');
    const first = await get(url);
    const second = await get(url, { 'if-none-match': String(first.headers.etag) });
    expect([second.status, second.body]).toEqual([200, first.body]);
    expect(second.headers.etag).not.toBe(first.headers.etag);
  });

  it('switchyard returns 503 with the end of its outage in Retry-After', async () => {
    const { url } = requireSource('switchyard');
    const from = Math.floor(now / DAY_MS) * DAY_MS - 21 * DAY_MS + 8 * HOUR_MS;
    const outageResponse = await runAt(from + HOUR_MS, () => get(url));
    expect([outageResponse.status, outageResponse.headers['retry-after']]).toEqual([
      503,
      String(8 * 3600),
    ]);
    expect((await runAt(from + 9 * HOUR_MS, () => get(url))).status).toBe(200);
    expect((await runAt(from - 1, () => get(url))).status).toBe(200);
  });

  it('quayside changes a headline silently, with the same id and date', async () => {
    const entry = entriesOf('quayside').findLast(
      (entry) => entry.edits.length > 0 && entry.at < now,
    );
    const edit = entry?.edits[0];
    assert(entry !== undefined && edit !== undefined, 'an entry was edited');
    const fetchFeed = async () => {
      const feed = JSON.parse((await get(requireSource('quayside').url)).body);
      const number = entry.key.split('-')[1];
      return feed.items.find((item: { id: string }) => item.id.endsWith(`:${number}`));
    };
    const before = await runAt(edit.at - 1, fetchFeed);
    const after = await runAt(edit.at, fetchFeed);
    expect([before.title, after.title]).toEqual([entry.title, edit.title]);
    expect([after.id, after.url, after.date_published]).toEqual([
      before.id,
      before.url,
      before.date_published,
    ]);
    expect(after.content_html).not.toBe(before.content_html);
  });

  it('commons removes a withdrawn entry from its feed, and its page returns 410', async () => {
    const withdrawnEntry = entriesOf('commons').findLast(
      (entry) => (entry.withdrawnAt ?? now) < now,
    );
    assert(
      withdrawnEntry !== undefined && withdrawnEntry.withdrawnAt !== null,
      'an entry was withdrawn',
    );
    const number = withdrawnEntry.key.split('-')[1];
    const address = `${originOf('commons')}/read?id=${number}`;
    const before = await runAt(withdrawnEntry.withdrawnAt - 1, () => get(address));
    expect(before.status).toBe(200);
    expect((await runAt(withdrawnEntry.withdrawnAt, () => get(address))).status).toBe(410);
    const { url } = requireSource('commons');
    const feedBefore = await runAt(withdrawnEntry.withdrawnAt - 1, () => get(url));
    const feedAfter = await runAt(withdrawnEntry.withdrawnAt, () => get(url));
    expect(feedBefore.body).toContain(`2026:${number}<`);
    expect(feedAfter.body).not.toContain(`2026:${number}<`);
  });

  it('tidemark publishes everything again under new ids, dates and addresses', async () => {
    const republications = entriesOf('tidemark').filter((entry) => entry.republicationOf !== null);
    const movedAt = Math.max(...republications.map(({ at }) => at));
    const before = await runAt(movedAt - DAY_MS, () => get(requireSource('tidemark').url));
    const after = await runAt(movedAt, () => get(requireSource('tidemark').url));
    const ids = (body: string) =>
      [...body.matchAll(/<guid[^>]*>([^<]*)/g)].map((match) => match[1]);
    const oldIds = new Set(ids(before.body));
    expect(ids(after.body).filter((id) => id?.includes(':r')).length).toBe(25);
    expect(ids(after.body).filter((id) => oldIds.has(id)).length).toBeLessThan(oldIds.size - 20);
    const link = /<link>(http[^<]*-\d{5}\/)<\/link>/.exec(before.body)?.[1] ?? '';
    expect((await runAt(movedAt + DAY_MS, () => get(link))).status).toBe(301);
  });

  it('sluice publishes roundups', async () => {
    const roundups = entriesOf('sluice').filter((entry) => entry.kind === 'roundup');
    expect(roundups.length).toBeGreaterThan(4);
    const feed = await runAt(roundups[0]?.at ?? 0, () => get(requireSource('sluice').url));
    expect(feed.body).toContain(roundups[0]?.title);
  });
});
