// Publishes items for the tests of reports, by the application's own rules. Items have several
// owners and given times; one may be a copy of another.

import { openReportContext } from '../../src/app/serve/open-report-context.ts';
import type { Db } from '../../src/kernel/ports/db.ts';
import type { ManualClock } from '../../src/kernel/time/clock.ts';
import type { World } from '../../src/kernel/world.ts';
import { readEditorial } from '../../src/radar/enrichment/read-editorial.ts';
import { publishGroups } from '../../src/radar/publication/publish-groups.ts';
import { addSource } from '../../src/radar/sources/add-source.ts';
import { inTransaction } from '../../src/store/platform/db.ts';
import { insertGroups, joinGroups } from '../../src/store/radar/sources/duplicate-groups.ts';
import { saveEnrichments } from '../../src/store/radar/sources/item-enrichments.ts';
import { insertItem } from '../../src/store/radar/sources/items.ts';

/** The instant of a local time in Shanghai. */
export const shanghai = (local: string) => Date.parse(`${local}+08:00`);

export type News = {
  readonly title: string;
  /** Local time in Shanghai, to which the clock is set. */
  readonly at: string;
  readonly owner?: string;
  readonly category?: string;
  readonly score?: number;
  readonly summary?: string | null;
  /** The item that this item copies. */
  readonly sameAs?: string;
};

export type ReportPublisher = {
  /** Returns the item's id. */
  publish(news: News): Promise<string>;
  /** Changes the title of the item, as a change by its source does. */
  edit(id: string, title: string): Promise<void>;
};

export async function openReportPublisher(
  world: World,
  clock: ManualClock,
  db: Db,
): Promise<ReportPublisher> {
  const groups = new Map<string, string>();
  const newsById = new Map<string, News>();
  const enrichItem = (tx: Db, id: string, news: News) =>
    saveEnrichments(tx, [
      {
        item_id: id,
        desk_version: 'test',
        judged_at: world.clock.now(),
        title: news.title,
        original_title: null,
        summary: news.summary === undefined ? summaryOf(news.title) : news.summary,
        category: news.category ?? 'industry',
        score: news.score ?? 60,
        is_worthy: true,
        reason: 'A reason',
        summary_by: 'rules',
        language: 'en',
      },
    ]);
  const publish = async (news: News) => {
    const at = shanghai(news.at);
    clock.set(at);
    const id = world.ids.next();
    const group = (news.sameAs && groups.get(news.sameAs)) || id;
    const sourceId = await sourceOf(world, db, news.owner ?? 'The Press');
    await inTransaction(db, async (tx) => {
      await insertItem(tx, storedItem(id, sourceId, news.title, at));
      if (group === id) {
        await insertGroups(tx, [{ id, first_appeared_at: at, representative_id: null }]);
      }
      await joinGroups(tx, new Map([[id, group]]));
      await enrichItem(tx, id, news);
      await publishGroups(world, tx, [group]);
    });
    groups.set(id, group);
    newsById.set(id, news);
    return id;
  };
  return {
    publish,
    edit: async (id, title) => {
      const news = { at: '', ...newsById.get(id), title };
      await inTransaction(db, async (tx) => {
        await enrichItem(tx, id, news);
        await publishGroups(world, tx, [groups.get(id) ?? id]);
      });
    },
  };
}

/** The default text of an item. */
export const summaryOf = (title: string) =>
  `What happened about “${title}” takes a sentence of some length. Another one follows it.`;

/** Reports in English, by the project's own rules. */
export async function openTestReportContext() {
  const { categories } = await readEditorial('editorial');
  return openReportContext('editorial', { language: 'en', categories });
}

const sources = new WeakMap<Db, Set<string>>();

async function sourceOf(world: World, db: Db, owner: string): Promise<string> {
  const id = owner.toLowerCase().replaceAll(' ', '-');
  const sourceIds = sources.get(db) ?? new Set();
  sources.set(db, sourceIds);
  if (!sourceIds.has(id)) {
    await addSource(world, db, {
      id,
      name: owner,
      owner,
      language: 'en',
      tier: 'T2',
      kind: 'push',
      intervalMinutes: 30,
      participation: 'editorial',
      settings: {},
    });
    sourceIds.add(id);
  }
  return id;
}

function storedItem(id: string, sourceId: string, title: string, at: number) {
  const url = `https://press.example/${id}`;
  return {
    id,
    source_id: sourceId,
    entry_key: id,
    url,
    canonical_url: url,
    title,
    summary: '',
    content: '',
    article: null,
    author: null,
    language: 'en',
    published_at: at,
    discovered_at: at,
    updated_at: at,
    content_hash: id,
    revision: 1,
    is_backfill: false,
    awaits_desk_since: null,
  };
}
