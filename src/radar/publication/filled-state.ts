// Counts from the read model for the progress page of a new radar.

import { RANKING_KEY } from './documents/bodies.ts';
import type { PublicItem } from './item.ts';
import { documentOf } from './read-model/documents.ts';
import { pageOf } from './read-model/page.ts';
import { type ReadModel, sizeOf } from './read-model/read-model.ts';

export type FilledState = {
  readonly items: number;
  readonly inStories: number;
  readonly selected: number;
  readonly isRanked: boolean;
};

/** Items of the seven days that the timeline shows. */
export function countFilledState(readModel: ReadModel, now: number): FilledState {
  const items = listItems(readModel, now);
  return {
    items: items.length,
    inStories: items.filter(({ storyId }) => storyId !== null).length,
    selected: items.filter(({ selected }) => selected).length,
    isRanked: documentOf(readModel, 'ranking', RANKING_KEY) !== null,
  };
}

function listItems(readModel: ReadModel, now: number): readonly PublicItem[] {
  const page = pageOf(
    readModel,
    {
      mode: 'all',
      category: null,
      by: 'timeline',
      window: '7d',
      q: null,
      limit: sizeOf(readModel) + 1,
      anchor: null,
    },
    now,
  );
  return page.kind === 'page' ? page.items : [];
}
