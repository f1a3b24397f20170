// The meaning and the remedy of each problem code of the radar, in both languages. The pages below
// `/problems/` show them, and the `type` of a problem is the address of its page.
import type { Code } from '../../../kernel/errors/codes.ts';
import type { PageSite } from '../page-context.ts';

type ProblemMessages = { readonly title: string; readonly advice: string };

const en = {
  invalid_request: {
    title: 'Invalid request',
    advice: 'The detail names the error. Change the request before you send it again.',
  },
  invalid_cursor: {
    title: 'Invalid cursor',
    advice: 'A cursor belongs to one query and one window. Start from the first page.',
  },
  unauthorized: {
    title: 'Unauthorized',
    advice: 'Send the token of your source as “Authorization: Bearer …”. An operator creates it.',
  },
  forbidden: {
    title: 'Forbidden',
    advice: 'The operator of this radar has blocked this client.',
  },
  not_found: {
    title: 'Not found',
    advice: 'There is nothing at this address, or it is not public any more.',
  },
  method_not_allowed: {
    title: 'Method not allowed',
    advice: 'This address is read-only: use GET, HEAD or OPTIONS.',
  },
  snapshot_required: {
    title: 'Snapshot required',
    advice:
      'This cursor belongs to no state of the selected set. Read the snapshot, then the changes.',
  },
  source_paused: {
    title: 'Source paused',
    advice: 'This source accepts no items at the moment. Ask the operator to resume it.',
  },
  payload_too_large: {
    title: 'Payload too large',
    advice: 'Send the content in several smaller requests.',
  },
  unsupported_media_type: {
    title: 'Unsupported media type',
    advice: 'Send the body as “Content-Type: application/json” in UTF-8, without a content coding.',
  },
  rate_limited: {
    title: 'Too many requests',
    advice: 'Wait for the number of seconds in Retry-After, then go on more slowly.',
  },
  temporarily_unavailable: {
    title: 'Temporarily unavailable',
    advice: 'Wait for the number of seconds in Retry-After and try again.',
  },
} as const satisfies Partial<Record<Code, ProblemMessages>>;

type KnownProblem = keyof typeof en;

const zh: Readonly<Record<KnownProblem, ProblemMessages>> = {
  invalid_request: {
    title: '请求无效',
    advice: 'detail 字段说明了问题所在。请修改请求后再发送。',
  },
  invalid_cursor: {
    title: '游标无效',
    advice: '游标只属于一个查询和一个时间范围。请从第一页重新开始。',
  },
  unauthorized: {
    title: '未授权',
    advice: '请以“Authorization: Bearer …”发送来源的令牌，令牌由运营者生成。',
  },
  forbidden: { title: '禁止访问', advice: '本站运营者已屏蔽这个客户端。' },
  not_found: { title: '没有找到', advice: '这个地址没有内容，或者内容已不再公开。' },
  method_not_allowed: {
    title: '不允许的方法',
    advice: '这个地址只读：请使用 GET、HEAD 或 OPTIONS。',
  },
  snapshot_required: {
    title: '需要快照',
    advice: '这个游标不属于精选集的任何状态。请先读取快照，再读取变更。',
  },
  source_paused: { title: '来源已暂停', advice: '这个来源目前不接收内容。请联系运营者恢复。' },
  payload_too_large: { title: '内容过大', advice: '请分成几个较小的请求发送。' },
  unsupported_media_type: {
    title: '不支持的媒体类型',
    advice: '请求正文的格式或编码不受支持，请按接口文档发送，不要压缩。',
  },
  rate_limited: { title: '请求过多', advice: '请等待 Retry-After 所示的秒数，然后放慢速度。' },
  temporarily_unavailable: {
    title: '暂时不可用',
    advice: '请等待 Retry-After 所示的秒数后重试。',
  },
};

/** Null: the radar has no such problem. */
export function problemMessages(
  language: PageSite['language'],
  code: string,
): ProblemMessages | null {
  if (!Object.hasOwn(en, code)) return null;
  return (language === 'zh-CN' ? zh : en)[code as KnownProblem];
}
