// Texts of the health page.
import type { Language } from '../../../kernel/web/language.ts';

const en = {
  about: 'What requires an operator now, and where notifications go.',
  none: 'No alert is raised.',
  alerts: 'Raised alerts',
  alert: 'Alert',
  action: 'What to do',
  since: 'Since',
  severities: { warn: 'warning', page: 'urgent' },
  channels: 'Channels',
  channel: 'Channel',
  noChannels: 'No channels yet. Alerts are shown here only.',
  addChannel: 'Add a channel',
  states: { on: 'works', off: 'off', broken: 'broken' },
  failed: 'Deliveries that failed last',
  noFailed: 'No delivery failed.',
};

const zh: typeof en = {
  about: '当前需要处理的情况，以及通知的去向。',
  none: '当前没有告警。',
  alerts: '当前告警',
  alert: '告警',
  action: '如何处理',
  since: '开始时间',
  severities: { warn: '警告', page: '紧急' },
  channels: '渠道',
  channel: '渠道',
  noChannels: '还没有渠道，告警只显示在这里。',
  addChannel: '添加渠道',
  states: { on: '正常', off: '关闭', broken: '故障' },
  failed: '最近失败的投递',
  noFailed: '没有失败的投递。',
};

export const healthMessages = (language: Language): typeof en => (language === 'en' ? en : zh);
