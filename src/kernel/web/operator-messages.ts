// Texts of sign-in, invitations and profiles of operators, in both languages.
import type { Language } from './language.ts';

const english = {
  signIn: 'Sign in',
  password: 'Password',
  passwordHelp:
    'The first start stored the password of the first owner in first-run.json ' +
    '(operator_password). ' +
    'To set a new password: npx radar operator password',
  yourName: 'Name',
  yourNameHelp: 'Your name as an operator. Empty: the first owner.',
  oneTimeCode: 'One-time code',
  oneTimeCodeHelp: 'Only if you have switched on one-time codes. A recovery code works as well.',
  signInProblems: {
    wrong: 'The name or the password is wrong.',
    stale: 'This form has expired. Your password was not checked: please try again.',
    ended: 'Your session has ended, so nothing was changed. Please sign in and repeat the action.',
    one_time_link:
      'The setup link works once, within an hour, and only on the machine of the radar. ' +
      'Sign in to open the setup page.',
    sign_in_too_old:
      'Actions on money, deletions and operators require a sign-in within the last ten minutes. ' +
      'Nothing was changed yet.',
    code_needed: 'Enter both the password and the one-time code of your device.',
    code_wrong: 'That is not a valid one-time code, or it was used before.',
  },
  tooMany: (seconds: number) =>
    `Too many tries. Wait ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`,
  invitation: 'Your invitation',
  invitationAbout: (name: string) =>
    `You are invited as an operator with the name ${name}. Choose a password.`,
  invitationOver: 'This invitation was accepted, withdrawn, or is more than seven days old.',
  invitationAccepted: 'Your password is set. Sign in with it.',
  newPassword: 'New password',
  newPasswordHelp: 'At least 10 characters that are hard to guess.',
  passwordAgain: 'The same password again',
  passwordsDiffer: 'The two passwords differ.',
  setPassword: 'Set the password',
};

export type OperatorMessages = typeof english;

const chinese: OperatorMessages = {
  signIn: '登录',
  password: '密码',
  passwordHelp:
    '首位所有者的密码在首次启动时写入 first-run.json，名为 operator_password。' +
    '设置新密码：npx radar operator password',
  yourName: '名称',
  yourNameHelp: '您的运营者名称。留空表示首位所有者。',
  oneTimeCode: '动态验证码',
  oneTimeCodeHelp: '仅在您启用了动态验证码时填写，也可填写恢复码。',
  signInProblems: {
    wrong: '名称或密码不对。',
    stale: '表单已过期，与密码无关，请再试一次。',
    ended: '会话已结束，没有做任何更改。请登录后再做一次。',
    one_time_link:
      '设置链接只能使用一次，一小时内有效，且只能在运行本站的机器上打开。请登录后打开设置页。',
    sign_in_too_old: '涉及资金、删除账号和运营者的操作需要在十分钟内登录过。尚未做任何更改。',
    code_needed: '请同时填写密码和设备上的动态验证码。',
    code_wrong: '动态验证码不对，或已经用过。',
  },
  tooMany: (seconds) => `尝试次数太多，请等 ${seconds} 秒。`,
  invitation: '您的邀请',
  invitationAbout: (name) => `您受邀成为运营者，名称为 ${name}。请设置密码。`,
  invitationOver: '此邀请已被接受、已撤回，或已超过七天。',
  invitationAccepted: '密码已设置，请登录。',
  newPassword: '新密码',
  newPasswordHelp: '至少 10 个不易猜到的字符。',
  passwordAgain: '再次输入密码',
  passwordsDiffer: '两次输入的密码不同。',
  setPassword: '设置密码',
};

export const operatorMessages = (language: Language): OperatorMessages =>
  language === 'zh-CN' ? chinese : english;
