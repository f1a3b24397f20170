// Messages for corrections, withdrawals and the placement of stories, in both languages.
import type { Language } from '../../../kernel/web/language.ts';

const en = {
  textHelp: 'The text that readers see. Without a correction the radar shows:',
  changedFrom: 'Difference from the text of the radar:',
  showDifference: 'Show the difference',
  differenceTitle: 'What would change',
  noDifference: 'Nothing would change.',
  undo: 'Undo',
  reason: 'Reason, for the audit log',
  reasonHelp: 'The audit log stores the reason. Readers never see it.',
  reasonMissing: 'Give a reason.',
  withdrawTitle: (title: string) => `Withdraw “${title}”?`,
  withdrawNow: 'Withdraw it',
  readerEffects: 'What readers will see',
  effectNoItem: 'The item is in no list, feed, search or mirror.',
  effectNotPublic: 'Readers do not see this item now, so nothing changes for them.',
  effectStoryGone: 'This story has no other report and disappears:',
  effectStoryShorter: (reports: number) =>
    `This story keeps ${reports} other ${reports === 1 ? 'report' : 'reports'}, and its text ` +
    'is rewritten:',
  effectReport: 'This report loses the entry and shows a correction note:',
  allCategories: 'Every category',
  choose: 'Choose',
  bulkCategory: 'Category of the chosen items',
  bulkSave: 'Set the category',
  bulkNone: 'Choose at least one item and a category.',
  bulkDone: (count: number) =>
    `${count} ${count === 1 ? 'item has' : 'items have'} the category now.`,
  placement: 'Place and name',
  placementAbout:
    'The lead is first in the ranking, and promoted stories follow. A sunk story is not in the ' +
    'ranking. The place applies while the story has recent reports.',
  place: 'Place',
  notRanked:
    'This story is not in the ranking now, so its place has no effect yet. The ranking has ' +
    'stories of the last 48 hours with two independent sources, or with a first party.',
  placements: {
    none: 'as ranked',
    lead: 'lead of the front page',
    promoted: 'promoted',
    sunk: 'sunk',
  },
  storyTitle: 'Title of the story',
  storyTitleHelp: 'If the field is empty, the radar shows:',
  titleTooLong: (max: number) => `At most ${max} characters.`,
  savePlacement: 'Save place and name',
  mergeSearch: 'Merge with another story',
  mergeSearchHelp: 'Words of a title, or the id or address of a story.',
  mergeResults: (q: string) => `Stories with “${q}”`,
  mergeEmpty: 'Type words of the other story’s title.',
  mergeNone: (q: string) => `No story has the words “${q}” in a title.`,
  mergeDissimilar:
    'These stories have little in common: no two of their titles share an important word. ' +
    'Readers will see them as one event.',
  mergeDaysApart: (days: number) => `Their reports are ${days} days apart.`,
};

const zh: typeof en = {
  textHelp: '读者看到的文字。不更正时，雷达显示：',
  changedFrom: '与雷达原文的差别：',
  showDifference: '查看差别',
  differenceTitle: '将会改变的内容',
  noDifference: '没有任何改变。',
  undo: '撤销',
  reason: '原因（写入操作记录）',
  reasonHelp: '保存在操作记录中，读者看不到。',
  reasonMissing: '请填写原因。',
  withdrawTitle: (title) => `撤下“${title}”？`,
  withdrawNow: '撤下',
  readerEffects: '读者将会看到',
  effectNoItem: '这个条目不再出现在任何列表、订阅源、搜索或镜像中。',
  effectNotPublic: '读者现在看不到这个条目，所以对他们没有变化。',
  effectStoryGone: '这个事件没有其他报道，将会消失：',
  effectStoryShorter: (reports) => `这个事件还有 ${reports} 篇其他报道，其文字会重写：`,
  effectReport: '这一期会去掉这条内容，并显示更正说明：',
  allCategories: '全部类别',
  choose: '选择',
  bulkCategory: '所选条目的类别',
  bulkSave: '设置类别',
  bulkNone: '请选择至少一个条目和一个类别。',
  bulkDone: (count) => `已设置 ${count} 个条目的类别。`,
  placement: '位置与名称',
  placementAbout:
    '头条排在榜单最前，其后是提升的事件，下沉的事件不进入榜单。事件有近期报道时有效。',
  place: '位置',
  notRanked:
    '这个事件现在不在榜单上，位置暂不生效。榜单只收最近 48 小时内有两个独立来源或当事方的事件。',
  placements: { none: '按榜单排序', lead: '首页头条', promoted: '提升', sunk: '下沉' },
  storyTitle: '事件标题',
  storyTitleHelp: '留空时，雷达显示：',
  titleTooLong: (max) => `最多 ${max} 个字符。`,
  savePlacement: '保存位置与名称',
  mergeSearch: '与另一个事件合并',
  mergeSearchHelp: '标题中的词，或事件的标识、地址。',
  mergeResults: (q) => `含有“${q}”的事件`,
  mergeEmpty: '请输入另一事件标题中的词语。',
  mergeNone: (q) => `没有标题含有“${q}”的事件。`,
  mergeDissimilar: '这两个事件几乎没有共同点：它们的标题没有相同的关键词。读者会把它们看作一件事。',
  mergeDaysApart: (days) => `它们的报道相隔 ${days} 天。`,
};

export const editingMessages = (language: Language): typeof en => (language === 'en' ? en : zh);
