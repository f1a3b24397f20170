// Texts of alerts in both languages, each with the operator's next action.
import type { ConditionName } from './conditions.ts';

type Facts = Readonly<Record<string, unknown>>;
type AlertText = { readonly title: (facts: Facts) => string; readonly action: string };
type AlertTexts = Readonly<Record<ConditionName, AlertText>>;

const text = (facts: Facts, name: string) => String(facts[name] ?? '');

const en: AlertTexts = {
  source_broken: {
    title: (facts) => `Source fails: ${text(facts, 'name')}`,
    action: 'Open the source, read its last fetch, and correct its address or pause it.',
  },
  source_gone: {
    title: (facts) => `Source moved or gone: ${text(facts, 'name')}`,
    action: 'Find its new address and edit the source, or remove it.',
  },
  source_silent: {
    title: (facts) => `Source silent for ${text(facts, 'hours')} h: ${text(facts, 'name')}`,
    action: 'Compare the site with its feed; the feed may have another address.',
  },
  source_slow: {
    title: (facts) => `Source ${text(facts, 'hours')} h late: ${text(facts, 'name')}`,
    action: 'Shorten its interval, or use a faster feed of the publisher.',
  },
  all_sources_out: {
    title: (facts) => `${text(facts, 'percent')} % of the fetches failed in the last 30 minutes`,
    action: 'Check the network, the proxy and the name resolution of this machine.',
  },
  nothing_published: {
    title: (facts) => `Nothing published for ${text(facts, 'hours')} h`,
    action: 'Check the worker and its queue on the page Runs.',
  },
  worker: {
    title: (facts) => `No worker has run for ${text(facts, 'minutes')} minutes`,
    action: 'Start the worker (radar serve --only worker), and read its log.',
  },
  queue: {
    title: (facts) => `A job has waited for ${text(facts, 'minutes')} minutes`,
    action: 'Open the page Runs: a long job blocks the queue, or there are too few workers.',
  },
  ranking: {
    title: (facts) => `The ranking is ${text(facts, 'minutes')} minutes old`,
    action: 'Check that a worker runs, and read its log.',
  },
  read_model: {
    title: (facts) => `A node shows content that is ${text(facts, 'minutes')} minutes old`,
    action: 'Read the log of the node; restart it when it does not recover.',
  },
  disk: {
    title: (facts) => `${text(facts, 'percent')} % of the disk is free`,
    action: 'Free space on the disk of the data folder.',
  },
  model_budget: {
    title: (facts) => `Budget spent: ${text(facts, 'model')} (${text(facts, 'span')})`,
    action: 'Raise the budget in radar.config.json; until then the rules write the texts.',
  },
  model_replies: {
    title: (facts) => `The replies to ${text(facts, 'count')} model requests were lost`,
    action: 'Open the page Model: their cost is unknown, compare it with the provider’s bill.',
  },
  backup: {
    title: (facts) =>
      facts.error === undefined
        ? `The last backup is ${text(facts, 'hours')} h old`
        : `The backup failed: ${text(facts, 'error')}`,
    action: 'Run radar backup <file>, and check its schedule and the free space.',
  },
  upstream_account: {
    title: (facts) => `Upstream refuses your account: ${text(facts, 'upstream')}`,
    action: 'Check its key, its credit and its quota at the provider.',
  },
  negative_margin: {
    title: (facts) => `${text(facts, 'model')} is sold ${text(facts, 'percent')} % below cost`,
    action: 'Compare charge and cost on the page Chat; accept imported prices or raise them.',
  },
  usage_absent: {
    title: (facts) =>
      `Usage absent or false in ${text(facts, 'percent')} % of the calls: ` +
      text(facts, 'upstream'),
    action:
      'Their tokens are estimated or limited. Compare them with the provider’s bill, or use ' +
      'another provider.',
  },
  earlier_database: {
    title: () => 'The database is older than the content that the radar has published',
    action:
      'Check which changes and calls are lost: a standby that lagged was promoted, or a copy was ' +
      'restored. Mirrors load a new snapshot without your help.',
  },
  ledger_check: {
    title: (facts) =>
      facts.hours === 0
        ? 'The integrity check of the ledger failed'
        : `The last integrity check of the ledger is ${text(facts, 'hours')} h old`,
    action: 'Open the ledger in the gateway’s admin pages and read the check.',
  },
  channel_broken: {
    title: (facts) => `Channel broken: ${text(facts, 'name')}`,
    action: 'Open the channel, read the reason, and try again.',
  },
  dead_letters: {
    title: (facts) => `${text(facts, 'count')} deliveries failed permanently within an hour`,
    action: 'Open the deliveries that failed and read their reasons.',
  },
};

