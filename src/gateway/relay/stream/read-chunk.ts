// What one server-sent event of a chat stream is. Sources: the chat-completions reference (a usage
// chunk has `choices: []`, some servers write null), and servers that send comments to keep the
// connection, or an error inside a stream that began with 200.
import { type ChatError, readChatError } from '../chat-error.ts';
import { completionBytesOf, readTokenUsage, type TokenUsage } from '../token-usage.ts';

export type ChatEvent =
  /** No data: a comment. */
  | { readonly kind: 'comment' }
  | { readonly kind: 'done' }
  | { readonly kind: 'error'; readonly error: ChatError }
  /** Only says what was used. */
  | { readonly kind: 'usage'; readonly usage: TokenUsage }
  | {
      readonly kind: 'content';
      /** Bytes of text that it adds. */
      readonly bytes: number;
      readonly isFinish: boolean;
      /** It has anything that a reader of the stream sees: text, a tool call, the end. */
      readonly isVisible: boolean;
      /** Plain text of the first choice; null: something else, after which nothing continues. */
      readonly text: string | null;
      readonly usage: TokenUsage | null;
      /** It has a member `usage` that is null: the provider's reaction to `include_usage`. */
      readonly hasNullUsage: boolean;
    }
  /** Not what the format allows; `problem` for the log. */
  | { readonly kind: 'broken'; readonly problem: string };

export function readChunk(event: Buffer): ChatEvent {
  const data = dataOf(event);
  if (data === null) return { kind: 'comment' };
  if (data === '[DONE]') return { kind: 'done' };
  let value: unknown;
  try {
    value = JSON.parse(data);
  } catch {
    return { kind: 'broken', problem: 'an event that is not JSON' };
  }
  const error = readChatError(value);
  if (error !== null) return { kind: 'error', error };
  if (typeof value !== 'object' || value === null) {
    return { kind: 'broken', problem: 'an event that is no object' };
  }
  const { choices, usage: used } = value as { choices?: unknown; usage?: unknown };
  const usage = readTokenUsage(used);
  const hasNullUsage = used === null;
  if (Array.isArray(choices) && choices.length > 0) {
    const content = contentOf(choices, usage);
    return content.kind === 'content' ? { ...content, hasNullUsage } : content;
  }
  if (choices !== null && choices !== undefined && !Array.isArray(choices)) {
    return { kind: 'broken', problem: '"choices" is no list' };
  }
  return usage === null ? { ...EMPTY, usage, hasNullUsage } : { kind: 'usage', usage };
}

const EMPTY = {
  kind: 'content',
  bytes: 0,
  isFinish: false,
  isVisible: false,
  text: '',
  usage: null,
  hasNullUsage: false,
} as const;

const isFirst = (index: unknown) => index === undefined || index === 0;
const isAbsent = (value: unknown) => value === undefined || value === null;
const isTextOrAbsent = (value: unknown) => isAbsent(value) || typeof value === 'string';

function contentOf(choices: readonly unknown[], usage: TokenUsage | null): ChatEvent {
  let bytes = 0;
  let isFinish = false;
  let hasCalls = false;
  let text: string | null = '';
  for (const choice of choices) {
    if (typeof choice !== 'object' || choice === null) {
      return { kind: 'broken', problem: 'a choice that is no object' };
    }
    const { delta, index, logprobs, finish_reason: reason } = choice as Record<string, unknown>;
    bytes += completionBytesOf(delta);
    isFinish ||= typeof reason === 'string';
    const { content, tool_calls: calls, refusal, audio } = (delta ?? {}) as Record<string, unknown>;
    hasCalls ||= Array.isArray(calls) && calls.length > 0;
    const isPlain = isFirst(index) && isAbsent(logprobs) && isAbsent(refusal) && isAbsent(audio);
    if (!isPlain || hasCalls || !isTextOrAbsent(content)) text = null;
    else if (text !== null && typeof content === 'string') text += content;
  }
  const isVisible = bytes > 0 || isFinish || hasCalls;
  return { ...EMPTY, bytes, isFinish, isVisible, text, usage };
}

const NULL_USAGE = /,\s*"usage"\s*:\s*null(?=\s*[,}])|(?<=\{\s*)"usage"\s*:\s*null\s*,/;

/** The event without its null usage. The pattern has bare quotes: no JSON string contains it. */
export const withoutNullUsage = (event: Buffer): Buffer =>
  Buffer.from(event.toString('utf8').replace(NULL_USAGE, ''));

const LF = 10;
const START = 'data: ';

/** The `data` lines, joined; null without any. */
function dataOf(event: Buffer): string | null {
  const text = event.toString('utf8');
  // Nearly every event is one line between `data: ` and two line feeds.
  const isUsual = text.startsWith(START) && event.indexOf(LF) === event.length - 2;
  if (isUsual && !text.includes('\r')) return text.slice(START.length, -2);
  const lines = text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\n|\r/)
    .filter((line) => /^data(:|$)/.test(line));
  return lines.length === 0 ? null : lines.map((line) => line.replace(/^data:? ?/, '')).join('\n');
}
