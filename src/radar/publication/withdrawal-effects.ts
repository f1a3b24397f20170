// Finds the public documents that would change if an item were withdrawn. It changes nothing.
import type { Db } from '../../kernel/ports/db.ts';
import { listPublicItemRows } from '../../store/radar/publication/public-items.ts';
import { readStoryTitles } from '../../store/radar/stories/story-list.ts';
import { listReportsOfItems, listStoryReports } from '../../store/radar/stories/story-reports.ts';
import { documentsOf } from './publish-groups.ts';

export type WithdrawalEffects = {
  readonly isPublic: boolean;
  readonly stories: readonly {
    readonly id: string;
    readonly title: string;
    readonly otherReports: number;
  }[];
  readonly reports: readonly {
    readonly kind: 'daily' | 'weekly' | 'monthly';
    readonly key: string;
  }[];
};

export async function readWithdrawalEffects(db: Db, itemId: string): Promise<WithdrawalEffects> {
  const isPublic = (await listPublicItemRows(db, [itemId])).length > 0;
  if (!isPublic) return { isPublic, stories: [], reports: [] };
  const documents = await documentsOf(db, [itemId]);
  const storyIds = (await listReportsOfItems(db, [itemId])).map(({ storyId }) => storyId);
  const titles = await readStoryTitles(db, storyIds);
  const members = await listStoryReports(db, storyIds);
  return {
    isPublic,
    stories: [...new Set(storyIds)].map((id) => ({
      id,
      title: titles.get(id) ?? id,
      otherReports: members.filter((member) => member.storyId === id && member.id !== itemId)
        .length,
    })),
    reports: documents.flatMap(({ kind, key }) =>
      kind === 'daily' || kind === 'weekly' || kind === 'monthly' ? [{ kind, key }] : [],
    ),
  };
}
