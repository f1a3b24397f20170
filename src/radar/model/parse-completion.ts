// Parses a chat-completions response: text, finish reason, token usage. Every field may be missing
// or wrong. Missing usage is estimated by the caller.
import { z } from 'zod';

const part = z.object({ type: z.string().optional(), text: z.string().optional() });

const tokens = z.number().int().min(0).max(1e9).nullish().catch(null);

const completion = z.object({
  choices: z
    .array(
      z.object({
        message: z.object({
          content: z.union([z.string(), z.array(part)]).nullish(),
          refusal: z.string().nullish().catch(null),
        }),
        finish_reason: z.string().nullish().catch(null),
      }),
    )
    .min(1),
  usage: z.object({ prompt_tokens: tokens, completion_tokens: tokens }).nullish().catch(null),
});

export type CompletionResult =
  | {
      readonly kind: 'text';
      readonly text: string;
      /** The server's value: `stop`, `length`, `content_filter` …; null when absent. */
      readonly finish: string | null;
      readonly refusal: string | null;
      readonly promptTokens: number | null;
      readonly answerTokens: number | null;
    }
  | { readonly kind: 'malformed'; readonly problem: string };

export function parseCompletion(body: Uint8Array): CompletionResult {
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    return { kind: 'malformed', problem: 'the server’s response is not JSON' };
  }
  const parsed = completion.safeParse(json);
  if (!parsed.success) {
    return {
      kind: 'malformed',
      problem: `the server’s response is not a chat completion${findError(json)}`,
    };
  }
  const { choices, usage } = parsed.data;
  const [choice] = choices;
  const { content = null, refusal = null } = choice?.message ?? {};
  return {
    kind: 'text',
    text: typeof content === 'string' ? content : textOf(content ?? []),
    finish: choice?.finish_reason ?? null,
    refusal: refusal === '' ? null : (refusal ?? null),
    promptTokens: usage?.prompt_tokens ?? null,
    answerTokens: usage?.completion_tokens ?? null,
  };
}

const textOf = (parts: readonly z.infer<typeof part>[]) =>
  parts.map(({ text = '' }) => text).join('');

/** Some servers return errors with status 200. */
function findError(json: unknown): string {
  const parsed = z.object({ error: z.object({ message: z.string() }) }).safeParse(json);
  return parsed.success ? `: ${oneLine(parsed.data.error.message)}` : '';
}

/** One line of limited length for logs and records. */
export function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim().slice(0, 300);
}
