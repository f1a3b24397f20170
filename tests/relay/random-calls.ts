// Random calls of the four dialects: their requests, the planned response of the provider, and the
// usage that the relay must charge. The rules follow section 2 of the relay contract and not the
// code that charges.
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { type TokenUsage, tokenUsage } from '../../src/gateway/relay/token-usage.ts';
import type { Random } from '../../src/kernel/crypto/random.ts';

const paths = {
  chat: '/v1/chat/completions',
  messages: '/v1/messages',
  responses: '/v1/responses',
  embeddings: '/v1/embeddings',
} as const;

export type PlannedCall = {
  /** The number of the call, which the text of its request contains. */
  readonly n: number;
  readonly dialect: keyof typeof paths;
  readonly model: string;
  readonly isStream: boolean;
  /** Words of the request. */
  readonly words: number;
  /** The requested limit of the output; null: none. */
  readonly limit: number | null;
  /** The requested service tier, and the tier that the provider reports. */
  readonly tiers: { readonly requested: string; readonly served: string };
  /** The client disconnects after this number of chunks; 0: never. */
  readonly chunksUntilDisconnect: number;
  /**
   * `failing`: the requested model fails and a fallback responds. `broken`: every response breaks.
   * `spliced` and `restarted`: the stream breaks once; the next attempt continues its text, or
   * begins again.
   */
  readonly fault: 'none' | 'failing' | 'broken' | 'spliced' | 'restarted';
  /**
   * The usage report. `parts`: a part exceeds its total. `large`: 1,000,000,000 tokens.
   */
  readonly report: 'exact' | 'absent' | 'zero' | 'parts' | 'large';
  readonly replyWords: number;
  /** The numbers of tokens that an exact report contains. */
  readonly input: number;
  readonly cached: number;
  readonly written: number;
  readonly output: number;
  readonly reasoning: number;
};

/** The largest output of a model, and the output that a hold covers in a stream without limit. */
export const routeLimits = { maxOutput: 4_000, holdOutput: 60 } as const;
export const models = ['m0', 'm1', 'm2'] as const;
export const fallbackOf = (model: string) =>
  models[(models.indexOf(model as (typeof models)[number]) + 1) % models.length] ?? 'm0';

const LARGE_REPORT_TOKENS = 1_000_000_000;

export function planCall(random: Random, n: number): PlannedCall {
  const randomBelow = (count: number) => Math.floor(random.next() * count);
  const happensOnceIn = (count: number) => randomBelow(count) === 0;
  const dialect =
    (['chat', 'messages', 'responses', 'chat', 'messages', 'embeddings'] as const)[
      randomBelow(6)
    ] ?? 'chat';
  const isEmbedding = dialect === 'embeddings';
  const isStream = !isEmbedding && happensOnceIn(2);
  const words = happensOnceIn(3) ? 900 + randomBelow(600) : randomBelow(60);
  // A request has at most one token per byte.
  const input = 5 + randomBelow(words * 3);
  const output = isEmbedding ? 0 : 1 + randomBelow(1_200);
  const cached = happensOnceIn(2) && !isEmbedding ? randomBelow(input) : 0;
  const isPriority = !isEmbedding && happensOnceIn(4);
  const reportKinds = ['absent', isEmbedding ? 'absent' : 'zero', 'parts', 'large'] as const;
  const report = happensOnceIn(8)
    ? (reportKinds[randomBelow(reportKinds.length)] ?? 'exact')
    : 'exact';
  const spliceFault = report === 'zero' ? 'restarted' : 'spliced';
  const failureFault = isEmbedding ? 'broken' : 'failing';
  const faults = isStream
    ? ([spliceFault, 'restarted', 'broken', failureFault] as const)
    : (['broken', failureFault] as const);
  return {
    n,
    dialect,
    model: models[randomBelow(models.length)] ?? 'm0',
    isStream,
    words,
    limit:
      isEmbedding || (dialect !== 'messages' && happensOnceIn(3))
        ? null
        : 1_200 + randomBelow(1_000),
    tiers: {
      requested: isPriority ? 'priority' : '',
      served: isPriority && !happensOnceIn(3) ? 'priority' : '',
    },
    chunksUntilDisconnect: isStream && happensOnceIn(10) ? 1 + randomBelow(4) : 0,
    fault: happensOnceIn(5) ? (faults[randomBelow(faults.length)] ?? 'none') : 'none',
    report,
    replyWords: 8 + (happensOnceIn(3) ? randomBelow(400) : randomBelow(20)),
    input,
    cached,
    written: happensOnceIn(2) && !isEmbedding ? randomBelow(input - cached) : 0,
    output,
    reasoning: happensOnceIn(2) ? randomBelow(output) : 0,
  };
}

