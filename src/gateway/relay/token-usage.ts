// Reads the token usage of a call from the upstream's report, or estimates it from the transferred
// text.
import { isRecord } from './is-record.ts';

/**
 * Tokens of a call. `prompt` and `completion` are totals; every other number is a part of one of
 * these totals.
 */
export type TokenUsage = {
  readonly prompt: number;
  readonly completion: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  /** Cache writes with a lifetime of an hour or more. */
  readonly cacheWriteLong: number;
  readonly inputAudio: number;
  readonly inputImage: number;
  readonly reasoning: number;
  readonly outputAudio: number;
  readonly outputImage: number;
  /**
   * A call can consist of several iterations. The input of the largest iteration decides the price
   * tier. 0: `prompt` decides.
   */
  readonly largestInput: number;
  /** The name of the provider's service tier; '' for the standard tier. */
  readonly variant: string;
  /** Calls of tools that the provider ran itself, by tool name. */
  readonly toolCalls: Readonly<Record<string, number>>;
  /** A reported number is negative or not whole, or a part exceeds its total. */
  readonly isContradictory: boolean;
};

/** Service tiers that cost the standard price. */
const standardTiers: readonly unknown[] = ['auto', 'default', 'standard', 'standard_only'];

/** Returns the variant of a provider's `service_tier`. */
export const variantOf = (tier: unknown): string =>
  typeof tier === 'string' && !standardTiers.includes(tier) ? tier : '';

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
  largestInput: 0,
  variant: '',
  toolCalls: {},
  isContradictory: false,
};

export const tokenUsage = (usage: Partial<TokenUsage>): TokenUsage => ({ ...noTokens, ...usage });

/**
 * Reads the `usage` of Chat Completions and Embeddings (`prompt_tokens`); null for another value.
 * Cached tokens are included in the total. Relay contract, 2.1.
 */
export function readTokenUsage(value: unknown, serviceTier?: unknown): TokenUsage | null {
  if (!isRecord(value) || !isCount(value.prompt_tokens)) return null;
  return toOpenAiUsage({
    prompt: value.prompt_tokens,
    completion: value.completion_tokens,
    input: value.prompt_tokens_details,
    output: value.completion_tokens_details,
    serviceTier,
  });
}

/** Reads the `usage` of Responses (`input_tokens`, a total); null for another value. */
export function readOpenAiUsage(value: unknown, serviceTier?: unknown): TokenUsage | null {
  if (!isRecord(value) || !isCount(value.input_tokens)) return null;
  return toOpenAiUsage({
    prompt: value.input_tokens,
    completion: value.output_tokens,
    input: value.input_tokens_details,
    output: value.output_tokens_details,
    serviceTier,
  });
}

type OpenAiTotals = {
  readonly prompt: number;
  readonly completion: unknown;
  readonly input: unknown;
  readonly output: unknown;
  readonly serviceTier: unknown;
};

function toOpenAiUsage(totals: OpenAiTotals) {
  const { prompt, completion: completionValue, input, output, serviceTier } = totals;
  const inputDetails = isRecord(input) ? input : {};
  const outputDetails = isRecord(output) ? output : {};
  const { cache_write_tokens_details: writeDetails } = inputDetails;
  const cacheWrites = isRecord(writeDetails) ? writeDetails : {};
  const cacheWriteLong = countOf(cacheWrites.ttl_12h_tokens);
  return markContradictions(
    [completionValue, ...[inputDetails, outputDetails, cacheWrites].flatMap(Object.values)],
    {
      prompt,
      completion: countOf(completionValue),
      cacheRead: countOf(inputDetails.cached_tokens),
      cacheWrite: Math.max(0, countOf(inputDetails.cache_write_tokens) - cacheWriteLong),
      cacheWriteLong,
      inputAudio: countOf(inputDetails.audio_tokens),
      inputImage: countOf(inputDetails.image_tokens),
      reasoning: countOf(outputDetails.reasoning_tokens),
      outputAudio: countOf(outputDetails.audio_tokens),
      outputImage: countOf(outputDetails.image_tokens),
      variant: variantOf(serviceTier),
    },
  );
}

/** Fields of Anthropic's `usage`, each with its last value that was not null. */
export type AnthropicUsage = Readonly<Record<string, unknown>>;

export function mergeUsage(usage: AnthropicUsage | null, value: unknown): AnthropicUsage | null {
  if (!isRecord(value)) return usage;
  const presentFields = Object.entries(value).filter(
    ([, count]) => count !== null && count !== undefined,
  );
  return { ...usage, ...Object.fromEntries(presentFields) };
}

/** Reads `{ web_search_requests: 2 }` as two calls of `web_search`. */
function serverToolCalls(value: unknown): TokenUsage['toolCalls'] {
  if (!isRecord(value)) return {};
  const counts = Object.entries(value).map(([name, count]) => {
    return [name.replace(/_requests$/, ''), countOf(count)] as const;
  });
  return Object.fromEntries(counts);
}

/**
 * Anthropic's `input_tokens` exclude cached tokens, so the total input is the sum of both. Cache
 * writes without a split by lifetime count as short cache writes.
 */
