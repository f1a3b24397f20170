// How many tokens a call used: as its upstream says, or estimated from the text that went by.

export type TokenUsage = { readonly prompt: number; readonly completion: number };

/** The `usage` of an answer or of a chunk; null when it is none. */
export function readTokenUsage(value: unknown): TokenUsage | null {
  if (typeof value !== 'object' || value === null) return null;
  const { prompt_tokens: prompt, completion_tokens: completion } = value as Record<string, unknown>;
  if (!isCount(prompt)) return null;
  return { prompt, completion: isCount(completion) ? completion : 0 };
}

const isCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 0;

/** Four bytes of UTF-8 a token: close for English, and for Chinese at three bytes a character. */
const BYTES_PER_TOKEN = 4;

export const tokensOf = (bytes: number) => Math.ceil(bytes / BYTES_PER_TOKEN);

/**
 * The usage of an attempt that continued `deliveredBytes` of text: what the relay added to its
 * input is taken off, what was delivered before counts as output.
 */
export function continuedBy(
  { prompt, completion }: TokenUsage,
  deliveredBytes: number,
): TokenUsage {
  const added = tokensOf(deliveredBytes);
  return { prompt: Math.max(0, prompt - added), completion: completion + added };
}

/** Bytes of the text in messages; pictures and sounds are not text. */
export function promptBytesOf(messages: readonly unknown[]): number {
  let bytes = 0;
  for (const message of messages) bytes += textBytesIn(contentOf(message));
  return bytes;
}

const contentOf = (message: unknown) =>
  typeof message === 'object' && message !== null && 'content' in message ? message.content : null;

function textBytesIn(content: unknown): number {
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
