// Compares two stories, for a warning before an operator merges them.
import { DAY_MS } from '../../../kernel/time/durations.ts';
import { detectLanguage } from '../../language/detect-language.ts';
import { tokensOf } from '../../language/write-lead.ts';
import type { StoryRecord } from './show-story.ts';

export type StoryComparison = {
  /**
   * No title of one story shares a significant word with a title of the other. Stories in different
   * languages are not compared.
   */
  readonly isDissimilar: boolean;
  /** Whole days between the last report of the earlier and the first of the later story. */
  readonly daysApart: number;
};

export function compareStories(
  a: Pick<StoryRecord, 'members'>,
  b: Pick<StoryRecord, 'members'>,
): StoryComparison {
  const wordsOf = ({ members }: Pick<StoryRecord, 'members'>) =>
    new Set(members.flatMap(({ title }) => [...tokensOf(title)]));
  const [first, second] = [wordsOf(a), wordsOf(b)];
  const isComparable = [...languagesOf(a)].some((language) => languagesOf(b).has(language));
  const timesOf = ({ members }: Pick<StoryRecord, 'members'>) => members.map(({ at }) => at);
  const gap = Math.max(
    Math.min(...timesOf(a)) - Math.max(...timesOf(b)),
    Math.min(...timesOf(b)) - Math.max(...timesOf(a)),
  );
  return {
    isDissimilar: isComparable && ![...first].some((word) => second.has(word)),
    daysApart: Number.isFinite(gap) ? Math.max(0, Math.floor(gap / DAY_MS)) : 0,
  };
}

const languagesOf = ({ members }: Pick<StoryRecord, 'members'>) =>
  new Set(members.map(({ title }) => detectLanguage(title, null)));
