// Messages of the setup page and of the progress page.
import type { Language } from '../../../kernel/web/language.ts';

const en = {
  title: 'Set up your radar',
  about: 'Every part can be skipped, and everything can be changed later.',
  site: 'Language and name',
  siteAbout: (name: string, language: string) =>
    `The radar is called “${name}” and its pages are in ${language}. \`name\` in ` +
    'radar.config.json and the variable RADAR_LANGUAGE change that at the next start.',
  languages: { en: 'English', 'zh-CN': 'Chinese' },
  packs: 'What to follow',
  packSources: (count: number) => `${count} sources`,
  packExamples: (names: string) => `such as ${names}`,
  otherFolder: (folder: string) =>
    `Its categories fit editorial/${folder}: set "editorial" in radar.config.json to use them.`,
  own: 'Your own sources',
  lines: 'One per line',
  linesHelp:
    'The address of a feed or a site, or a template line such as github:owner/repo. ' +
    'Each is checked when you start.',
  orOpml: 'Import an OPML file instead',
  model: 'Model',
  modelNone:
    'Optional. Without a model everything works by rules. docs/customize.md describes how to ' +
    'connect one.',
  modelIs: (name: string) => `In use: ${name}.`,
  modelLink: 'Model',
  notifications: 'Notifications',
  notificationsAbout:
    'A chat group, a mailbox or a phone receives a test at once, then alerts and the daily report.',
  notificationsLink: 'Connect a channel',
  start: 'Start',
  nothing: 'Choose a pack or enter a source.',
  line: (line: string, problem: string) => `${line}: ${problem}`,
  lineTried: 'no feed was found',
  lineChoices: (urls: string) => `has several feeds; enter one of: ${urls}`,
  taken: (id: string) =>
    `${id} was added by someone else meanwhile. Nothing was stored; try again.`,
  progress: 'Your radar fills',
  filled: 'Your radar is filled',
  fetched: (done: number, all: number) => `${done} of ${all} fetched`,
  counts: {
    items: 'Items fetched',
    public: 'Enriched and public',
    stories: 'In stories',
    selected: 'Selected',
  },
  next: { fetch: 'Fetching sources', enrich: 'Reading what came', rank: 'First ranking' },
  nextLabel: 'Next',
  waiting: 'waiting',
  entries: (count: number) => (count === 1 ? '1 entry' : `${count} entries`),
  again: 'try again',
  leaveOut: 'leave out',
  refreshes: 'This page refreshes every two seconds.',
  links: {
    '/': 'Read the radar',
    '/hot': 'What is hot',
    '/admin/sources': 'Sources',
    '/admin/reports': 'Reports',
  },
};

const zh: typeof en = {
  title: '设置你的雷达',
  about: '每一部分都可以跳过，以后都能修改。',
  site: '语言与名称',
  siteAbout: (name, language) =>
    `雷达名为“${name}”，页面使用${language}。可用 radar.config.json 的 name 和` +
    '环境变量 RADAR_LANGUAGE 修改，下次启动时生效。',
  languages: { en: '英文', 'zh-CN': '中文' },
  packs: '关注什么',
  packSources: (count) => `${count} 个来源`,
  packExamples: (names) => `例如 ${names}`,
  otherFolder: (folder) =>
    `它的类别适用于 editorial/${folder}：在 radar.config.json 中把 editorial ` +
    '设为该文件夹即可使用。',
  own: '自己的来源',
  lines: '每行一个',
  linesHelp: '订阅源或网站的地址，或 github:owner/repo 这样的模板行。点击开始时逐个检查。',
  orOpml: '改为导入 OPML 文件',
  model: '模型',
  modelNone: '可选。没有模型时一切按规则进行。连接方法见 docs/customize.md。',
  modelIs: (name) => `正在使用：${name}。`,
  modelLink: '模型',
  notifications: '通知',
  notificationsAbout: '群聊、邮箱或手机会立即收到测试，之后收到告警和日报。',
  notificationsLink: '连接渠道',
  start: '开始',
  nothing: '请选择一个来源包，或填写一个来源。',
  line: (line, problem) => `${line}：${problem}`,
  lineTried: '没有找到订阅源',
  lineChoices: (urls) => `有多个订阅源，请填写其中之一：${urls}`,
  taken: (id) => `${id} 刚被其他人添加，没有保存任何内容，请再试一次。`,
  progress: '雷达正在填充',
  filled: '雷达已填充完毕',
  fetched: (done, all) => `已读取 ${done} / ${all}`,
  counts: {
    items: '已读取的条目',
    public: '已整理并公开',
    stories: '已归入事件',
    selected: '精选',
  },
  next: { fetch: '读取来源', enrich: '整理内容', rank: '第一次排名' },
  nextLabel: '接下来',
  waiting: '等待中',
  entries: (count) => `${count} 条`,
  again: '重试',
  leaveOut: '不要它',
  refreshes: '本页每两秒刷新一次。',
  links: { '/': '阅读雷达', '/hot': '热点', '/admin/sources': '来源', '/admin/reports': '报告' },
};

export const setupMessages = (language: Language) => (language === 'zh-CN' ? zh : en);
