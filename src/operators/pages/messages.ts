// Texts of the operators' pages in both languages.
import type { Language } from '../../kernel/web/language.ts';
import type { FieldTexts } from '../../kernel/web/saved-form.ts';
import type { OperatorProblem } from '../operators.ts';
import type { OperatorRole } from '../roles.ts';

const english = {
  operators: 'Operators',
  operatorsAbout:
    'Each operator has a name, a role and a password. The audit log records the name. ' +
    'A role takes effect with the next request.',
  name: 'Name',
  role: 'Role',
  factor: 'One-time codes',
  state: 'State',
  active: 'active',
  invitedUntil: (day: string) => `invited until ${day}`,
  on: 'on',
  off: 'off',
  you: 'you',
  roles: {
    owner: 'Owner',
    editor: 'Editor',
    treasurer: 'Treasurer',
    support: 'Support',
    auditor: 'Auditor',
  } satisfies Record<OperatorRole, string>,
  roleAbout: {
    owner: 'everything, operators included',
    editor: 'sources, items, stories, reports and channels of the radar',
    treasurer: 'prices, credits, refunds, vouchers and top-ups of the gateway',
    support: 'accounts, limits, jobs and switches of the gateway; no money',
    auditor: 'read access to both admin areas; no changes',
  } satisfies Record<OperatorRole, string>,
  changeRole: 'Change the role',
  remove: 'Remove',
  resetFactor: 'Switch one-time codes off',
  invite: 'Invite an operator',
  inviteAbout:
    'The page after this form shows an address for the invited person. It is valid for seven ' +
    'days and works once.',
  inviteButton: 'Create the invitation',
  invited: (name: string) => `${name} is invited`,
  invitedAbout: 'Send this address to that person. It is shown only now.',
  backToOperators: 'To the operators',
  done: {
    role: 'The role is changed.',
    remove: 'The operator is removed, and all sessions of that operator have ended.',
    factor:
      'One-time codes are off for that operator, and all of the operator’s sessions have ended.',
    password: 'Your password is changed, and your other sessions have ended.',
    codes_off: 'Your one-time codes are off.',
    others: 'Your other sessions have ended.',
  },
  problems: {
    name: 'A name has 1 to 60 characters, without control characters, < and >.',
    name_taken: 'An operator has that name already.',
    role: 'Choose one of the roles.',
    not_found: 'There is no such operator.',
    last_owner: 'This is the last owner. Make another operator an owner first.',
    self: 'You cannot remove yourself or change your own role. Another owner can do this.',
  } satisfies Record<OperatorProblem, string>,
  profile: 'Your profile',
  profileAbout: (name: string, role: string) => `You are ${name}, with the role ${role}.`,
  factorRequired:
    'Other machines can reach this installation, so owners and treasurers need one-time codes. ' +
    'Set up your one-time codes to continue.',
  changePassword: 'Change the password',
  currentPassword: 'Current password',
  newPassword: 'New password',
  newPasswordHelp: 'At least 10 characters that are hard to guess.',
  passwordWrong: 'This password is wrong.',
  codesOn: (remaining: number) => `One-time codes are on; ${remaining} recovery codes are left.`,
  codesOff: 'One-time codes are off: your password alone is enough to sign in.',
  setUpCodes: 'Set up one-time codes',
  setUpCodesAbout:
    'Scan the QR code with an authenticator app, then type the six digits that it shows.',
  image: 'QR code of the secret',
  secretHelp: 'Or type this secret into the app:',
  code: 'Code',
  codeWrong: 'This code does not belong to this secret.',
  codesStale: 'This page has expired. Here is a new secret.',
  switchOn: 'Switch one-time codes on',
  switchOff: 'Switch one-time codes off',
  recovery: 'Recovery codes',
  recoveryAbout:
    'Each recovery code works once in place of a one-time code. The codes are shown only now: do ' +
    'not store them on the same device.',
  renewRecovery: 'New recovery codes',
  goOn: 'Go on',
  sessions: 'Sessions',
  session: 'Signed in at',
  from: 'Network',
  thisSession: 'this session',
  endOthers: 'End the other sessions',
  exportAudit: 'Export the audit log:',
  refused: 'Your role does not permit this',
  refusedAbout: (role: string, rights: string) =>
    `${role}: ${rights}. Nothing was changed. An owner changes roles under Operators.`,
  refusedForm: (role: string) => `The role ${role} cannot send this form.`,
};

export type OperatorPageMessages = typeof english;