const zh: AlertTexts = {
  source_broken: {
    title: (facts) => `来源中断：${text(facts, 'name')}`,
    action: '打开该来源，查看最近一次抓取，更正地址或暂停它。',
  },
  source_gone: {
    title: (facts) => `来源已迁移或消失：${text(facts, 'name')}`,
    action: '找到新地址并编辑该来源，或将其移除。',
  },
  source_silent: {
    title: (facts) => `来源 ${text(facts, 'hours')} 小时无内容：${text(facts, 'name')}`,
    action: '将网站与其订阅源对比；订阅源可能换了地址。',
  },
  source_slow: {
    title: (facts) => `来源迟了 ${text(facts, 'hours')} 小时：${text(facts, 'name')}`,
    action: '缩短抓取间隔，或改用该媒体更快的订阅源。',
  },
  all_sources_out: {
    title: (facts) => `最近 30 分钟内 ${text(facts, 'percent')}% 的抓取失败`,
    action: '检查本机的网络、代理和域名解析。',
  },
  nothing_published: {
    title: (facts) => `${text(facts, 'hours')} 小时没有发布任何内容`,
    action: '在“运行”页检查后台进程及其队列。',
  },
  worker: {
    title: (facts) => `后台进程已 ${text(facts, 'minutes')} 分钟没有运行`,
    action: '启动后台进程（radar serve --only worker），并查看其日志。',
  },
  queue: {
    title: (facts) => `有任务已等待 ${text(facts, 'minutes')} 分钟`,
    action: '打开“运行”页：有任务耗时过长，或后台进程太少。',
  },
  ranking: {
    title: (facts) => `热点已有 ${text(facts, 'minutes')} 分钟未更新`,
    action: '检查后台进程是否在运行，并查看其日志。',
  },
  read_model: {
    title: (facts) => `有节点的内容已 ${text(facts, 'minutes')} 分钟未更新`,
    action: '查看该节点的日志；若不恢复则重启。',
  },
  disk: {
    title: (facts) => `磁盘剩余 ${text(facts, 'percent')}%`,
    action: '为数据目录所在磁盘腾出空间。',
  },
  model_budget: {
    title: (facts) => `预算已用完：${text(facts, 'model')}（${text(facts, 'span')}）`,
    action: '在 radar.config.json 中提高预算；在此之前文本由规则生成。',
  },
  model_replies: {
    title: (facts) => `${text(facts, 'count')} 个模型请求的回复丢失`,
    action: '打开“模型”页：其费用未知，请与服务商账单核对。',
  },
  backup: {
    title: (facts) =>
      facts.error === undefined
        ? `上次备份在 ${text(facts, 'hours')} 小时前`
        : `备份失败：${text(facts, 'error')}`,
    action: '运行 radar backup <文件>，并检查备份计划和剩余空间。',
  },
  upstream_account: {
    title: (facts) => `上游拒绝了您的账号：${text(facts, 'upstream')}`,
    action: '在服务商处检查密钥、余额和配额。',
  },
  negative_margin: {
    title: (facts) => `${text(facts, 'model')} 的售价低于成本 ${text(facts, 'percent')}%`,
    action: '在“对话用量”页面比较收费与成本，再接受导入的价格或提高价格。',
  },
  usage_absent: {
    title: (facts) =>
      `${text(facts, 'percent')}% 的调用没有用量或用量不实：${text(facts, 'upstream')}`,
    action: '这些调用的用量为估算或已按上限截断。请与服务商账单核对，或换用其他上游。',
  },
  earlier_database: {
    title: () => '数据库比已发布的内容更旧',
    action:
      '请核对丢失了哪些更改和调用：可能有滞后的备库被提升，或恢复了旧副本。镜像会自行重新获取快照。',
  },
  ledger_check: {
    title: (facts) =>
      facts.hours === 0
        ? '账本完整性检查失败'
        : `账本上次完整性检查在 ${text(facts, 'hours')} 小时前`,
    action: '在网关的运营台打开账本，查看检查结果。',
  },
  channel_broken: {
    title: (facts) => `渠道故障：${text(facts, 'name')}`,
    action: '打开该渠道，查看原因并重试。',
  },
  dead_letters: {
    title: (facts) => `一小时内有 ${text(facts, 'count')} 条通知最终失败`,
    action: '打开失败的投递并查看原因。',
  },
};

export const alertMessages = {
  en: {
    cleared: (title: string) => `Cleared: ${title}`,
    sourcesAtHost: (count: number, host: string) => `${count} sources, all at ${host}`,
    alertCount: (count: number) => `${count} alerts`,
    open: 'Open the health page',
    databaseUnavailable: (name: string) => `${name}: the database is unavailable`,
    databaseUnavailableAction: 'Start the database, or restore its network.',
  },
  'zh-CN': {
    cleared: (title: string) => `已恢复：${title}`,
    sourcesAtHost: (count: number, host: string) => `${count} 个来源，均在 ${host}`,
    alertCount: (count: number) => `${count} 条告警`,
    open: '打开健康页',
    databaseUnavailable: (name: string) => `${name}：数据库不可用`,
    databaseUnavailableAction: '启动数据库，或恢复其网络。',
  },
} as const;

const alertTexts = { en, 'zh-CN': zh } as const;

/** A condition that only a newer version defines is shown by its name. */
export function alertTextOf(language: 'en' | 'zh-CN', condition: string): AlertText {
  const texts = alertTexts[language];
  return Object.hasOwn(texts, condition)
    ? texts[condition as ConditionName]
    : { title: () => condition, action: '' };
}
