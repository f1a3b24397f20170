// Messages about the deletion of an account, in both languages.
import type { Language } from '../../../kernel/web/language.ts';

const en = {
  title: 'Delete this account',
  about: 'A deleted account cannot be restored.',
  open: 'Delete this account …',
  what: 'What is deleted',
  deleted: [
    'Your e-mail address, password, codes, sessions and security log.',
    'Keys: calls with them return 401 within a second. Their names and networks are erased.',
    'Requests, responses, jobs and webhooks. Jobs that still run are canceled, and pending ' +
      'deliveries are not sent.',
    'Data of calls that are still running: minutes after the call ends, or at most two days ' +
      'later.',
  ],
  stays: 'What stays',
  kept: (id: string) => [
    `The ledger: amounts, times and ids of calls and payments, under the id ${id}. The id no ` +
      'longer belongs to a person, and the ledger must stay complete.',
    'Texts that the operator wrote for credits and vouchers, and the operators’ own log.',
    'Payments at the payment provider, under its own rules.',
    'Images and videos that calls made, for at most seven days, at addresses that only you have.',
    'Backups, until the operator deletes them by their age.',
  ],
  money: 'Your money',
  nothing: 'There is no remaining money.',
  cash: (amount: string) =>
    `${amount} of paid money is left. This money is not paid out automatically: ask the operator ` +
    'for a refund first. After the deletion you cannot spend the money. It stays in the ledger ' +
    'under the id above, and the operator can still refund it to the card or wallet that paid.',
  vouchers: (amount: string) => `${amount} in vouchers is lost.`,
  held: (amount: string) =>
    `${amount} is held for calls that still run. They are finished and charged as usual.`,
  owed: (amount: string) => `You owe ${amount} for payments that were refunded or disputed.`,
  confirm: (email: string) => `Type ${email} to confirm`,
  wrong: 'This is not the address of this account.',
  moreMoney: 'The money of this account changed meanwhile. Look at the amounts again.',
  submit: 'Delete this account for good',
  keep: 'Keep the account',
  download: 'Download all data first',
  done: 'The account is deleted.',
};

const zh: typeof en = {
  title: '删除此账号',
  about: '删除后无法恢复。',
  open: '删除此账号…',
  what: '将被删除',
  deleted: [
    '邮箱、密码、动态验证码、登录和安全记录。',
    '所有密钥作废：一秒之内返回 401，其名称和网络一并清除。',
    '请求、响应、任务和 Webhook。未完成的任务会取消，待发送的通知不再发送。',
    '仍在进行的调用的数据：在调用结束后几分钟内清除，最迟两天。',
  ],
  stays: '将会保留',
  kept: (id) => [
    `账本：调用和付款的金额、时间与编号，记在 ${id} 名下。该编号不再对应任何人，账本必须保持完整。`,
    '运营者为入账和代金券写的说明，以及运营者自己的操作记录。',
    '支付服务商处的付款，按其规定保留。',
    '调用生成的图片和视频，最多七天，其地址只有您知道。',
    '备份，直到运营者按期删除。',
  ],
  money: '您的资金',
  nothing: '没有余额。',
  cash: (amount) =>
    `还有已支付的余额 ${amount}。它不会自动退还：请先向运营者申请退款。` +
    '删除后您无法再使用它；它记在上述编号名下，运营者仍可退回原支付方式。',
  vouchers: (amount) => `代金券 ${amount} 将作废。`,
  held: (amount) => `${amount} 为进行中的调用所冻结，这些调用会照常完成并扣费。`,
  owed: (amount) => `因付款被退回或有争议，您欠款 ${amount}。`,
  confirm: (email) => `请输入 ${email} 以确认`,
  wrong: '这不是此账号的邮箱。',
  moreMoney: '账号的资金刚刚有变化，请重新核对金额。',
  submit: '永久删除此账号',
  keep: '保留账号',
  download: '先下载全部数据',
  done: '账号已删除。',
};

export const accountDeletionMessages = (language: Language): typeof en =>
  language === 'en' ? en : zh;
