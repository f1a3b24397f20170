// Asks for the pages behind entries of a web list: some at a time, where robots.txt allows it, and
// no more of a host that shows that it wants rest.
import type { Robots } from '../../../kernel/net/robots.ts';
import type { World } from '../../../kernel/world.ts';
import type { Source } from '../../../store/radar/sources/sources.ts';
import { decodeText } from '../parse/decode-text.ts';
import type { Entry } from '../parse/entry.ts';
import { mergeDetail } from '../parse/web-list/merge-detail.ts';
import type { WebListSettings } from '../source-settings.ts';
import { type Note, Notes, note, within } from './fetch-warning.ts';
import { robotsNote } from './request-source.ts';

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
  readonly warnings: readonly Note[];
};

export type PageSource = Pick<Source, 'language' | 'private_hosts'>;

/** What cannot be had is as the list has it; what is not asked for is left. */
export async function askForPages(
  world: World,
  robots: Robots,
  list: { readonly settings: WebListSettings; readonly source: PageSource },
  wanted: readonly Entry[],
): Promise<Details> {
  const detailed = new Map<Entry, Entry>();
  const warnings = new Notes();
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
      warnings.add(within('page', page.note));
      if (page.kind === 'tired') break;
    }
  }
  return { detailed, left: new Set(wanted.slice(asked)), warnings: warnings.all };
}

type Page =
  | { readonly kind: 'page'; readonly html: string; readonly url: string }
  | { readonly kind: 'none' | 'tired'; readonly note: Note };

async function readPage(world: World, robots: Robots, source: PageSource, url: string) {
  const reach = { privateHosts: source.private_hosts };
  const permission = await robots.isAllowed(url, reach);
  const { allowed, crawlDelayMs } = permission;
  if (!allowed) return { kind: 'none', note: robotsNote(permission, url) } satisfies Page;
  const outcome = await world.net.request({
    url,
    headers: { accept: 'text/html, application/xhtml+xml;q=0.9, */*;q=0.1' },
    timeoutMs: PAGE_TIMEOUT_MS,
    maxBytes: PAGE_MAX_BYTES,
    ...(crawlDelayMs !== null && { gapMs: crawlDelayMs }),
    ...reach,
  });
  if (outcome.kind === 'failed') {
    const what = note('net', outcome.reason, outcome.message);
    return { kind: 'tired', note: what } satisfies Page;
  }
  const { status, body, headers } = outcome;
  if (status !== 200) {
    const kind = status === 429 || status >= 500 ? 'tired' : 'none';
    return { kind, note: note('page-status', url, String(status)) } satisfies Page;
  }
  const html = decodeText(body, headers['content-type'] ?? null).text;
  return { kind: 'page', html, url: outcome.url } satisfies Page;
}
