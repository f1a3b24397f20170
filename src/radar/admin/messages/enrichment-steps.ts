// Messages about the model enrichment of an item, for operators.
import type { Language } from '../../../kernel/web/language.ts';

type EnrichmentMessages = {
  readonly heading: string;
  readonly injectedInstructions: (count: number) => string;
  readonly steps: Readonly<Record<string, string>>;
  readonly fallbackReasons: Readonly<Record<string, string>>;
  readonly builtIn: string;
  readonly scores: string;
  readonly scoresDiffer: string;
  readonly tags: string;
  readonly facts: string;
  readonly droppedSentences: string;
};

const en: EnrichmentMessages = {
  heading: 'How it was enriched',
  injectedInstructions: (count) =>
    count === 1
      ? 'One passage of the text gives instructions to machines. It was removed before enrichment.'
      : `${count} passages of the text give instructions to machines. ` +
        'They were removed before enrichment.',
  steps: {
    prefilter: 'Relevant to the radar',
    score: 'Score, first request',
    'score-again': 'Score, second request',
    sort: 'Category and tags',
    write: 'Title, summary, reason',
    facts: 'Facts',
  },
  fallbackReasons: {
    unconfigured: 'no model for this step',
    budget: 'the budget was used up',
    failed: 'the model’s server failed',
    refused: 'the response broke a rule, and so did its corrected version',
    held: 'the outcome of an earlier request is unknown',
  },
  builtIn: 'Rules',
  scores: 'Both scores',
  scoresDiffer: 'far apart',
  tags: 'Tags',
  facts: 'Stated facts',
  droppedSentences: 'Removed by the guardrails',
};

const zh: EnrichmentMessages = {
  heading: '整理过程',
  injectedInstructions: (count) => `原文有 ${count} 处向机器下指令，已在整理之前删去。`,
  steps: {
    prefilter: '是否属于本领域',
    score: '评分（第一次）',
    'score-again': '评分（第二次）',
    sort: '分类与标签',
    write: '标题、摘要与理由',
    facts: '事实',
  },
  fallbackReasons: {
    unconfigured: '此步骤未配置模型',
    budget: '预算已用完',
    failed: '模型服务出错',
    refused: '响应违反规则，修正后仍然违反',
    held: '先前一次请求的结果尚不明确',
  },
  builtIn: '规则',
  scores: '两次评分',
  scoresDiffer: '相差较大',
  tags: '标签',
  facts: '所述事实',
  droppedSentences: '被校验规则舍弃',
};

export const enrichmentMessages = (language: Language): EnrichmentMessages =>
  language === 'en' ? en : zh;
