// Messages of the revenue page, in both languages.
import type { Language } from '../../../kernel/web/language.ts';

const en = {
  title: 'Revenue',
  about: (days: number) =>
    `Charges of calls in live mode by the day on which a call began, at most ${days} days. ` +
    '“Paid” is charged to cash; vouchers and the daily allowance are free to the customer.',
  by: { day: 'By day', account: 'By account', capability: 'By capability' },
  group: { day: 'Day', account: 'Account', capability: 'Capability' },
  from: 'From',
  to: 'To',
  show: 'Show',
  calls: 'Calls',
  succeeded: 'Succeeded',
  paid: 'Paid',
  vouchers: 'Vouchers',
  allowance: 'Allowance',
  total: 'Total',
  cost: 'Provider cost',
  margin: 'Margin',
  unknown: 'unknown',
  atLeast: (amount: string) => `at least ${amount}`,
  atMost: (amount: string) => `at most ${amount}`,
  uncosted: (calls: number) =>
    `The provider cost of ${calls} ${calls === 1 ? 'call' : 'calls'} is unknown.`,
  costsAbout:
    'Costs per call come from providerCosts in radar.config.json, as they are set now. ' +
    'Margin is the paid amount minus the provider cost.',
  none: 'No calls in these days.',
  invalidDays: (days: number) => `Choose a first and a last day, at most ${days} days apart.`,
  csv: 'Download as CSV',
};

const zh: typeof en = {
  title: '收入',
  about: (days) =>
    `正式模式下各次调用的费用，按调用开始的日期统计，一次最多 ${days} 天。` +
    '“付费”由现金支付；代金券和每日免费额度对客户免费。',
  by: { day: '按日', account: '按账号', capability: '按能力' },
  group: { day: '日期', account: '账号', capability: '能力' },
  from: '从',
  to: '到',
  show: '显示',
  calls: '调用',
  succeeded: '成功',
  paid: '付费',
  vouchers: '代金券',
  allowance: '免费额度',
  total: '合计',
  cost: '服务商成本',
  margin: '毛利',
  unknown: '未知',
  atLeast: (amount) => `至少 ${amount}`,
  atMost: (amount) => `至多 ${amount}`,
  uncosted: (calls) => `有 ${calls} 次调用的服务商成本未知。`,
  costsAbout:
    '每次调用的成本取自 radar.config.json 中 providerCosts 的当前设置。' +
    '毛利为付费金额减去服务商成本。',
  none: '这些天没有调用。',
  invalidDays: (days) => `请按先后选择两个日期，相隔最多 ${days} 天。`,
  csv: '下载 CSV',
};

export const revenueMessages = (language: Language): typeof en => (language === 'en' ? en : zh);
