// Fixed texts of notifications in both languages. Titles and summaries keep their own language.

const en = {
  read: 'Read the story',
  open: 'Open the radar',
  readReport: 'Read the report',
  sources: (count: number, first: string) =>
    count === 1 ? `1 source: ${first}` : `${count} sources, first: ${first}`,
  disagree: (subject: string) => `The reports disagree about ${subject}.`,
  contradiction: (title: string) => `Reports disagree: ${title}`,
  correction: (title: string) => `Corrected: ${title}`,
  withdrawn: (name: string, time: string) => `${name}: a story that was sent is withdrawn, ${time}`,
  digest: (name: string, count: number) => `${name}: ${count} ${count === 1 ? 'story' : 'stories'}`,
  reports: { daily: 'Daily report', weekly: 'Weekly report', monthly: 'Monthly report' },
  report: (kind: string, issue: string) => `${kind} · ${issue}`,
  corrected: (report: string) => `Corrected: ${report}`,
};

const zh: typeof en = {
  read: '阅读报道',
  open: '打开雷达',
  readReport: '阅读报告',
  sources: (count, first) =>
    count === 1 ? `1 个来源：${first}` : `${count} 个来源，最早：${first}`,
  disagree: (subject) => `各方说法不一：${subject}。`,
  contradiction: (title) => `说法不一：${title}`,
  correction: (title) => `已更正：${title}`,
  withdrawn: (name, time) => `${name}：已发送的一条报道被撤回，${time}`,
  digest: (name, count) => `${name}：${count} 条`,
  reports: { daily: '日报', weekly: '周报', monthly: '月报' },
  report: (kind, issue) => `${kind} · ${issue}`,
  corrected: (report) => `已更正：${report}`,
};

export const notificationTexts = { en, 'zh-CN': zh } as const;
