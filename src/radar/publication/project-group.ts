// Projects a duplicate group to its public form: the selected member, and each member's public
// fields. Pure.
import type { PublicItem } from './item.ts';

/** The stored data of one member: item, source, enrichment and override. */
export type Member = {
  readonly id: string;
  readonly first_appeared_at: number;
  readonly url: string;
  readonly published_at: number | null;
  readonly discovered_at: number;
  readonly is_backfill: boolean;
  readonly source_name: string;
  readonly tier: 'T1' | 'T1_5' | 'T2';
  readonly participation: 'editorial' | 'signal' | 'isolated';
  readonly title: string;
  readonly original_title: string | null;
  readonly summary: string | null;
  readonly category: string | null;
  readonly score: number;
  readonly is_worthy: boolean;
  readonly reason: string | null;
  readonly summary_by: 'rules' | 'model';
  readonly language: string;
  readonly source_title: string;
  /** True when the source's title has a prompt injection; `original_title` is the cleaned text. */
  readonly withholds_title?: boolean;
  /** The item's story. A story is public while at least one of its items is public. */
  readonly story_id: string | null;
  readonly withdrawn_at: number | null;
  readonly corrected_title: string | null;
  readonly corrected_summary: string | null;
  readonly corrected_category: string | null;
};

export type ProjectedGroup = {
  readonly representativeId: string | null;
  /** Members that are public, by id. */
  readonly items: readonly PublicItem[];
};

const tierRank = { T1: 0, T1_5: 1, T2: 2 } as const;

/** An item that is found later than this after its publication is old material. */
const OLD_AFTER_MS = 72 * 3_600_000;

/** An item's own sort time in the timeline (feed contract, GET /api/v1/items, rule 1). */
export function itemTimelineAt(
  item: Pick<Member, 'published_at' | 'discovered_at' | 'is_backfill'>,
): number {
  const published = item.published_at;
  if (published === null || published > item.discovered_at) return item.discovered_at;
  const isOld = item.discovered_at - published > OLD_AFTER_MS;
  return isOld || item.is_backfill ? published : item.discovered_at;
}

export function projectGroup(members: readonly Member[]): ProjectedGroup {
  const publicMembers = members.filter((member) => member.withdrawn_at === null);
  const representative = publicMembers
    .filter((member) => member.is_worthy && member.participation === 'editorial')
    .sort(compareRepresentatives)
    .at(0);
  return {
    representativeId: representative?.id ?? null,
    items: publicMembers.map((member) => projectMember(member, member === representative)),
  };
}

/** The better tier comes first, then the earlier item. The id decides between equal items. */
function compareRepresentatives(a: Member, b: Member): number {
  return (
    tierRank[a.tier] - tierRank[b.tier] ||
    itemTimelineAt(a) - itemTimelineAt(b) ||
    (a.id < b.id ? -1 : 1)
  );
}

function projectMember(member: Member, selected: boolean): PublicItem {
  const title = member.corrected_title ?? member.title;
  const publishedAt =
    member.published_at !== null && member.published_at <= member.discovered_at
      ? member.published_at
      : null;
  return {
    id: member.id,
    title,
    originalTitle: originalTitleOf(member, title),
    summary: member.corrected_summary ?? member.summary,
    sourceName: member.source_name,
    originalUrl: member.url,
    publishedAt,
    discoveredAt: member.discovered_at,
    category: member.corrected_category ?? member.category,
    score: member.score,
    selected,
    reason: selected ? member.reason : null,
    language: member.language,
    summaryBy: member.summary_by,
    storyId: member.story_id,
    timelineAt: selected
      ? Math.min(member.first_appeared_at, itemTimelineAt(member))
      : itemTimelineAt(member),
  };
}

/** Null when the source's title is empty or equals `title`. */
function originalTitleOf(member: Member, title: string): string | null {
  const sourceTitle = member.withholds_title === true ? member.original_title : member.source_title;
  return sourceTitle === title || sourceTitle === '' ? null : sourceTitle;
}
