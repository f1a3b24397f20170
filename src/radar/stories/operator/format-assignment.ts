// Formats a line of the assignment log for operators.
import type { StoredAssignment } from '../../../store/radar/stories/story-assignments.ts';

type Line = Pick<StoredAssignment, 'reason' | 'score' | 'features'>;
type Language = 'en' | 'zh-CN';

const percent = (score: number) => `${Math.round(score * 100)} %`;

type Reasons = Readonly<Record<string, (score: number) => string>>;

const reasons: Readonly<Record<Language, Reasons>> = {
  en: {
    founded: (score) =>
      `first report of its event; no other story is similar (${percent(score)} sure)`,
    joined: (score) => `${percent(score)} likely to be the same event`,
    'same-news': () => 'duplicate of an earlier report in this story',
    'same-title': () => 'same title as an earlier report in this story',
    roundup: () => 'a roundup of several events: no other report is added',
    'no-text': () => 'no text to compare: no other report is added',
    pinned: () => 'an operator decided',
    merged: (score) =>
      score === 1
        ? 'its story was merged into this one'
        : `its story was found to be the same event (${percent(score)} likely)`,
    split: () => 'split from a story that described two events',
    revisited: () => 'clustered again: it belongs here',
    restored: () => 'restored by an undo',
    undone: () => 'moved back by an undo',
  },
  'zh-CN': {
    founded: (score) => `该事件的第一篇报道；与其他事件都不相像（把握 ${percent(score)}）`,
    joined: (score) => `${percent(score)} 的可能是同一事件`,
    'same-news': () => '与本事件中较早的一篇报道是同一条新闻',
    'same-title': () => '与本事件中较早的一篇报道标题相同',
    roundup: () => '汇总多个事件的综述：不再并入其他报道',
    'no-text': () => '没有可供判断的文字：不再并入其他报道',
    pinned: () => '由编辑指定',
    merged: (score) =>
      score === 1
        ? '它原来的事件已并入本事件'
        : `它原来的事件与本事件是同一件事（可能性 ${percent(score)}）`,
    split: () => '从一个包含两件事的事件中拆出',
    revisited: () => '重新判断后归入本事件',
    restored: () => '因撤销而恢复',
    undone: () => '撤销后移回',
  },
};

/** Phrases for decisions of a model. */
const phrases: Readonly<Record<Language, Readonly<Record<string, string>>>> = {
  en: {
    joined: 'a model found the same event',
    merged: 'a model compared both stories in both orders and found the same event',
  },
  'zh-CN': {
    joined: '模型认为它讲的是同一事件',
    merged: '模型按两种先后顺序比较了两个事件，都认为是同一件事',
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
    if (to !== storyId) return `“${title}”移至 ${to}：${reason}`;
    return from === null
      ? `“${title}”归入本事件：${reason}`
      : `“${title}”从 ${from} 移来：${reason}`;
  }
  if (to !== storyId) return `“${title}” moved to ${to}: ${reason}`;
  if (from === null) return `“${title}” added: ${reason}`;
  return `“${title}” moved from ${from}: ${reason}`;
}
