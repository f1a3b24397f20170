// Messages of fetch warnings in both languages. Addresses, settings, and texts from servers are
// values. The Chinese messages omit English system texts.

type WarningTemplate = (...values: readonly string[]) => string;

const valueNamesZh: Readonly<Record<string, string>> = {
  missing: '不存在',
  null: '空值',
  'a list': '一个列表',
  'an object': '一个对象',
  'a string': '一段文字',
  'a number': '一个数字',
  'a boolean': '布尔值',
};

const networkReasons: Readonly<Record<string, WarningTemplate>> = {
  invalid_url: () => '这个地址无法请求',
  address_refused: () =>
    '不允许访问：这个地址属于内部或保留的网络。' +
    '如需允许，请列在 radar.config.json 的 network.privateHosts 中',
  dns: () => '找不到这个域名的地址',
  connect: () => '连接不上服务器',
  tls: () => '无法与服务器建立安全连接（TLS）',
  timeout: () => '服务器没有在规定时间内给出完整的响应',
  too_large: () => '响应太大，没有读完',
  redirects: () => '重定向次数太多，或形成了循环',
  protocol: () => '服务器的响应不符合 HTTP',
  aborted: () => '读取被中止',
};

const isOne = (count = '') => count === '1';

const en = {
  'no-address': () => 'the source has no address',
  'push-not-read': () => 'a push source receives items and is not fetched',
  'file-unread': (reason) => reason ?? '',
  net: (reason, message = '') =>
    reason === 'address_refused'
      ? `${message}; network.privateHosts in radar.config.json can allow a private address`
      : message,
  status: (status) => `the server answered ${status}`,
  'nothing-new': () => 'the server reports no change (304)',
  gone: () => 'the server reports that the source is gone (410)',
  'robots-disallows': (path) => `robots.txt disallows ${path}`,
  'robots-unread': (_site, message) => message ?? '',
  stopped: () => 'the source was stopped during the fetch',
  moved: () => 'the address changed during the fetch',
  overtaken: () => 'another fetch stored newer entries first',
  left: (count) => `${count} ${isOne(count) ? 'entry waits' : 'entries wait'} for the next fetch`,
  page: (value) => `page of an entry: ${value}`,
  'page-status': (url, status) => `${url} answered ${status}`,
  'feed-empty': () => 'The document is empty.',
  'feed-json': () => 'The document is JSON, but not a JSON Feed.',
  'feed-xml': () => 'The document is XML, but not a feed.',
  'feed-none': () => 'The document is not a feed.',
  'feed-page': (...feeds) =>
    `The document is a web page, not a feed.${
      feeds.length === 0 ? '' : ` Its feeds: ${feeds.join(' ')}`
    }`,
  'lookup-none': () => 'the response contains no address of a feed',
  'json-broken': () => 'the JSON is broken; its complete part was read',
  'xml-many': () => 'too many elements; the remaining ones were not read',
  'xml-in-tag': () => 'the document ends inside a tag',
  'xml-deep': () => 'elements are nested too deeply; their tags were not read',
  'xml-unclosed': (name) => `an unclosed ${name} was closed`,
  'xml-stray': () => 'a closing tag without an opening one was ignored',
  'xml-cut': () => 'the document ends before all elements are closed',
  'encoding-wrong': (label, where) => `the encoding ${label} (${where}) does not match the bytes`,
  'encoding-unknown': () => 'encoding unknown, read as windows-1252',
  'selector-bad': (setting, selector, reason) =>
    `${setting}: is not a CSS selector: ${selector} (${reason})`,
  'selector-none': (setting, selector) => `${setting}: ${selector} matches nothing on the page`,
  'selector-some': (setting, selector) => `${setting}: ${selector} matches nothing in some items`,
  'selector-here': (setting, selector) => `${setting}: ${selector} matches nothing`,
  'link-some': (setting, selector) => `${setting}: ${selector} has no address in some items`,
  'date-unread': (setting, value) => `${setting}: cannot read ${value}`,
  'all-filtered': () => 'no item on the page has an address that the filters keep',
  'json-none': (setting, reason) => `${setting}: the response is not JSON (${reason})`,
  'json-no-list': (setting, path, type) => `${setting}: ${path} is ${type}, not a list`,
  'json-some': (setting, path, type) => `${setting}: ${path} is ${type} in some items`,
  'json-date': (setting, path, value, format) =>
    `${setting}: ${path} is ${value}, which is no ${format} date`,
} as const satisfies Readonly<Record<string, WarningTemplate>>;

