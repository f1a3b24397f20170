// Messages about the model enrichment of an item, for operators.
import type { Language } from '../../../kernel/web/language.ts';

type Words = {
  readonly heading: string;
  readonly orders: (count: number) => string;
  readonly steps: Readonly<Record<string, string>>;
  readonly why: Readonly<Record<string, string>>;
  readonly builtIn: string;
  readonly readings: string;
  readonly apart: string;
  readonly tags: string;
  readonly facts: string;
  readonly dropped: string;
};

const en: Words = {
  heading: 'How it was enriched',
  orders: (count) =>
    count === 1
      ? 'One place of the text gives orders to machines. It was taken out before anything was read.'
      : `${count} places of the text give orders to machines. ` +
        'They were taken out before anything was read.',
  steps: {
    prefilter: 'Of the field',
    score: 'Score, first reading',
    'score-again': 'Score, second reading',
    sort: 'Category and tags',
    write: 'Title, summary, reason',
    facts: 'Facts',
  },
  why: {
    unconfigured: 'no model for this step',
    budget: 'the budget was spent',
    failed: 'the model’s server failed',
    refused: 'the answer broke a rule, and so did its repair',
    held: 'an earlier answer is still unknown',
  },
  builtIn: 'Rules',
  readings: 'Readings',
  apart: 'far apart',
  tags: 'Tags',
  facts: 'What it states',
  dropped: 'Dropped by the guard rails',
};

const zh: Words = {
  heading: '评判过程',
  orders: (count) => `原文有 ${count} 处在向机器下指令，已在阅读之前删去。`,
  steps: {
    prefilter: '是否属于本领域',
    score: '评分（第一次）',
    'score-again': '评分（第二次）',
    sort: '分类与标签',
    write: '标题、摘要与理由',
    facts: '事实',
  },
  why: {
    unconfigured: '此步骤未配置模型',
    budget: '预算已用完',
    failed: '模型服务出错',
    refused: '回答违反规则，修正后仍然违反',
    held: '先前一次回答的结果尚不明确',
  },
  builtIn: '规则',
  readings: '两次评分',
  apart: '相差较大',
  tags: '标签',
  facts: '所述事实',
  dropped: '被校验规则舍弃',
};

export const modelMessages = (language: Language): Words => (language === 'en' ? en : zh);
