// Messages about the download of an account's data, in both languages.
import type { Language } from '../../../kernel/web/language.ts';

const en = {
  title: 'Your data',
  about:
    'Everything that is stored about this account, as one file of JSON lines: keys without their ' +
    'secrets, calls, responses and requests that are still kept, money, webhooks, sessions and ' +
    'the security log. Amounts are in units of ¥0.00000001.',
  download: 'Download all data',
};

const zh: typeof en = {
  title: '您的数据',
  about:
    '本站保存的关于此账号的全部数据，是一个 JSON 行文件：不含机密的密钥信息、调用、' +
    '仍在保留的请求与响应、资金、Webhook、登录和安全记录。金额以 ¥0.00000001 为单位。',
  download: '下载全部数据',
};

export const accountDataMessages = (language: Language): typeof en => (language === 'en' ? en : zh);
