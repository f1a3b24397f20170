// The desk's rounds: items of one source that wait are read whole, judged, grouped and published,
// newest first, some at a time. What a killed process left waiting is simply found again.
import type { Db } from '../../kernel/db.ts';
import { messageOf } from '../../kernel/fault.ts';
import { plainText } from '../../kernel/text.ts';
import type { World } from '../../kernel/world.ts';
import { inTransaction } from '../../store/db.ts';
import {
  awaitingRevisions,
  deskDone,
  itemsAwaitingDesk,
  type StoredItem,
} from '../../store/items.ts';
import { saveJudgement } from '../../store/judgements.ts';
import { lockPublication } from '../../store/publication-head.ts';
import { findSource, lockSource, type Source } from '../../store/sources.ts';
import { awaitStory } from '../../store/story-queue.ts';
import type { Desk, Judgement } from './desk.ts';
import { groupItem } from './group-item.ts';
import { detectLanguage } from './language.ts';

/** Published together; the first items of an import are public soon, not after all of them. */
const BATCH = 20;
const AT_ONCE = 4;
/** Where pages come slowly, what is understood by then is published without the rest. */
const BATCH_MS = 30_000;

export type DeskRound = {
  readonly desk: Desk;
  /** The article behind an item as plain text; null when there is none to be had. */
  readonly fetchArticle: (item: StoredItem, source: Source) => Promise<string | null>;
  /** An item's own place in the timeline, epoch milliseconds. */
  readonly timelineAt: (item: StoredItem) => number;
  /** Publishes groups in the given transaction. */
  readonly publish: (world: World, tx: Db, groupIds: readonly string[]) => Promise<unknown>;
};

/** Answers how many items were understood. Stops early, with what is done kept, when aborted. */
export async function understandItems(
  world: World,
  db: Db,
  round: DeskRound,
  { sourceId, signal }: { readonly sourceId: string; readonly signal: AbortSignal },
): Promise<number> {
  const source = await findSource(db, sourceId);
  if (!source) return 0;
  // An item that cannot be understood waits for the next round and holds nobody up.
  const failed: string[] = [];
  let done = 0;
  while (!signal.aborted) {
    const items = await itemsAwaitingDesk(db, sourceId, { except: failed, limit: BATCH });
    if (items.length === 0) break;
    const understood: Understood[] = [];
    const until = world.clock.now() + BATCH_MS;
    const mayGoOn = () => !signal.aborted && world.clock.now() <= until;
    for (let from = 0; from < items.length && mayGoOn(); from += AT_ONCE) {
      const some = items.slice(from, from + AT_ONCE);
      const read = await Promise.all(some.map((item) => tryToRead(world, round, source, item)));
      understood.push(...read.filter((one) => one !== null));
      failed.push(...some.filter((_, index) => read[index] === null).map((item) => item.id));
    }
    const batch = { source, understood };
    done += await publishBatch(world, db, round, batch, (item) => failed.push(item.id));
  }
  return done;
}

type Understood = {
  readonly item: StoredItem;
  readonly article: string | null;
  /** What is compared to find the same news: all that we have of it. */
  readonly body: string;
  readonly judgement: Judgement;
  readonly language: string;
};

async function tryToRead(world: World, round: DeskRound, source: Source, item: StoredItem) {
  try {
    return await read(round, source, item);
  } catch (error) {
    const fields = { item: item.id, source: source.id, error: messageOf(error) };
    world.log.error(fields, 'an item cannot be understood');
    return null;
  }
}

async function read(round: DeskRound, source: Source, item: StoredItem): Promise<Understood> {
  const article = item.article ?? (await round.fetchArticle(item, source));
  const content = plainText(item.content);
  const summary = plainText(item.summary);
  const text = longest([article ?? '', content]);
  const declared = item.language ?? source.language;
  const language = detectLanguage(`${item.title}\n${text || summary}`, declared);
  const judgement = round.desk.judge({
    title: item.title,
    text,
    summary,
    url: item.url,
    language,
    source: { name: source.name, tier: source.tier, participation: source.participation },
  });
  return { item, article, body: text || summary, judgement, language };
}

const longest = (texts: readonly string[]) =>
  texts.reduce((best, text) => (text.length > best.length ? text : best), '');

type Batch = { readonly source: Source; readonly understood: readonly Understood[] };

/** All at once; if that fails, one by one, so that only what cannot be stored is left out. */
async function publishBatch(
  world: World,
  db: Db,
  round: DeskRound,
  batch: Batch,
  onFailure: (item: StoredItem) => void,
): Promise<number> {
  const { source, understood } = batch;
  try {
    return await inTransaction(db, (tx) => publishAll(world, tx, round, batch));
  } catch (error) {
    const [one, ...others] = understood;
    if (one === undefined) throw error;
    if (others.length === 0) {
      const fields = { item: one.item.id, source: source.id, error: messageOf(error) };
      world.log.error(fields, 'an item cannot be published');
      onFailure(one.item);
      return 0;
    }
  }
  let done = 0;
  for (const one of understood) {
    done += await publishBatch(world, db, round, { source, understood: [one] }, onFailure);
  }
  return done;
}

async function publishAll(world: World, tx: Db, round: DeskRound, batch: Batch): Promise<number> {
  const { source, understood } = batch;
  // In this order everywhere: the source, then the head, then items.
  await lockSource(tx, source.id);
  // Another worker may have done some, and an edit may have made some of ours old meanwhile.
  const waiting = await awaitingRevisions(
    tx,
    understood.map(({ item }) => item.id),
  );
  const current = understood.filter(({ item }) => waiting.get(item.id) === item.revision);
  await lockPublication(world, tx);
  const groups = new Set<string>();
  for (const one of current) groups.add(await settle(world, tx, round, one));
  await round.publish(world, tx, [...groups]);
  return current.length;
}

/** Answers the item's reading group, whose projection has to be published. */
async function settle(world: World, tx: Db, round: DeskRound, understood: Understood) {
  const { item, article, body, judgement, language } = understood;
  await saveJudgement(tx, {
    item_id: item.id,
    desk_version: round.desk.version,
    judged_at: world.clock.now(),
    title: judgement.title,
    original_title: judgement.originalTitle,
    summary: judgement.summary,
    category: judgement.category,
    score: judgement.score,
    is_worthy: judgement.isWorthy && !isUndatedImport(item),
    reason: judgement.reason,
    summary_by: judgement.summaryBy,
    language,
  });
  await deskDone(tx, item.id, article);
  await awaitStory(tx, item.id);
  const { id, source_id: sourceId, canonical_url: canonicalUrl, title } = item;
  const at = item.published_at ?? item.discovered_at;
  const timelineAt = round.timelineAt(item);
  return groupItem(world, tx, { id, sourceId, canonicalUrl, title, text: body, at, timelineAt });
}

/** What a first import brings without a date may be years old: listed, never selected as news. */
const isUndatedImport = (item: StoredItem) => item.is_backfill && item.published_at === null;
