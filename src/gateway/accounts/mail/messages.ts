// Writes the mails to customers in the account's language. Each mail is plain text with its reason
// and its links.
import type { MailMessage } from '../../../store/gateway/outgoing-mails.ts';

import type { MailLanguage } from './mail-site.ts';

type MailRecipient = {
  readonly to: string;
  readonly site: string;
  readonly language: MailLanguage;
};

export function verificationMail({ to, site, language }: MailRecipient, url: string): MailMessage {
  return language === 'en'
    ? mail(to, `Confirm your address for ${site}`, [
        `An account at ${site} was created with this address, most likely by you.`,
        `Confirm that the address is yours:\n${url}`,
        'The link works once, within 24 hours. If this was not you, do nothing.',
      ])
    : mail(to, `确认您在 ${site} 的邮箱`, [
        `有人（多半是您）用这个邮箱在 ${site} 注册了账号。`,
        `请确认邮箱属于您：\n${url}`,
        '链接在 24 小时内有效，只能用一次。如果不是您本人，可以忽略这封邮件。',
      ]);
}

/**
 * The mail after a sign-up with the address of an existing account. The page shows the same text as
 * for a new account.
 */
export function takenAddressMail(
  { to, site, language }: MailRecipient,
  signIn: string,
  reset: string,
): MailMessage {
  return language === 'en'
    ? mail(to, `You already have an account at ${site}`, [
        `This address was used to sign up at ${site}, most likely by you. ` +
          'It already has an account, so nothing was changed.',
        `Sign in:\n${signIn}`,
        `If you have forgotten the password:\n${reset}`,
      ])
    : mail(to, `您在 ${site} 已经有账号`, [
        `有人（多半是您）想用这个邮箱在 ${site} 注册。该邮箱已有账号，没有做任何更改。`,
        `登录：\n${signIn}`,
        `忘记密码：\n${reset}`,
      ]);
}

export function resetMail({ to, site, language }: MailRecipient, url: string): MailMessage {
  return language === 'en'
    ? mail(to, `A new password for ${site}`, [
        `A new password for ${site} was requested, most likely by you.`,
        `Choose it here:\n${url}`,
        'The link works once, within an hour. If this was not you, do nothing: your password ' +
          'stays as it is.',
      ])
    : mail(to, `重设您在 ${site} 的密码`, [
        `有人（多半是您）请求重设 ${site} 的密码。`,
        `在这里设置新密码：\n${url}`,
        '链接在一小时内有效，只能用一次。如果不是您本人，可以忽略这封邮件，密码不会改变。',
      ]);
}

/** The mail after a second sign-up with an unconfirmed address and another password. */
export function choosePasswordMail(
  { to, site, language }: MailRecipient,
  url: string,
): MailMessage {
  return language === 'en'
    ? mail(to, `Choose a password for ${site}`, [
        `This address was used more than once to sign up at ${site}, with different passwords. ` +
          'None of these passwords works.',
        `Confirm that the address is yours, and choose a password:\n${url}`,
        'The link works once, within an hour. Keys that were created before will stop working. ' +
          'If this was not you, do nothing.',
      ])
    : mail(to, `设置您在 ${site} 的密码`, [
        `有人（多半是您）用这个邮箱在 ${site} 注册了不止一次，所用的密码不同。这些密码都已失效。`,
        `请确认邮箱属于您，并设置密码：\n${url}`,
        '链接在一小时内有效，只能用一次。之前创建的密钥将失效。' +
          '如果不是您本人，可以忽略这封邮件。',
      ]);
}

/** The mail to the new address of an account. */
export function newAddressMail({ to, site, language }: MailRecipient, url: string): MailMessage {
  return language === 'en'
    ? mail(to, `Confirm your new address for ${site}`, [
        `This address was entered as the new sign-in address at ${site}, most likely by you.`,
        `Confirm that the address is yours:\n${url}`,
        'The link works once, within 24 hours. If this was not you, do nothing.',
      ])
    : mail(to, `确认您在 ${site} 的新邮箱`, [
        `有人（多半是您）希望今后用这个邮箱登录 ${site}。`,
        `请确认邮箱属于您：\n${url}`,
        '链接在 24 小时内有效，只能用一次。如果不是您本人，可以忽略这封邮件。',
      ]);
}

/** The mail to the old address while the change can still be cancelled. */
export function addressChangeRequestedMail(
  { to, site, language }: MailRecipient,
  { address, reset }: { readonly address: string; readonly reset: string },
): MailMessage {
  return language === 'en'
    ? mail(to, `${site}: a change of address was requested`, [
        `A change of the address of your account at ${site} to ${address} was requested, most ` +
          'likely by you. Nothing changes before the new address is confirmed.',
        `If this was not you, choose a new password at once. This cancels the change:\n${reset}`,
      ])
    : mail(to, `${site}：有人申请更换邮箱`, [
        `有人（多半是您）申请把您在 ${site} 的账号邮箱换成 ${address}。` +
          '在新邮箱确认之前，什么都不会改变。',
        `如果不是您本人，请立即重设密码，更换随之作废：\n${reset}`,
      ]);
}

/** The mail to the old address after the change. */
export function addressChangedMail(
  { to, site, language }: MailRecipient,
  address: string,
): MailMessage {
  return language === 'en'
    ? mail(to, `${site}: the address of your account was changed`, [
        `Your account at ${site} has another address now: ${address}. Mails go there from now on.`,
        `If this was not you, contact the operator of ${site} at once.`,
      ])
    : mail(to, `${site}：账号邮箱已更换`, [
        `您在 ${site} 的账号邮箱已换成 ${address}，今后的邮件都会寄到那里。`,
        `如果不是您本人，请立即联系 ${site} 的运营者。`,
      ]);
}

/** The last mail of an account. `cash`: the remaining money as text; null: none. */
export function deletedAccountMail(
  { to, site, language }: MailRecipient,
  { accountId, cash }: { readonly accountId: string; readonly cash: string | null },
): MailMessage {
  return language === 'en'
    ? mail(to, `${site}: your account is deleted`, [
        `Your account at ${site} is deleted. Its keys no longer work. ` +
          'This is the last mail about it.',
        `The ledger keeps the amounts of the account under this id:\n${accountId}`,
        ...(cash === null
          ? []
          : [`${cash} of paid money is left. To get it back, send the operator this id.`]),
        `If this was not you, contact the operator of ${site} at once.`,
      ])
    : mail(to, `${site}：您的账号已删除`, [
        `您在 ${site} 的账号已删除，所有密钥都已失效。这是它的最后一封邮件。`,
        `账本以下面的编号保留其金额：\n${accountId}`,
        ...(cash === null ? [] : [`还有已支付的余额 ${cash}。如需退款，请把编号发给运营者。`]),
        `如果不是您本人，请立即联系 ${site} 的运营者。`,
      ]);
}

export const mail = (to: string, subject: string, paragraphs: readonly string[]): MailMessage => ({
  to,
  subject,
  text: `${paragraphs.join('\n\n')}\n`,
});
