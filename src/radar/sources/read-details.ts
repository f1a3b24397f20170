// The pages behind the entries of a web list that says too little of them: only what is new or
// edited, some at a time, where robots.txt allows it. What is not asked for now waits for the next
// reading; what cannot be had is taken in as the list has it.
import type { Db } from '../../kernel/db.ts';
import type { Robots } from '../../kernel/net/robots.ts';
import type { World } from '../../kernel/world.ts';
import { knownItems } from '../../store/items.ts';
import type { Source } from '../../store/sources.ts';
import { decodeText } from './decode-text.ts';
import type { Entry } from './entry.ts';
import { toDrafts } from './entry-to-item.ts';
import { matchDrafts } from './match-drafts.ts';
import type { WebListSettings } from './source-settings.ts';
import { entriesNeedingDetail, mergeDetail } from './web-list/merge-detail.ts';

const PAGES_A_READING = 20;
/** A job that reads is ended after five minutes; a site may ask for a minute between two pages. */
const ASKING_MS = 120_000;
const PAGE_TIMEOUT_MS = 15_000;
const PAGE_MAX_BYTES = 4 * 1024 * 1024;

export type Details = {
  /** What the list says of an entry → the same with what its page adds. */
  readonly detailed: ReadonlyMap<Entry, Entry>;
  /** Entries for the next reading. */
  readonly left: ReadonlySet<Entry>;
  readonly warnings: readonly string[];
};

export const noDetails: Details = { detailed: new Map(), left: new Set(), warnings: [] };

type List = { readonly source: Source; readonly settings: WebListSettings };

/** Of entries that are stored already and still the same, nothing is asked. */
export async function readDetails(
  world: World,
  db: Db,
  robots: Robots,
  list: List & { readonly entries: readonly Entry[] },
): Promise<Details> {
  const wanted = entriesNeedingDetail(await freshEntries(db, list), list.settings);
  return askForPages(world, robots, list, wanted);
}

async function freshEntries(db: Db, { source, entries }: List & { entries: readonly Entry[] }) {
  const drafts = toDrafts(entries, source.url);
  const known = await knownItems(
    db,
    source.id,
    drafts.map((draft) => draft.entryKey),
    drafts.map((draft) => draft.canonicalUrl),
  );
  const matches = matchDrafts(drafts, known).filter((match) => match.kind !== 'unchanged');
  const fresh = new Set(matches.map((match) => match.draft.url));
  return entries.filter((entry) => entry.url !== null && fresh.has(entry.url));
}

/** Stops at the first sign that the host wants rest. */
export async function askForPages(
  world: World,
  robots: Robots,
  list: Pick<List, 'settings'> & { readonly source: PageSource },
  wanted: readonly Entry[],
): Promise<Details> {
  const detailed = new Map<Entry, Entry>();
  const warnings = new Set<string>();
  const until = world.clock.now() + ASKING_MS;
  let asked = 0;
  for (const entry of wanted) {
    if (asked >= PAGES_A_READING || world.clock.now() > until) break;
    asked += 1;
    const page = await readPage(world, robots, list.source, entry.url ?? '');
    if (page.kind === 'page') {
      const { language } = list.source;
      const context = { url: page.url, now: world.clock.now(), language };
      const merged = mergeDetail(entry, page.html, list.settings, context);
      detailed.set(entry, merged.entry);
      for (const warning of merged.warnings) warnings.add(warning);
    } else {
      warnings.add(`page of an entry: ${page.message}`);
      if (page.kind === 'tired') break;
    }
  }
  return { detailed, left: new Set(wanted.slice(asked)), warnings: [...warnings] };
}

type PageSource = Pick<Source, 'language' | 'private_hosts'>;

type Page =
  | { readonly kind: 'page'; readonly html: string; readonly url: string }
  | { readonly kind: 'none' | 'tired'; readonly message: string };

async function readPage(world: World, robots: Robots, source: PageSource, url: string) {
  const reach = { privateHosts: source.private_hosts };
  const { allowed, crawlDelayMs, reason } = await robots.isAllowed(url, reach);
  if (!allowed) return { kind: 'none', message: reason } satisfies Page;
  const outcome = await world.net.request({
    url,
    headers: { accept: 'text/html, application/xhtml+xml;q=0.9, */*;q=0.1' },
    timeoutMs: PAGE_TIMEOUT_MS,
    maxBytes: PAGE_MAX_BYTES,
    ...(crawlDelayMs !== null && { gapMs: crawlDelayMs }),
    ...reach,
  });
  if (outcome.kind === 'failed') {
    return { kind: 'tired', message: outcome.message } satisfies Page;
  }
  const { status, body, headers } = outcome;
  if (status !== 200) {
    const kind = status === 429 || status >= 500 ? 'tired' : 'none';
    return { kind, message: `${url} answered ${status}` } satisfies Page;
  }
  const html = decodeText(body, headers['content-type'] ?? null).text;
  return { kind: 'page', html, url: outcome.url } satisfies Page;
}
