// Messages about models: cost, remaining budgets, routing.

import type { ModelStep } from '../../../kernel/ports/model.ts';
import type { Language } from '../../../kernel/web/language.ts';

type ModelPageMessages = {
  readonly about: string;
  readonly none: string;
  readonly costOf: (days: number) => string;
  readonly noCost: string;
  readonly columns: Readonly<
    Record<'step' | 'model' | 'requests' | 'failures' | 'tokens' | 'cost' | 'builtIn', string>
  >;
  readonly lostRequests: (count: string) => string;
  readonly overBudget: (count: string) => string;
  readonly replacedByRules: (count: number, models: string) => string;
  readonly steps: Readonly<Record<ModelStep | 'embed', string>>;
  readonly budgets: string;
  readonly budgetsAbout: string;
  readonly noBudget: string;
  readonly periods: Readonly<Record<'minute' | 'hour' | 'day', string>>;
  readonly units: Readonly<Record<'requests' | 'tokens' | 'cost', string>>;
  readonly period: string;
  readonly remaining: string;
  readonly exhausted: string;
  readonly routing: string;
  readonly routingAbout: string;
  readonly asConfigured: (model: string) => string;
  readonly builtIn: string;
  readonly save: string;
  readonly unknownModel: (model: string) => string;
  readonly unknown: string;
  readonly unknownAbout: (minutes: number) => string;
  readonly noUnknown: string;
  readonly sentAt: string;
  readonly mayCost: string;
};

const en: ModelPageMessages = {
  about: 'Requests to models, their cost, and the remaining budgets.',
  none:
    'No model is configured: rules enrich every item. ' +
    'Set MODEL_URL and MODEL_NAME to use one.',
  costOf: (days) => `Cost of the last ${days} days`,
  noCost: 'No request was sent yet.',
  columns: {
    step: 'Step',
    model: 'Model',
    requests: 'Requests',
    failures: 'Failed',
    tokens: 'Tokens',
    cost: 'CNY',
    builtIn: 'Rules instead',
  },
  lostRequests: (count) => `${count} with unknown outcome`,
  overBudget: (count) => `${count}: budget used up`,
  replacedByRules: (count, models) =>
    `A budget of ${models} was used up today: rules replaced ${count} ` +
    `${count === 1 ? 'request' : 'requests'}. Enrich the marked items again with ` +
    'radar item rejudge --marked.',
  steps: {
    prefilter: 'Relevant to the radar',
    score: 'Score',
    write: 'Title, summary, reason',
    sort: 'Category and tags',
    facts: 'Facts',
    relate: 'Relation of reports',
    digest: 'Digest of a story',
    report: 'Texts of a report',
    embed: 'Vectors of texts',
  },
  budgets: 'Budgets',
  budgetsAbout: 'When a budget is used up, rules replace the model until the period ends.',
  noBudget: 'No budget is set. Set budgets in radar.config.json, under model.models.',
  periods: { minute: 'this minute', hour: 'this hour', day: 'today' },
  units: { requests: 'requests', tokens: 'tokens', cost: 'CNY' },
  period: 'Period',
  remaining: 'Left',
  exhausted: 'used up',
  routing: 'Model of each step',
  routingAbout: 'A change applies to the next request of every worker.',
  asConfigured: (model) => `As configured (${model})`,
  builtIn: 'rules',
  save: 'Save',
  unknownModel: (model) =>
    `${model} is not configured: add it under model.models in radar.config.json first.`,
  unknown: 'Requests with an unknown outcome',
  unknownAbout: (minutes) =>
    'The request was sent, but no response is stored. It may have been charged. After ' +
    `${minutes} minutes it can be sent once more, so it is charged at most twice.`,
  noUnknown: 'The outcome of every request is known.',
  sentAt: 'Sent',
  mayCost: 'At most',
};

const zh: ModelPageMessages = {
  about: '对模型的请求、其费用，以及剩余的预算。',
  none: '没有配置模型：一切由规则完成。设置 MODEL_URL 和 MODEL_NAME 即可使用模型。',
  costOf: (days) => `最近 ${days} 天的费用`,
  noCost: '还没有发送过请求。',
  columns: {
    step: '步骤',
    model: '模型',
    requests: '请求',
    failures: '失败',
    tokens: '词元',
    cost: '人民币',
    builtIn: '改由规则',
  },
  lostRequests: (count) => `${count} 个请求结果不明`,
  overBudget: (count) => `${count} 个因预算用完`,
  replacedByRules: (count, models) =>
    `今天 ${models} 的预算曾用完：规则代替了 ${count} 个请求。` +
    '带有该标记的条目可用 radar item rejudge --marked 重新整理。',
  steps: {
    prefilter: '是否属于本领域',
    score: '评分',
    write: '标题、摘要、理由',
    sort: '分类与标签',
    facts: '事实',
    relate: '报道之间的关系',
    digest: '事件综述',
    report: '报告文字',
    embed: '文本向量',
  },
  budgets: '预算',
  budgetsAbout: '用完之后由规则接手，直到该时段结束。',
  noBudget: '没有设置。可在 radar.config.json 的 model.models 下设置。',
  periods: { minute: '本分钟', hour: '本小时', day: '今天' },
  units: { requests: '次请求', tokens: '词元', cost: '元' },
  period: '时段',
  remaining: '剩余',
  exhausted: '已用完',
  routing: '各步骤的模型',
  routingAbout: '从下一个请求起，对所有工作进程生效。',
  asConfigured: (model) => `按配置（${model}）`,
  builtIn: '规则',
  save: '保存',
  unknownModel: (model) => `没有名为 ${model} 的模型：请先在 model.models 下写明。`,
  unknown: '结果不明的请求',
  unknownAbout: (minutes) =>
    `请求已发出，但没有保存到答复，可能已经计费。${minutes} 分钟后若仍需要，会再发送一次，` +
    '因此最多计费两次。',
  noUnknown: '所有请求的结果都已知。',
  sentAt: '发出时间',
  mayCost: '至多',
};

export const modelMessages = (language: Language): ModelPageMessages =>
  language === 'en' ? en : zh;