const chinese: OperatorPageMessages = {
  operators: '运营者',
  operatorsAbout:
    '每位运营者有各自的名称、角色和密码，操作记录中会写明名称。角色从下一次请求起生效。',
  name: '名称',
  role: '角色',
  factor: '动态验证码',
  state: '状态',
  active: '已启用',
  invitedUntil: (day) => `邀请有效期至 ${day}`,
  on: '已启用',
  off: '未启用',
  you: '您',
  roles: { owner: '所有者', editor: '编辑', treasurer: '财务', support: '客服', auditor: '审计' },
  roleAbout: {
    owner: '全部权限，包括运营者',
    editor: '雷达的来源、条目、事件、报告和渠道',
    treasurer: '网关的价格、入账、退款、代金券和充值',
    support: '网关的账号、限额、任务和开关，不涉及资金',
    auditor: '可查看两个运营台，不能更改',
  },
  changeRole: '更改角色',
  remove: '移除',
  resetFactor: '关闭动态验证码',
  invite: '邀请运营者',
  inviteAbout: '提交后会显示一个邀请地址，七天内有效，只能使用一次。',
  inviteButton: '生成邀请',
  invited: (name) => `已邀请 ${name}`,
  invitedAbout: '请把这个地址发给对方。地址只在此处显示一次。',
  backToOperators: '返回运营者列表',
  done: {
    role: '角色已更改。',
    remove: '运营者已移除，其全部会话已结束。',
    factor: '已关闭该运营者的动态验证码，其全部会话已结束。',
    password: '密码已更改，其他会话已结束。',
    codes_off: '动态验证码已关闭。',
    others: '其他会话已结束。',
  },
  problems: {
    name: '名称应有 1 到 60 个字符，不能含控制字符、< 和 >。',
    name_taken: '已有同名的运营者。',
    role: '请选择一个角色。',
    not_found: '没有这位运营者。',
    last_owner: '这是最后一位所有者。请先将另一位运营者设为所有者。',
    self: '运营者不能移除自己或更改自己的角色，可由另一位所有者操作。',
  },
  profile: '个人资料',
  profileAbout: (name, role) => `您是 ${name}，角色为${role}。`,
  factorRequired:
    '其他机器可以访问本系统，因此所有者和财务必须使用动态验证码。请先设置，然后继续。',
  changePassword: '更改密码',
  currentPassword: '当前密码',
  newPassword: '新密码',
  newPasswordHelp: '至少 10 个不易猜到的字符。',
  passwordWrong: '当前密码不对。',
  codesOn: (remaining) => `动态验证码已启用，还有 ${remaining} 个恢复码。`,
  codesOff: '动态验证码未启用：仅凭密码即可登录您的账号。',
  setUpCodes: '设置动态验证码',
  setUpCodesAbout: '用验证器应用扫描二维码，然后填写它显示的验证码。',
  image: '密钥的二维码',
  secretHelp: '或在应用中手动输入此密钥：',
  code: '验证码',
  codeWrong: '这不是该密钥的验证码。',
  codesStale: '页面已过期，以下是新的密钥。',
  switchOn: '启用动态验证码',
  switchOff: '关闭动态验证码',
  recovery: '恢复码',
  recoveryAbout: '每个恢复码可代替动态验证码使用一次。恢复码只在此处显示一次，请与设备分开保存。',
  renewRecovery: '生成新的恢复码',
  goOn: '继续',
  sessions: '会话',
  session: '登录时间',
  from: '网络',
  thisSession: '当前会话',
  endOthers: '结束其他会话',
  exportAudit: '导出记录：',
  refused: '您的角色没有此权限',
  refusedAbout: (role, rights) =>
    `${role}：${rights}。没有做任何更改。所有者可在“运营者”中更改角色。`,
  refusedForm: (role) => `角色“${role}”不能提交此表单。`,
};

export const operatorPageMessages = (language: Language): OperatorPageMessages =>
  language === 'zh-CN' ? chinese : english;

/** Names of the fields of the operators' forms. */
export function operatorFieldTexts(language: Language): FieldTexts {
  const messages = operatorPageMessages(language);
  return {
    labels: { name: messages.name, role: messages.role },
    choices: { role: messages.roles },
  };
}

/** Names of recorded fields, and labels of recorded roles, for the audit logs. */
export function operatorRecordMessages(language: Language) {
  const messages = operatorPageMessages(language);
  return {
    fields: { name: messages.name, role: messages.role, totp: messages.factor },
    values: messages.roles,
  };
}
