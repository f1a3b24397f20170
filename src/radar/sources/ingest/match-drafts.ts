// Matches the drafts of a fetch with stored items: a draft is new, edited or unchanged. Pure. The
// publisher's id identifies an item. If the id has changed, the address identifies it. If the page
// has moved, the text identifies it.
import { plainText } from '../../../kernel/text/text.ts';
import { DAY_MS } from '../../../kernel/time/durations.ts';
import { type ItemDraft, textHashOf } from './entry-to-item.ts';

export type StoredItemKey = {
  readonly id: string;
  readonly entry_key: string;
  readonly canonical_url: string;
  readonly content_hash: string;
  readonly published_at: number | null;
};

/** A stored item with its text, as candidate for a page that has moved. */
export type TextCandidate = StoredItemKey & {
  readonly title: string;
  readonly summary: string;
  readonly content: string;
};

export type DraftMatch =
  | { readonly kind: 'new'; readonly draft: ItemDraft }
  | { readonly kind: 'changed'; readonly draft: ItemDraft; readonly item: StoredItemKey }
  | { readonly kind: 'unchanged'; readonly draft: ItemDraft; readonly item: StoredItemKey };

/** `sameTitleItems`: stored items with the title of a draft; only these can be moved pages. */
export function matchDrafts(
  drafts: readonly ItemDraft[],
  storedKeys: readonly StoredItemKey[],
  sameTitleItems: readonly TextCandidate[] = [],
): readonly DraftMatch[] {
  const byKey = new Map(storedKeys.map((item) => [item.entry_key, item]));
  const claimedIds = new Set(drafts.flatMap((draft) => byKey.get(draft.entryKey)?.id ?? []));
  const byUrl = Map.groupBy(storedKeys, (item) => item.canonical_url);
  const byText = Map.groupBy(sameTitleItems, textHashOf);
  const draftsByText = Map.groupBy(drafts, (draft) => draft.textHash);
  const draftsByUrl = Map.groupBy(drafts, (draft) => draft.canonicalUrl);
  return drafts.map((draft) => {
    const item = byKey.get(draft.entryKey) ?? findByAddress(draft) ?? findMovedItem(draft);
    if (!item) return { kind: 'new', draft };
    return { kind: hasSameContent(draft, item) ? 'unchanged' : 'changed', draft, item };
  });

  /**
   * An address identifies an item only when one stored item and one entry have it. Some feeds give
   * every entry the same address.
   */
  function findByAddress(draft: ItemDraft): StoredItemKey | undefined {
    const candidates = byUrl.get(draft.canonicalUrl) ?? [];
    const [item] = candidates;
    if (candidates.length !== 1 || draftsByUrl.get(draft.canonicalUrl)?.length !== 1)
      return undefined;
    return item && !claimedIds.has(item.id) ? item : undefined;
  }

  /** Finds a stored item with the same text, whose address the document no longer contains. */
  function findMovedItem(draft: ItemDraft): StoredItemKey | undefined {
    const [item, ...otherItems] = byText.get(draft.textHash) ?? [];
    if (item === undefined || otherItems.length > 0 || claimedIds.has(item.id)) return undefined;
    if (draftsByText.get(draft.textHash)?.length !== 1) return undefined;
    const isMoved = !draftsByUrl.has(item.canonical_url) && isOnePublication(draft, item);
    return isMoved ? item : undefined;
  }
}

/**
 * True when a draft and an item with the same text are one publication. A weekly notice has the
 * same title and text each time, and another date.
 */
function isOnePublication(draft: ItemDraft, item: TextCandidate): boolean {
  const [newDate, storedDate] = [draft.publishedAt, item.published_at];
  if (newDate !== null && storedDate !== null) return Math.abs(newDate - storedDate) <= DAY_MS;
  return (
    draft.title !== '' && plainText(draft.summary + draft.content).length >= DISTINCT_TEXT_LENGTH
  );
}

/** Minimum length of an undated text whose repetition is not a coincidence. */
const DISTINCT_TEXT_LENGTH = 200;

function hasSameContent(draft: ItemDraft, item: StoredItemKey): boolean {
  return (
    draft.contentHash === item.content_hash &&
    correctDate(draft.publishedAt, item.published_at) === item.published_at
  );
}

/** A later date is a republication and is ignored. An earlier date is a correction. */
export function correctDate(newDate: number | null, storedDate: number | null): number | null {
  if (newDate === null || storedDate === null) return newDate ?? storedDate;
  return Math.min(newDate, storedDate);
}
