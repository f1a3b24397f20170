// Reads items for operators: the results of a search, and one item for the editor.
import type { Db } from '../../kernel/ports/db.ts';
import { findEnrichment } from '../../store/radar/sources/item-enrichments.ts';
import { findOverride } from '../../store/radar/sources/item-overrides.ts';
import { findItem } from '../../store/radar/sources/items.ts';
import {
  type FoundItem,
  findItems,
  type ItemSearch,
} from '../../store/radar/sources/operator-items.ts';
import { findSource } from '../../store/radar/sources/sources.ts';
import { readStoryTitles } from '../../store/radar/stories/story-list.ts';
import { readMembersByItem } from '../../store/radar/stories/story-members.ts';

export type { FoundItem };
export type ItemState = ItemSearch['state'];

/** `q`: words that must all occur. */
export async function searchItems(
  db: Db,
  { q, ...search }: Omit<ItemSearch, 'terms'> & { readonly q: string | null },
): Promise<readonly FoundItem[]> {
  const terms = (q ?? '').toLowerCase().split(/\s+/).filter(Boolean).slice(0, 8);
  return findItems(db, { ...search, terms });
}

/** The stored record of a model's enrichment (`enrichment/model/enrichment-steps.ts`). */
export type StoredModelRecord = {
  readonly steps: readonly ({ readonly prompt: string; readonly version: string } & (
    | { readonly by: 'model'; readonly model: string; readonly receipt: string }
    | { readonly by: 'rules'; readonly why: string; readonly detail: string | null }
  ))[];
  readonly scores: readonly (number | null)[];
  /** True when the two scores differ too much. */
  readonly isApart: boolean;
  readonly tags: readonly string[];
  readonly facts: readonly { readonly text: string }[];
  readonly dropped: readonly string[];
};

export type EditedItem = Exclude<Awaited<ReturnType<typeof readEditedItem>>, null>;

/** Null: the item does not exist. */
export async function readEditedItem(db: Db, id: string) {
  const item = await findItem(db, id);
  if (item === null) return null;
  const override = await findOverride(db, id);
  const enrichment = await findEnrichment(db, id);
  const storyId = (await readMembersByItem(db, [id])).get(id)?.story_id;
  const titles = await readStoryTitles(db, storyId === undefined ? [] : [storyId]);
  return {
    id,
    sourceId: item.source_id,
    url: item.url,
    sourceTitle: item.title,
    discoveredAt: item.discovered_at,
    publishedAt: item.published_at,
    sourceName: (await findSource(db, item.source_id))?.name ?? item.source_id,
    story: storyId === undefined ? null : { id: storyId, title: titles.get(storyId) ?? storyId },
    /** Null before the enrichment. */
    enrichment:
      enrichment === null
        ? null
        : {
            title: enrichment.title,
            summary: enrichment.summary,
            category: enrichment.category,
            score: enrichment.score,
            reason: enrichment.reason,
            /** Passages with instructions to machines, removed before the enrichment. */
            removedInstructions: enrichment.orders,
            model: enrichment.model_record as StoredModelRecord | null,
          },
    version: override.version,
    isWithdrawn: override.withdrawn_at !== null,
    /** The operators' texts; null: the value of the enrichment is used. */
    corrections: {
      title: override.title,
      summary: override.summary,
      category: override.category,
    },
  };
}
