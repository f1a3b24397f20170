// Pure: sorts drafts of a fetch into new, edited and unchanged ones. The publisher's id decides.
// When a publisher changes its ids, the address decides; when a page moves, its text decides.
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

export type DraftMatches =
  | { readonly kind: 'new'; readonly draft: ItemDraft }
  | { readonly kind: 'changed'; readonly draft: ItemDraft; readonly item: StoredItemKey }
  | { readonly kind: 'unchanged'; readonly draft: ItemDraft; readonly item: StoredItemKey };

/** `sameTitle`: stored items with the title of a draft; only these can be moved pages. */
export function matchDrafts(
  drafts: readonly ItemDraft[],
  storedKeys: readonly StoredItemKey[],
  sameTitle: readonly TextCandidate[] = [],
): readonly DraftMatches[] {
  const byKey = new Map(storedKeys.map((item) => [item.entry_key, item]));
  const claimed = new Set(drafts.flatMap((draft) => byKey.get(draft.entryKey)?.id ?? []));
  const byUrl = Map.groupBy(storedKeys, (item) => item.canonical_url);
  const byText = Map.groupBy(sameTitle, textHashOf);
  const textCount = Map.groupBy(drafts, (draft) => draft.textHash);
  const urlCount = Map.groupBy(drafts, (draft) => draft.canonicalUrl);
  return drafts.map((draft) => {
    const item = byKey.get(draft.entryKey) ?? sameAddress(draft) ?? movedFrom(draft);
    if (!item) return { kind: 'new', draft };
    return { kind: hasSameContent(draft, item) ? 'unchanged' : 'changed', draft, item };
  });

  /**
   * An address identifies an item only when one stored item and one entry have it. Some feeds give
   * every entry the same address.
   */
  function sameAddress(draft: ItemDraft): StoredItemKey | undefined {
    const candidates = byUrl.get(draft.canonicalUrl) ?? [];
    const [item] = candidates;
    if (candidates.length !== 1 || urlCount.get(draft.canonicalUrl)?.length !== 1) return undefined;
    return item && !claimed.has(item.id) ? item : undefined;
  }

  /** The stored address must be absent from the document: two pages of one text are two items. */
  function movedFrom(draft: ItemDraft): StoredItemKey | undefined {
    const [item, ...others] = byText.get(draft.textHash) ?? [];
    if (item === undefined || others.length > 0 || claimed.has(item.id)) return undefined;
    if (textCount.get(draft.textHash)?.length !== 1) return undefined;
    const isMoved = !urlCount.has(item.canonical_url) && isOnePublication(draft, item);
    return isMoved ? item : undefined;
  }
}

/** A weekly notice has the same title and text each time, and another date. */
function isOnePublication(draft: ItemDraft, item: TextCandidate): boolean {
  const [now, before] = [draft.publishedAt, item.published_at];
  if (now !== null && before !== null) return Math.abs(now - before) <= DAY_MS;
  return draft.title !== '' && plainText(draft.summary + draft.content).length >= DISTINCT_TEXT;
}

/** Minimum length of an undated text whose repetition is not a coincidence. */
const DISTINCT_TEXT = 200;

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