export type WarningCode = keyof typeof en;

const zh: Readonly<Record<WarningCode, WarningTemplate>> = {
  'no-address': () => '这个来源没有可读取的地址',
  'push-not-read': () => '推送来源由发布方主动推送，本站不去读取',
  'file-unread': (reason) => `读不到这个文件：${reason}`,
  net: (reason = '', _message = '') => (networkReasons[reason] ?? (() => '读取失败'))(),
  status: (status) => `服务器返回 ${status}`,
  'nothing-new': () => '服务器返回：没有变化（304）',
  gone: () => '服务器返回：来源已不存在（410）',
  'robots-disallows': (path) => `robots.txt 不允许读取 ${path}`,
  'robots-unread': (site, _message) => `读不到 ${site} 的 robots.txt，暂不读取`,
  stopped: () => '来源在读取期间被停用',
  moved: () => '来源在读取期间更换了地址',
  overtaken: () => '另一次读取已先存入更新的内容',
  left: (count) => `还有 ${count} 条留待下次`,
  page: (value) => `某条内容的页面：${value}`,
  'page-status': (url, status) => `${url} 返回 ${status}`,
  'feed-empty': () => '文档是空的。',
  'feed-json': () => '文档是 JSON，但不是 JSON Feed。',
  'feed-xml': () => '文档是 XML，但不是订阅源。',
  'feed-none': () => '文档不是订阅源。',
  'feed-page': (...feeds) =>
    `文档是网页，不是订阅源。${feeds.length === 0 ? '' : `它的订阅源：${feeds.join(' ')}`}`,
  'lookup-none': () => '响应中没有订阅源的地址',
  'json-broken': () => 'JSON 不完整，只读了完整的部分',
  'xml-many': () => '元素太多，其余没有读',
  'xml-in-tag': () => '文档在标签中间结束',
  'xml-deep': () => '元素嵌套太深，更深的标签没有读',
  'xml-unclosed': (name) => `${name} 没有结束标签，已自动补上`,
  'xml-stray': () => '忽略了没有对应开始标签的结束标签',
  'xml-cut': () => '文档不完整：有的元素没有结束',
  'encoding-wrong': (label, where) =>
    `${where === 'document' ? '文档' : 'HTTP 头'}声明的编码 ${label} 与实际内容不符`,
  'encoding-unknown': () => '编码不明，按 windows-1252 读取',
  'selector-bad': (setting, selector, reason) =>
    `${setting}：${selector} 不是 CSS 选择器（${reason}）`,
  'selector-none': (setting, selector) => `${setting}：页面上没有与 ${selector} 相符的元素`,
  'selector-some': (setting, selector) => `${setting}：有些条目里没有与 ${selector} 相符的元素`,
  'selector-here': (setting, selector) => `${setting}：没有与 ${selector} 相符的元素`,
  'link-some': (setting, selector) => `${setting}：有些条目里 ${selector} 没有地址`,
  'date-unread': (setting, value) => `${setting}：无法解析 ${value}`,
  'all-filtered': () => '页面上没有一个条目的地址能通过过滤',
  'json-none': (setting, reason) => `${setting}：响应不是 JSON（${reason}）`,
  'json-no-list': (setting, path, type = '') =>
    `${setting}：${path} 是${valueNamesZh[type] ?? type}，不是列表`,
  'json-some': (setting, path, type = '') =>
    `${setting}：有些条目里 ${path} 是${valueNamesZh[type] ?? type}`,
  'json-date': (setting, path, value, format) =>
    `${setting}：${path} 是 ${value}，不是 ${format} 格式的日期`,
};

export const warningMessages: Readonly<
  Record<'en' | 'zh-CN', Readonly<Record<WarningCode, WarningTemplate>>>
> = {
  en,
  'zh-CN': zh,
};
