// Writes mails about events that another person could have caused. Each mail names the event and
// the browser, and what the owner can do.
import { formatDate } from '../../../kernel/web/format-time.ts';
import type { MailMessage } from '../../../store/gateway/outgoing-mails.ts';
import { knownBrowserName } from '../browser-name.ts';
import type { SecurityEventKind, SecurityLogEntry } from '../security-events.ts';
import type { MailLanguage, MailSite } from './mail-site.ts';
import { mail } from './messages.ts';

type MailedKind = Extract<
  SecurityEventKind,
  | 'signed_in_new_browser'
  | 'password_changed'
  | 'password_reset'
  | 'password_set_by_operator'
  | 'factor_on'
  | 'factor_off'
  | 'recovery_codes_renewed'
  | 'live_key_made'
  | 'address_changed'
>;

const sentences: Readonly<Record<MailLanguage, Readonly<Record<MailedKind, string>>>> = {
  en: {
    signed_in_new_browser: 'A new browser signed in to your account.',
    password_changed: 'The password of your account was changed.',
    password_reset: 'The password of your account was replaced through a link in a mail.',
    password_set_by_operator: 'The operator set a new password for your account.',
    factor_on: 'One-time codes were switched on for your account.',
    factor_off: 'One-time codes were switched off for your account.',
    recovery_codes_renewed: 'New recovery codes were made for your account.',
    live_key_made: 'A new live key was made in your account.',
    address_changed: 'This is the address of your account now.',
  },
  'zh-CN': {
    signed_in_new_browser: '您的账号在新的浏览器上登录。',
    password_changed: '您账号的密码已更改。',
    password_reset: '您账号的密码已通过邮件链接重设。',
    password_set_by_operator: '运营者为您的账号设置了新密码。',
    factor_on: '您的账号已启用动态验证码。',
    factor_off: '您的账号已关闭动态验证码。',
    recovery_codes_renewed: '您的账号已换用新的恢复码。',
    live_key_made: '您的账号新建了一个正式密钥。',
    address_changed: '您的账号从现在起使用这个邮箱。',
  },
};

const isMailed = (kind: SecurityEventKind): kind is MailedKind => Object.hasOwn(sentences.en, kind);

/** Null: this kind of event causes no mail. */
export function securityMail(
  site: MailSite,
  { to, language }: { readonly to: string; readonly language: MailLanguage },
  entry: SecurityLogEntry,
): MailMessage | null {
  const { kind } = entry;
  if (!isMailed(kind)) return null;
  const sentence = sentences[language][kind];
  const [reset, log] = [`${site.url}/console/reset`, `${site.url}/console/account/security-log`];
  return language === 'en'
    ? mail(to, `${site.name}: ${sentence}`, [
        sentence,
        formatFacts(entry, language),
        'If this was you, there is nothing to do.',
        'If this was not you, choose a new password at once; this signs out every browser:\n' +
          reset,
        `Then look at what was done in your account, and revoke keys that you do not know:\n${log}`,
      ])
    : mail(to, `${site.name}：${sentence}`, [
        sentence,
        formatFacts(entry, language),
        '如果是您本人，可以忽略这封邮件。',
        `如果不是您本人，请立即重设密码，所有浏览器都会退出登录：\n${reset}`,
        `然后查看账号里发生过什么，并吊销您不认识的密钥：\n${log}`,
      ]);
}

const labels = {
  en: { at: 'Time', key: 'Key', from: 'Address', browser: 'Browser', colon: ': ' },
  'zh-CN': { at: '时间', key: '密钥', from: '地址', browser: '浏览器', colon: '：' },
} as const;

/** The time, key, address and browser of an event, as one line each. */
function formatFacts(
  { at, subject, address, agent }: SecurityLogEntry,
  language: MailLanguage,
): string {
  const names = labels[language];
  const lines = [
    [names.at, `${formatDate(language, at, null)} (Asia/Shanghai)`],
    [names.key, subject],
    [names.from, address],
    // An unknown user agent is omitted, because an attacker could write a message into it.
    [names.browser, knownBrowserName(agent)],
  ] as const;
  return lines
    .filter(([, value]) => value !== null)
    .map(([label, value]) => `${label}${names.colon}${value}`)
    .join('\n');
}
