// Token usage of a call: reported by its upstream, or estimated from the transferred text.
import { isRecord } from './is-record.ts';

/** Tokens of a call. `prompt` and `completion` are totals; every other number is a part of one. */
export type TokenUsage = {
  readonly prompt: number;
  readonly completion: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  /** Written for an hour or longer. */
  readonly cacheWriteLong: number;
  readonly inputAudio: number;
  readonly inputImage: number;
  readonly reasoning: number;
  readonly outputAudio: number;
  readonly outputImage: number;
};

const noTokens: TokenUsage = {
  prompt: 0,
  completion: 0,
  cacheRead: 0,
  cacheWrite: 0,
  cacheWriteLong: 0,
  inputAudio: 0,
  inputImage: 0,
  reasoning: 0,
  outputAudio: 0,
  outputImage: 0,
};

export const tokenUsage = (known: Partial<TokenUsage>): TokenUsage => ({ ...noTokens, ...known });

/**
 * The `usage` of Chat Completions and Embeddings (`prompt_tokens`); null when it is none. Cached
 * tokens are inside of the total. Relay contract, 2.1.
 */
export function readTokenUsage(value: unknown): TokenUsage | null {
  if (!isRecord(value) || !isCount(value.prompt_tokens)) return null;
  return readOpenAi({
    prompt: value.prompt_tokens,
    completion: countOf(value.completion_tokens),
    input: value.prompt_tokens_details,
    output: value.completion_tokens_details,
  });
}

/** The `usage` of Responses (`input_tokens`, a total); null when it is none. */
export function readOpenAiUsage(value: unknown): TokenUsage | null {
  if (!isRecord(value) || !isCount(value.input_tokens)) return null;
  return readOpenAi({
    prompt: value.input_tokens,
    completion: countOf(value.output_tokens),
    input: value.input_tokens_details,
    output: value.output_tokens_details,
  });
}

type OpenAiTotals = {
  readonly prompt: number;
  readonly completion: number;
  readonly input: unknown;
  readonly output: unknown;
};

function readOpenAi({ prompt, completion, input, output }: OpenAiTotals) {
  const ins = isRecord(input) ? input : {};
  const outs = isRecord(output) ? output : {};
  return tokenUsage({
    prompt,
    completion,
    cacheRead: countOf(ins.cached_tokens),
    cacheWrite: countOf(ins.cache_write_tokens),
    inputAudio: countOf(ins.audio_tokens),
    inputImage: countOf(ins.image_tokens),
    reasoning: countOf(outs.reasoning_tokens),
    outputAudio: countOf(outs.audio_tokens),
    outputImage: countOf(outs.image_tokens),
  });
}

/** Fields of Anthropic's `usage`; each holds the last value that was not null. */
export type AnthropicUsage = Readonly<Record<string, unknown>>;

export function mergeUsage(known: AnthropicUsage | null, value: unknown): AnthropicUsage | null {
  if (!isRecord(value)) return known;
  const given = Object.entries(value).filter(([, one]) => one !== null && one !== undefined);
  return { ...known, ...Object.fromEntries(given) };
}

/**
 * Anthropic's `input_tokens` leave cached tokens out, so the total is the sum. Writes without a
 * split count as short ones.
 */
export function usageOfMessages(usage: AnthropicUsage | null): TokenUsage | null {
  if (usage === null || !isCount(usage.input_tokens)) return null;
  const split = isRecord(usage.cache_creation) ? usage.cache_creation : {};
  const cacheWriteLong = countOf(split.ephemeral_1h_input_tokens);
  const written = countOf(usage.cache_creation_input_tokens);
  const short = split.ephemeral_5m_input_tokens;
  const cacheWrite = isCount(short) ? short : Math.max(0, written - cacheWriteLong);
  const cacheRead = countOf(usage.cache_read_input_tokens);
  const details = isRecord(usage.output_tokens_details) ? usage.output_tokens_details : {};
  return tokenUsage({
    prompt: usage.input_tokens + cacheRead + cacheWrite + cacheWriteLong,
    completion: countOf(usage.output_tokens),
    cacheRead,
    cacheWrite,
    cacheWriteLong,
    reasoning: countOf(details.thinking_tokens ?? usage.thinking_tokens),
  });
}

const isCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 0;

const countOf = (value: unknown): number => (isCount(value) ? value : 0);

/** Four bytes of UTF-8 a token: close for English, and for Chinese at three bytes a character. */
const BYTES_PER_TOKEN = 4;

export const tokensOf = (bytes: number) => Math.ceil(bytes / BYTES_PER_TOKEN);

/**
 * Usage of an attempt that continued `deliveredBytes` of text. The text that the relay added to the
 * input is subtracted; the earlier output counts as output.
 */
export function continuedBy(usage: TokenUsage, deliveredBytes: number): TokenUsage {
  const added = tokensOf(deliveredBytes);
  return {
    ...usage,
    prompt: Math.max(0, usage.prompt - added),
    completion: usage.completion + added,
  };
}

/** Bytes of the text in messages; pictures and sounds are not text. */
export function promptBytesOf(messages: readonly unknown[]): number {
  let bytes = 0;
  for (const message of messages) bytes += textBytesIn(contentOf(message));
  return bytes;
}

const contentOf = (message: unknown) =>
  typeof message === 'object' && message !== null && 'content' in message ? message.content : null;

/** Bytes of a text, or of the texts in a list of parts. */
export function textBytesIn(content: unknown): number {
  if (typeof content === 'string') return Buffer.byteLength(content);
  if (!Array.isArray(content)) return 0;
  return content.reduce((sum: number, part: unknown) => {
    const isText = typeof part === 'object' && part !== null && 'text' in part;
    return sum + (isText && typeof part.text === 'string' ? Buffer.byteLength(part.text) : 0);
  }, 0);
}

/** Bytes of text that a choice's `delta` or `message` adds: words, thoughts, calls of tools. */
export function completionBytesOf(part: unknown): number {
  if (typeof part === 'string') return Buffer.byteLength(part);
  if (typeof part !== 'object' || part === null) return 0;
  const {
    content,
    reasoning_content,
    refusal,
    tool_calls: calls,
  } = part as Record<string, unknown>;
  let bytes = textBytesIn(content) + textBytesIn(reasoning_content) + textBytesIn(refusal);
  for (const call of Array.isArray(calls) ? calls : []) {
    const args = (call as { function?: { arguments?: unknown } } | null)?.function?.arguments;
    bytes += textBytesIn(args);
  }
  return bytes;
}