export function usageOfMessages(usage: AnthropicUsage | null): TokenUsage | null {
  if (usage === null || !isCount(usage.input_tokens)) return null;
  const cacheCreation = isRecord(usage.cache_creation) ? usage.cache_creation : {};
  const cacheWriteLong = countOf(cacheCreation.ephemeral_1h_input_tokens);
  const cacheWriteTotal = countOf(usage.cache_creation_input_tokens);
  const shortCacheWrite = cacheCreation.ephemeral_5m_input_tokens;
  const cacheWrite = isCount(shortCacheWrite)
    ? shortCacheWrite
    : Math.max(0, cacheWriteTotal - cacheWriteLong);
  const cacheRead = countOf(usage.cache_read_input_tokens);
  const details = isRecord(usage.output_tokens_details) ? usage.output_tokens_details : {};
  const { output_tokens: output } = usage;
  const reported = [output, usage.cache_read_input_tokens, usage.cache_creation_input_tokens];
  return markContradictions(
    [...reported, ...Object.values(cacheCreation), ...Object.values(details)],
    {
      prompt: usage.input_tokens + cacheRead + cacheWrite + cacheWriteLong,
      completion: countOf(output),
      cacheRead,
      cacheWrite,
      cacheWriteLong,
      reasoning: countOf(details.thinking_tokens ?? usage.thinking_tokens),
      largestInput: findLargestInput(usage.iterations),
      variant: variantOf(usage.service_tier),
      toolCalls: serverToolCalls(usage.server_tool_use),
    },
  );
}

function findLargestInput(iterations: unknown): number {
  if (!Array.isArray(iterations)) return 0;
  return iterations.reduce((largest: number, iteration: unknown) => {
    if (!isRecord(iteration)) return largest;
    const cached =
      countOf(iteration.cache_read_input_tokens) + countOf(iteration.cache_creation_input_tokens);
    return Math.max(largest, countOf(iteration.input_tokens) + cached);
  }, 0);
}

/** `reported`: the reported values, which must be non-negative integers. */
function markContradictions(
  reported: readonly unknown[],
  numbers: Partial<TokenUsage>,
): TokenUsage {
  const usage = tokenUsage(numbers);
  const { prompt, completion, cacheRead, cacheWrite, cacheWriteLong } = usage;
  const areCounts = reported.every((value) => typeof value !== 'number' || isCount(value));
  // A cached token can also be a token of audio or an image, so each of these parts is compared
  // separately.
  const inputParts = [cacheRead + cacheWrite + cacheWriteLong, usage.inputAudio, usage.inputImage];
  const outputParts = [usage.reasoning, usage.outputAudio, usage.outputImage];
  const arePartsWithin =
    inputParts.every((part) => part <= prompt) && outputParts.every((part) => part <= completion);
  return { ...usage, isContradictory: !(areCounts && arePartsWithin) };
}

const isCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 0;

const countOf = (value: unknown): number => (isCount(value) ? value : 0);

/**
 * The estimate is one token per four bytes of UTF-8. It is close for English, and for Chinese with
 * three bytes per character.
 */
const BYTES_PER_TOKEN = 4;

export const tokensOf = (bytes: number) => Math.ceil(bytes / BYTES_PER_TOKEN);

/**
 * Converts the usage of an attempt that continued a text to the usage of the whole response.
 * `inputAdded`: tokens that the relay added to the request of the attempt; `outputBefore`: tokens
 * of the response before this attempt.
 */
export function toWholeResponseUsage(
  usage: TokenUsage,
  { inputAdded, outputBefore }: { readonly inputAdded: number; readonly outputBefore: number },
): TokenUsage {
  return {
    ...usage,
    prompt: Math.max(0, usage.prompt - inputAdded),
    completion: usage.completion + outputBefore,
  };
}

/** Returns the text in messages; images and sounds are not text. */
export function promptTextOf(messages: readonly unknown[]): string {
  return messages.map((message) => collectText(contentOf(message))).join('');
}

const contentOf = (message: unknown) =>
  typeof message === 'object' && message !== null && 'content' in message ? message.content : null;

/** Returns a text, or the texts in a list of parts. */
export function collectText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.reduce((all: string, part: unknown) => {
    const isText = typeof part === 'object' && part !== null && 'text' in part;
    return isText && typeof part.text === 'string' ? all + part.text : all;
  }, '');
}

/**
 * Returns the text that a choice's `delta` or `message` adds: content, reasoning, arguments of
 * tools.
 */
export function completionTextOf(part: unknown): string {
  if (typeof part === 'string') return part;
  if (typeof part !== 'object' || part === null) return '';
  const {
    content,
    reasoning_content,
    refusal,
    tool_calls: calls,
  } = part as Record<string, unknown>;
  let text = collectText(content) + collectText(reasoning_content) + collectText(refusal);
  for (const call of Array.isArray(calls) ? calls : []) {
    text += collectText(
      (call as { function?: { arguments?: unknown } } | null)?.function?.arguments,
    );
  }
  return text;
}
