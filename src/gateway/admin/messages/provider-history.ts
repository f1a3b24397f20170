// Messages of the page about providers over time, in both languages.
import type { Language } from '../../../kernel/web/language.ts';

const en = {
  title: 'Errors and latency over time',
  about:
    'Requests to providers by the hour, of all processes. Latency is a moving mean, weighted by ' +
    'the requests. Hours are kept for 90 days.',
  ranges: { '24h': '24 hours', '7d': '7 days' },
  back: 'Providers',
  none: 'No provider received a request in this time.',
  noneAbout: 'The first call of a live key that needs a provider appears here within seconds.',
  provider: 'Provider',
  requests: 'Requests',
  failed: 'Failed',
  errorRate: 'Error rate',
  latency: 'Mean latency',
  hour: 'From',
  showTable: 'Show as table',
  errorsOf: (name: string) => `Failed requests of ${name}`,
  latencyOf: (name: string) => `Mean latency of ${name} in ms`,
};

const zh: typeof en = {
  title: '错误率与延迟走势',
  about: '所有进程对服务商的请求，按小时统计。延迟为按请求数加权的移动平均值。数据保留 90 天。',
  ranges: { '24h': '24 小时', '7d': '7 天' },
  back: '服务商',
  none: '这段时间没有向服务商发出请求。',
  noneAbout: '正式密钥的调用一旦用到服务商，几秒内就会显示在这里。',
  provider: '服务商',
  requests: '请求',
  failed: '失败',
  errorRate: '错误率',
  latency: '平均延迟',
  hour: '起始时间',
  showTable: '以表格显示',
  errorsOf: (name) => `${name} 的失败请求`,
  latencyOf: (name) => `${name} 的平均延迟（毫秒）`,
};

export const providerHistoryMessages = (language: Language): typeof en =>
  language === 'en' ? en : zh;