const promptOf = ({ n, words }: PlannedCall) => `call ${n}. ${'word '.repeat(words)}`;

const textOf = (word: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${word}${index}`).join(' ');

/** The provider's text, and the text of an attempt that continues it. */
export const replyOf = ({ replyWords }: PlannedCall) => textOf('word', replyWords);
export const laterReplyOf = ({ replyWords }: PlannedCall) => textOf('more', replyWords);

export type ModelCallRequest = { readonly path: string; readonly body: string };

export function requestOf(call: PlannedCall): ModelCallRequest {
  const { dialect, model, isStream, limit, tiers } = call;
  const text = promptOf(call);
  const turns = { messages: [{ role: 'user', content: text }] };
  const common = {
    model,
    ...(dialect !== 'embeddings' && { stream: isStream }),
    ...(tiers.requested !== '' && { service_tier: tiers.requested }),
  };
  const body = {
    chat: { ...turns, ...(limit !== null && { max_tokens: limit }) },
    messages: { ...turns, max_tokens: limit },
    responses: { input: text, ...(limit !== null && { max_output_tokens: limit }) },
    embeddings: { input: text },
  }[dialect];
  return { path: paths[dialect], body: JSON.stringify({ ...common, ...body }) };
}

export type ReportedNumbers = Pick<
  PlannedCall,
  'input' | 'cached' | 'written' | 'output' | 'reasoning'
>;

/** The numbers that the provider reports; null: none. */
export function numbersOf(call: PlannedCall): ReportedNumbers | null {
  const { report, input, cached, written, output, reasoning } = call;
  switch (report) {
    case 'exact':
      return { input, cached, written, output, reasoning };
    case 'absent':
      return null;
    case 'zero':
      return { input: 0, cached: 0, written: 0, output: 0, reasoning: 0 };
    case 'parts':
      return { input, cached, written, output, reasoning: output + 7 };
    case 'large':
      return {
        input: LARGE_REPORT_TOKENS,
        cached,
        written,
        output: output === 0 ? 0 : LARGE_REPORT_TOKENS,
        reasoning,
      };
  }
}

/** The output that the provider finally sent to the client. */
export type ServedText = {
  /** The model of the last attempt. */
  readonly model: string;
  /** The text before the last splice point; null: the response has none. */
  readonly delivered: string | null;
  readonly text: string;
};

export type ExpectedUsage = {
  readonly counted: 'upstream' | 'estimated' | 'contradictory';
  readonly usage: TokenUsage;
};

/**
 * The usage that is charged for a complete response. When `hasCachePrice`, input that only the
 * relay counted has the price of cached input.
 */
export function expectedUsage(
  call: PlannedCall,
  { delivered, text }: ServedText,
  hasCachePrice: (input: number) => boolean,
): ExpectedUsage {
  const numbers = numbersOf(call);
  // An attempt that starts again repeats the delivered text.
  const repeatedText = call.fault === 'spliced' ? (delivered ?? '') : '';
  if (numbers === null || call.report === 'zero') {
    const prompt = countTokens(promptOf(call));
    const completion = call.dialect === 'embeddings' ? 0 : countTokens(repeatedText + text);
    const cacheRead = hasCachePrice(prompt) ? prompt : 0;
    return { counted: 'estimated', usage: tokenUsage({ prompt, completion, cacheRead }) };
  }
  const { input, cached, written, output, reasoning } = numbers;
  const isEmbedding = call.dialect === 'embeddings';
  const completion = output + countTokens(repeatedText);
  // No request has more tokens than bytes. Providers count up to 5 % above the limit.
  const inputMax = requestOf(call).body.length;
  const outputMax = isEmbedding ? 0 : (call.limit ?? routeLimits.maxOutput);
  const isAbove = completion > outputMax * 1.05;
  const isContradictory = input > inputMax || isAbove || (call.report === 'parts' && !isEmbedding);
  return {
    counted: isContradictory ? 'contradictory' : 'upstream',
    usage: tokenUsage({
      prompt: Math.min(input, inputMax),
      completion: isAbove ? outputMax : completion,
      cacheRead: cached,
      cacheWrite: written,
      reasoning,
      variant: call.tiers.served,
    }),
  };
}
