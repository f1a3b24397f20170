// Messages about spendable money, the first key and the public price page, in both languages.
import type { Language } from '../../../kernel/web/language.ts';

const en = {
  spendable: 'Can be spent now',
  spendableOf: (allowance: string, balance: string) =>
    `allowance ${allowance} + balance ${balance}`,
  firstKey: 'Create a key and show the first call',
  firstKeyName: 'First key',
  sendHere: 'Send a first call from here',
  budgetOf: (key: string) => `Budget of ${key}`,
  prices: 'Prices',
  pricesAbout:
    'What each capability costs. A call that fails costs nothing. The daily allowance, vouchers ' +
    'and cash pay in this order.',
  priceList: (version: number) => `Price list ${version}`,
  capability: 'Capability',
  price: 'Price',
  amount: 'Quantity',
  cost: 'Cost',
  total: 'Total',
  calculator: 'Calculator',
  calculate: 'Calculate',
  byModel: 'by model and tokens',
  notNumber: 'A whole number from 0 to 1,000,000.',
  units: { call: 'calls', minute: 'minutes' },
  signUp: 'Create an account',
  signIn: 'Sign in',
  notFound: 'There is no such page',
  notFoundAbout: 'The address may be misspelled, or the page has moved.',
};

const zh: typeof en = {
  spendable: '现在可用',
  spendableOf: (allowance, balance) => `免费额度 ${allowance} + 余额 ${balance}`,
  firstKey: '创建密钥并显示第一次调用',
  firstKeyName: '第一个密钥',
  sendHere: '在这里发送第一次调用',
  budgetOf: (key) => `${key}的预算`,
  prices: '价格',
  pricesAbout: '每项能力的价格。失败的调用不收费。依次使用每日免费额度、代金券和现金。',
  priceList: (version) => `价目表 ${version}`,
  capability: '能力',
  price: '价格',
  amount: '数量',
  cost: '费用',
  total: '合计',
  calculator: '费用计算',
  calculate: '计算',
  byModel: '按模型和词元计价',
  notNumber: '0 到 1,000,000 的整数。',
  units: { call: '次', minute: '分钟' },
  signUp: '创建账号',
  signIn: '登录',
  notFound: '没有这样的页面',
  notFoundAbout: '地址可能有误，或页面已移动。',
};

export const spendingMessages = (language: Language): typeof en => (language === 'en' ? en : zh);
