// The desk's rounds: items of one source that wait are read whole, judged, grouped and published,
// newest first, some at a time. What a killed process left waiting is simply found again.
import { assert } from '../../kernel/errors/assert.ts';
import { messageOf } from '../../kernel/errors/fault.ts';
import type { Db } from '../../kernel/ports/db.ts';
import { plainText } from '../../kernel/text/text.ts';
import type { World } from '../../kernel/world.ts';
import { inTransaction } from '../../store/platform/db.ts';
import { lockPublication } from '../../store/radar/publication/publication-head.ts';
import { saveJudgement } from '../../store/radar/sources/item-enrichments.ts';
import {
  awaitingRevisions,
  deskDone,
  itemsAwaitingDesk,
  type StoredItem,
} from '../../store/radar/sources/items.ts';
import { findSource, lockSource, type Source } from '../../store/radar/sources/sources.ts';
import { awaitStory } from '../../store/radar/stories/story-queue.ts';
import { detectLanguage } from '../language/detect-language.ts';
import { groupItem } from './duplicates/assign-duplicate-group.ts';
import type { Desk, DeskInput } from './enricher.ts';
import { leaveOutOrders } from './injection/remove-instructions.ts';
import type { Judged } from './model/enrichment-steps.ts';
import type { ModelDesk } from './model/model-enricher.ts';

/** Published together; the first items of an import are public soon, not after all of them. */
const BATCH = 20;
const AT_ONCE = 4;
/** With a model most time is waiting for it: so many are asked about, and published, at once. */
const AT_ONCE_ASKING = 8;
/** Where pages come slowly, what is understood by then is published without the rest. */
const BATCH_MS = 30_000;

export type DeskRound = {
  readonly desk: Desk;
  /** Null or absent: no model is configured. */
  readonly modelDesk?: ModelDesk | null;
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
    const limit = round.modelDesk ? AT_ONCE_ASKING : BATCH;
    const items = await itemsAwaitingDesk(db, sourceId, { except: failed, limit });
    if (items.length === 0) break;
    const understood: Understood[] = [];
    const until = world.clock.now() + BATCH_MS;
    const mayGoOn = () => !signal.aborted && world.clock.now() <= until;
    const atOnce = round.modelDesk ? AT_ONCE_ASKING : AT_ONCE;
    for (let from = 0; from < items.length && mayGoOn(); from += atOnce) {
      const some = items.slice(from, from + atOnce);
      const read = await Promise.all(
        some.map((item) => tryToRead(world, round, { item, source, signal })),
      );
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
  readonly judged: Judged;
  readonly language: string;
  /** Places that gave orders to machines; whether one of them was in the title. */
  readonly orders: number;
  readonly isTitleOrdered: boolean;
};

type Reading = {
  readonly item: StoredItem;
  readonly source: Source;
  readonly signal: AbortSignal;
};

async function tryToRead(world: World, round: DeskRound, reading: Reading) {
  const { item, source, signal } = reading;
  try {
    return await read(world, round, reading);
  } catch (error) {
    if (signal.aborted) return null;
    const fields = { item: item.id, source: source.id, error: messageOf(error) };
    world.log.error(fields, 'an item cannot be understood');
    return null;
  }
}

async function read(
  world: World,
  round: DeskRound,
  { item, source, signal }: Reading,
): Promise<Understood> {
  const article = item.article ?? (await round.fetchArticle(item, source));
  const parts = [plainText(item.title), plainText(item.summary), plainText(item.content)];
  const [title, summary, content, page] = [...parts, article ?? ''].map(leaveOutOrders);
  assert(title && summary && content && page, 'as many texts as were given');
  const text = longest([page.text, content.text]);
  const declared = item.language ?? source.language;
  const language = detectLanguage(`${title.text}\n${text || summary.text}`, declared);
  const { name, tier, participation } = source;
  const input = {
    title: title.orders > 0 ? title.text : item.title,
    text,
    summary: summary.text,
    url: item.url,
    language,
    source: { name, tier, participation },
  };
  const judged = await judge(world, round, { item, input, signal });
  return {
    item,
    article,
    body: text || summary.text,
    judged,
    language,
    orders: title.orders + summary.orders + Math.max(content.orders, page.orders),
    isTitleOrdered: title.orders > 0,
  };
}

type ToJudge = Omit<Reading, 'source'> & { readonly input: DeskInput };

async function judge(
  world: World,
  { desk, modelDesk }: DeskRound,
  { item, input, signal }: ToJudge,
): Promise<Judged> {
  const at = item.published_at ?? item.discovered_at;
  const judged = modelDesk
    ? await modelDesk.judge(world, { ...input, id: item.id, at }, signal)
    : { judgement: desk.judge(input), version: desk.version, record: null };
  if (judged.judgement.title !== '' || input.title === item.title) return judged;
  // Nothing but orders was in it: it is listed under who sent it.
  return { ...judged, judgement: { ...judged.judgement, title: input.source.name } };
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
  const { item, article, body, judged, language } = understood;
  const { judgement, version, record } = judged;
  await saveJudgement(tx, {
    item_id: item.id,
    desk_version: version,
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
    model_record: record,
    orders: understood.orders,
    withholds_title: understood.isTitleOrdered,
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
