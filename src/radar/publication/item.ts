// A public item in the read model: exactly the data that output formats show. Instants are epoch
// milliseconds; output formats convert them and make absolute links.

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
  /** Sort time of by=timeline: discovery, the source's own date for old material, or, for a
   * selected representative, its reading group's first appearance. */
  readonly timelineAt: number;
};

/** Sort time of by=published: publication, else discovery. */
export function publishedSortAt(item: PublicItem): number {
  return item.publishedAt ?? item.discoveredAt;
}
