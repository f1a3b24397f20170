// Messages of the security log of an account, in both languages.
import type { Language } from '../../../kernel/web/language.ts';
import type { SecurityEventKind } from '../../accounts/security-events.ts';

const events: Readonly<Record<SecurityEventKind, string>> = {
  signed_in: 'Signed in',
  signed_in_new_browser: 'Signed in from a new browser',
  sign_in_locked: 'Sign-in refused after too many attempts',
  session_ended: 'One session signed out',
  other_sessions_ended: 'All other sessions signed out',
  password_changed: 'Password changed',
  password_reset: 'Password replaced through a link in a mail',
  password_set_by_operator: 'Password set by the operator',
  address_requested: 'Change of the e-mail address requested',
  address_changed: 'E-mail address changed',
  factor_on: 'One-time codes switched on',
  factor_off: 'One-time codes switched off',
  recovery_codes_renewed: 'New recovery codes',
  live_key_made: 'Live key made',
  test_key_made: 'Test key made',
  key_changed: 'Name or limits of a key changed',
  key_revoked: 'Key revoked',
  webhook_added: 'Webhook added',
  webhook_changed: 'Webhook changed',
  webhook_secret_changed: 'New secret of a webhook',
  webhook_removed: 'Webhook removed',
  data_downloaded: 'Data of the account downloaded',
};

const en = {
  title: 'Security log',
  about:
    'Sign-ins of your account, and changes of its keys, password, codes, address and webhooks. ' +
    'Entries are kept for a year and cannot be changed.',
  unknown:
    'Did you not cause one of these events? Change your password, which signs out every other ' +
    'browser, and revoke keys that you do not know.',
  toAccount: 'Account and password',
  toKeys: 'Keys',
  open: 'Open the security log',
  none: 'Nothing has happened since the log began.',
  at: 'Time',
  what: 'Event',
  from: 'Address',
  browser: 'Browser',
  unknownBrowser: 'unknown',
  operator: 'operator of this installation',
  export: 'The whole log as a file:',
  older: 'Older',
  newest: 'Newest',
  events,
};

const zh: typeof en = {
  title: '安全记录',
  about: '账号的登录，以及密钥、密码、动态验证码、邮箱和 Webhook 的更改。记录保留一年，不能修改。',
  unknown: '有不是您做的事？请更改密码，其他浏览器都会退出登录，并吊销您不认识的密钥。',
  toAccount: '账号与密码',
  toKeys: '密钥',
  open: '查看安全记录',
  none: '开始记录以来还没有事件。',
  at: '时间',
  what: '事件',
  from: '地址',
  browser: '浏览器',
  unknownBrowser: '未知',
  operator: '本站运营者',
  export: '下载全部记录：',
  older: '更早',
  newest: '最新',
  events: {
    signed_in: '登录',
    signed_in_new_browser: '在新的浏览器上登录',
    sign_in_locked: '尝试次数太多，登录被拒绝',
    session_ended: '退出了一处登录',
    other_sessions_ended: '退出了其他所有登录',
    password_changed: '更改密码',
    password_reset: '通过邮件链接重设密码',
    password_set_by_operator: '运营者设置了密码',
    address_requested: '申请更换邮箱',
    address_changed: '更换邮箱',
    factor_on: '启用动态验证码',
    factor_off: '关闭动态验证码',
    recovery_codes_renewed: '换用新的恢复码',
    live_key_made: '新建正式密钥',
    test_key_made: '新建测试密钥',
    key_changed: '更改密钥的名称或限制',
    key_revoked: '吊销密钥',
    webhook_added: '添加 Webhook',
    webhook_changed: '更改 Webhook',
    webhook_secret_changed: '更换 Webhook 的签名密钥',
    webhook_removed: '删除 Webhook',
    data_downloaded: '下载账号数据',
  },
};

export const securityLogMessages = (language: Language): typeof en => (language === 'en' ? en : zh);
