// Which drafts of a reading are new, which edit something known, and which say nothing new. Pure.
// The publisher's id decides; where a publisher re-publishes under new ids, the address does.
import type { Draft } from './entry-to-item.ts';

export type Known = {
  readonly id: string;
  readonly entry_key: string;
  readonly canonical_url: string;
  readonly content_hash: string;
  readonly published_at: number | null;
};

export type Matched =
  | { readonly kind: 'new'; readonly draft: Draft }
  | { readonly kind: 'changed'; readonly draft: Draft; readonly item: Known }
  | { readonly kind: 'unchanged'; readonly draft: Draft; readonly item: Known };

export function matchDrafts(drafts: readonly Draft[], known: readonly Known[]): readonly Matched[] {
  const byKey = new Map(known.map((item) => [item.entry_key, item]));
  const claimed = new Set(drafts.flatMap((draft) => byKey.get(draft.entryKey)?.id ?? []));
  const byUrl = Map.groupBy(known, (item) => item.canonical_url);
  const urlCount = Map.groupBy(drafts, (draft) => draft.canonicalUrl);
  return drafts.map((draft) => {
    const item = byKey.get(draft.entryKey) ?? sameAddress(draft);
    if (!item) return { kind: 'new', draft };
    return { kind: isSame(draft, item) ? 'unchanged' : 'changed', draft, item };
  });

  /** An address means the same news only where it belongs to one entry then and one now: some
   * feeds give every entry the address of the same page. */
  function sameAddress(draft: Draft): Known | undefined {
    const there = byUrl.get(draft.canonicalUrl) ?? [];
    const [item] = there;
    if (there.length !== 1 || urlCount.get(draft.canonicalUrl)?.length !== 1) return undefined;
    return item && !claimed.has(item.id) ? item : undefined;
  }
}

function isSame(draft: Draft, item: Known): boolean {
  return (
    draft.contentHash === item.content_hash &&
    believedDate(draft.publishedAt, item.published_at) === item.published_at
  );
}

/** A date that moves later is a re-publication and not news; one that moves earlier corrects. */
export function believedDate(now: number | null, before: number | null): number | null {
  if (now === null || before === null) return now ?? before;
  return Math.min(now, before);
}
