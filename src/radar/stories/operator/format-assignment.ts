// Formats a line of the assignment log for operators.
import type { StoredAssignment } from '../../../store/radar/stories/story-assignments.ts';

type Line = Pick<StoredAssignment, 'reason' | 'score' | 'features'>;
type Language = 'en' | 'zh-CN';

const percent = (score: number) => `${Math.round(score * 100)} %`;

type Reasons = Readonly<Record<string, (score: number) => string>>;

const reasons: Readonly<Record<Language, Reasons>> = {
  en: {
    founded: (score) => `first report of its event; like no other story (${percent(score)} sure)`,
    joined: (score) => `${percent(score)} likely to be the same event`,
    'same-news': () => 'the same news as a report that was here before',
    'same-title': () => 'has the same title as a report that was here before',
    roundup: () => 'a roundup of several events: nothing joins it',
    'no-text': () => 'without words to go by: nothing joins it',
    pinned: () => 'an operator decided',
    merged: (score) =>
      score === 1
        ? 'its story was merged into this one'
        : `its story turned out to be this one (${percent(score)} likely)`,
    split: () => 'taken out of a story that was two',
    revisited: () => 'clustered again: it belongs here',
    restored: () => 'restored by an undo',
    undone: () => 'put back: what had moved it was undone',
  },
  'zh-CN': {
    founded: (score) => `该事件的第一篇报道；与其他事件都不相像（把握 ${percent(score)}）`,
    joined: (score) => `${percent(score)} 的可能是同一事件`,
    'same-news': () => '与已在此处的一篇报道是同一条新闻',
    'same-title': () => '与已在此处的一篇报道标题相同',
    roundup: () => '汇总多个事件的综述：不再并入其他报道',
    'no-text': () => '没有可供判断的文字：不再并入其他报道',
    pinned: () => '由编辑指定',
    merged: (score) =>
      score === 1
        ? '它所属的事件被合并到这里'
        : `它所属的事件原来就是这一个（可能性 ${percent(score)}）`,
    split: () => '从一个实为两件事的事件中取出',
    revisited: () => '重新判断后归到这里',
    restored: () => '因撤销而恢复',
    undone: () => '放回原处：当初的移动已被撤销',
  },
};

/** Phrases for decisions of a model. */
const phrases: Readonly<Record<Language, Readonly<Record<string, string>>>> = {
  en: {
    joined: 'a model found the same event',
    merged: 'a model matched its story with this one in both directions',
  },
  'zh-CN': {
    joined: '模型认为它讲的是同一事件',
    merged: '模型从两个方向被问到，都认为它所属的事件就是这一个',
  },
};

/** The reason for an item's assignment. */
export function formatReason({ reason, score, features }: Line, language: Language = 'en'): string {
  const byModel = features.model === 1 ? phrases[language][reason] : undefined;
  if (byModel !== undefined) return byModel;
  return reasons[language][reason]?.(score) ?? reason;
}

/** One log entry from the view of a story: an item was added or removed. */
export function formatAssignment(
  assignment: Line & Pick<StoredAssignment, 'story_id' | 'from_story_id'>,
  storyId: string,
  title: string,
  language: Language = 'en',
): string {
  const { story_id: to, from_story_id: from } = assignment;
  const reason = formatReason(assignment, language);
  if (language === 'zh-CN') {
    if (to !== storyId) return `“${title}”移到了 ${to}：${reason}`;
    return from === null ? `“${title}”来到这里：${reason}` : `“${title}”从 ${from} 移来：${reason}`;
  }
  if (to !== storyId) return `“${title}” left for ${to}: ${reason}`;
  if (from === null) return `“${title}” came: ${reason}`;
  return `“${title}” came from ${from}: ${reason}`;
}
