// Enriches and publishes the pending items of one source, newest first. It first fetches missing
// articles. Items that a killed process left pending are found by the next run.
import { mapInParts } from '../../kernel/concurrency/map-in-parts.ts';
import { assert } from '../../kernel/errors/assert.ts';
import { messageOf } from '../../kernel/errors/fault.ts';
import type { Db } from '../../kernel/ports/db.ts';
import { plainText } from '../../kernel/text/text.ts';
import type { World } from '../../kernel/world.ts';
import { listItemsAwaitingEnrichment, type StoredItem } from '../../store/radar/sources/items.ts';
import { findSource, type StoredSource } from '../../store/radar/sources/sources.ts';
import { detectLanguage } from '../language/detect-language.ts';
import { duplicateKeysOf } from './duplicates/assign-duplicate-groups.ts';
import type { Enricher, EnrichmentInput } from './enricher.ts';
import { removeInstructions } from './injection/remove-instructions.ts';
import type { EnrichmentRecord } from './model/enrichment-steps.ts';
import type { ModelEnricher } from './model/model-enricher.ts';
import type { EnrichedItem, ItemPublisher } from './publish-enriched.ts';

/** Items per batch of one source. The first batch has one item, so that it is public early. */
const BATCH = 20;
const FIRST_BATCH = 1;
const CONCURRENCY = 4;
/** A model's latency dominates, so more items are enriched and published together. */
const MODEL_CONCURRENCY = 8;
/** After this time the batch is published, even when slow article pages are missing. */
const BATCH_MS = 30_000;

export type EnrichmentDeps = {
  readonly enricher: Enricher;
  /** Null or absent: no model is configured. */
  readonly modelEnricher?: ModelEnricher | null;
  /** The item's article as plain text; null when unavailable. */
  readonly fetchArticle: (item: StoredItem, source: StoredSource) => Promise<string | null>;
  readonly publisher: ItemPublisher;
};

/**
 * Returns the number of enriched items. When aborted it stops early and keeps the finished items.
 */
export async function enrichItems(
  world: World,
  db: Db,
  deps: EnrichmentDeps,
  { sourceId, signal }: { readonly sourceId: string; readonly signal: AbortSignal },
): Promise<number> {
  const source = await findSource(db, sourceId);
  if (!source) return 0;
  // A failed item waits for the next run and does not block others.
  const failedIds: string[] = [];
  let enrichedCount = 0;
  let batchSize = FIRST_BATCH;
  while (!signal.aborted) {
    const limit = deps.modelEnricher ? MODEL_CONCURRENCY : batchSize;
    batchSize = BATCH;
    const items = await listItemsAwaitingEnrichment(db, sourceId, { except: failedIds, limit });
    if (items.length === 0) break;
    const batchEndsAt = world.clock.now() + BATCH_MS;
    const hasTime = () => !signal.aborted && world.clock.now() <= batchEndsAt;
    const concurrency = deps.modelEnricher ? MODEL_CONCURRENCY : CONCURRENCY;
    const results = await mapInParts(
      items,
      concurrency,
      (item) => tryEnrichItem(world, deps, { item, source, signal }),
      hasTime,
    );
    const enriched = results.filter((result) => result !== null);
    failedIds.push(...items.filter((_, index) => results[index] === null).map(({ id }) => id));
    const onFailure = (item: StoredItem) => failedIds.push(item.id);
    enrichedCount += await deps.publisher.publish({ sourceId, enriched, onFailure });
  }
  return enrichedCount;
}

type ItemWork = {
  readonly item: StoredItem;
  readonly source: StoredSource;
  readonly signal: AbortSignal;
};

async function tryEnrichItem(world: World, deps: EnrichmentDeps, work: ItemWork) {
  const { item, source, signal } = work;
  try {
    return await enrichItem(world, deps, work);
  } catch (error) {
    if (signal.aborted) return null;
    const fields = { item: item.id, source: source.id, error: messageOf(error) };
    world.log.error(fields, 'an item cannot be enriched; the next run tries again');
    return null;
  }
}

async function enrichItem(
  world: World,
  deps: EnrichmentDeps,
  { item, source, signal }: ItemWork,
): Promise<EnrichedItem> {
  const article = item.article ?? (await deps.fetchArticle(item, source));
  await deps.publisher.waitForLockRelease();
  const parts = [plainText(item.title), plainText(item.summary), plainText(item.content)];
  const [title, summary, content, page] = [...parts, article ?? ''].map(removeInstructions);
  assert(title && summary && content && page, 'an input has no cleaned text');
  const text = longest([page.text, content.text]);
  const declared = item.language ?? source.language;
  const language = detectLanguage(`${title.text}\n${text || summary.text}`, declared);
  const { name, tier, participation } = source;
  const input = {
    title: title.instructions > 0 ? title.text : item.title,
    text,
    summary: summary.text,
    url: item.url,
    language,
    source: { name, tier, participation },
  };
  const enrichmentRecord = await runEnricher(world, deps, { item, input, signal });
  return {
    item,
    article,
    duplicateKeys: duplicateKeysOf({
      id: item.id,
      sourceId: item.source_id,
      canonicalUrl: item.canonical_url,
      title: item.title,
      text: text || summary.text,
      at: item.published_at ?? item.discovered_at,
    }),
    enrichmentRecord,
    language,
    instructions:
      title.instructions + summary.instructions + Math.max(content.instructions, page.instructions),
    hasTitleInstruction: title.instructions > 0,
  };
}

type PreparedItem = Omit<ItemWork, 'source'> & { readonly input: EnrichmentInput };

async function runEnricher(
  world: World,
  { enricher, modelEnricher }: EnrichmentDeps,
  { item, input, signal }: PreparedItem,
): Promise<EnrichmentRecord> {
  const at = item.published_at ?? item.discovered_at;
  const result = modelEnricher
    ? await modelEnricher.enrich(world, { ...input, id: item.id, at }, signal)
    : { enrichment: enricher.enrich(input), version: enricher.version, record: null };
  if (result.enrichment.title !== '' || input.title === item.title) return result;
  // The title contained only instructions. The item is listed under the name of its source.
  return { ...result, enrichment: { ...result.enrichment, title: input.source.name } };
}

const longest = (texts: readonly string[]) =>
  texts.reduce((best, text) => (text.length > best.length ? text : best), '');
