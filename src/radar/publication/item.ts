// A public item in the read model, with exactly the data that output formats show. Instants are
// epoch milliseconds. Output formats convert them and make absolute links.

export type PublicItem = {
  readonly id: string;
  readonly title: string;
  readonly originalTitle: string | null;
  readonly summary: string | null;
  readonly sourceName: string;
  /** URL of the original. */
  readonly originalUrl: string;
  readonly publishedAt: number | null;
  readonly discoveredAt: number;
  readonly category: string | null;
  readonly score: number | null;
  readonly selected: boolean;
  readonly reason: string | null;
  readonly language: string;
  readonly summaryBy: 'rules' | 'model';
  readonly storyId: string | null;
  /**
   * Sort time of `by=timeline`: the time of discovery. For an item that was already old at its
   * discovery: the time of publication. A selected item has the time at which its duplicate group
   * first appeared.
   */
  readonly timelineAt: number;
};

/**
 * Sort time of `by=published`: the time of publication; when it is unknown, the time of discovery.
 */
export function publishedSortAt(item: PublicItem): number {
  return item.publishedAt ?? item.discoveredAt;
}
