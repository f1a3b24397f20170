// Pure: sorts drafts of a fetch into new, edited and unchanged ones. The publisher's id decides.
// When a publisher changes its ids, the address decides.
import type { ItemDraft } from './entry-to-item.ts';

export type StoredItemKey = {
  readonly id: string;
  readonly entry_key: string;
  readonly canonical_url: string;
  readonly content_hash: string;
  readonly published_at: number | null;
};

export type DraftMatches =
  | { readonly kind: 'new'; readonly draft: ItemDraft }
  | { readonly kind: 'changed'; readonly draft: ItemDraft; readonly item: StoredItemKey }
  | { readonly kind: 'unchanged'; readonly draft: ItemDraft; readonly item: StoredItemKey };

export function matchDrafts(
  drafts: readonly ItemDraft[],
  known: readonly StoredItemKey[],
): readonly DraftMatches[] {
  const byKey = new Map(known.map((item) => [item.entry_key, item]));
  const claimed = new Set(drafts.flatMap((draft) => byKey.get(draft.entryKey)?.id ?? []));
  const byUrl = Map.groupBy(known, (item) => item.canonical_url);
  const urlCount = Map.groupBy(drafts, (draft) => draft.canonicalUrl);
  return drafts.map((draft) => {
    const item = byKey.get(draft.entryKey) ?? sameAddress(draft);
    if (!item) return { kind: 'new', draft };
    return { kind: hasSameContent(draft, item) ? 'unchanged' : 'changed', draft, item };
  });

  /**
   * An address identifies an item only when one stored item and one entry have it. Some feeds give
   * every entry the same address.
   */
  function sameAddress(draft: ItemDraft): StoredItemKey | undefined {
    const there = byUrl.get(draft.canonicalUrl) ?? [];
    const [item] = there;
    if (there.length !== 1 || urlCount.get(draft.canonicalUrl)?.length !== 1) return undefined;
    return item && !claimed.has(item.id) ? item : undefined;
  }
}

function hasSameContent(draft: ItemDraft, item: StoredItemKey): boolean {
  return (
    draft.contentHash === item.content_hash &&
    correctedDate(draft.publishedAt, item.published_at) === item.published_at
  );
}

/** A later date is a republication and is ignored. An earlier date is a correction. */
export function correctedDate(now: number | null, before: number | null): number | null {
  if (now === null || before === null) return now ?? before;
  return Math.min(now, before);
}
