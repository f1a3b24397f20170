// The hold of a call that is charged by tokens. It is never below the charge while the bounds hold.
// Relay contract, 2.3. `quote` uses the same functions.
import type { MicroFen } from '../../../kernel/money.ts';
import type { ApiDialect, ModelRequest } from '../dialects/dialect.ts';
import { numberOf } from '../dialects/request-fields.ts';
import type { ModelRouteConfig } from '../relay-config.ts';
import { MILLION, type ModelPrice } from './model-prices.ts';
import type { TokenClass } from './token-classes.ts';

export type TokenBounds = {
  /** Assumed maximum number of tokens per byte of the request. */
  readonly ratio: number;
  readonly inputTokens: number;
  /** Output tokens of one response. */
  readonly outputTokens: number;
  /** The limit of `outputTokens` while a stream runs. */
  readonly outputMax: number;
  readonly responses: number;
  /** Calls that each tool of the provider may have, by its name. */
  readonly toolCalls: Readonly<Record<string, number>>;
};

/** Calls of a tool that the request does not limit. */
const TOOL_CALLS = 20;
/** Results of a tool of the provider are input. */
const TOKENS_OF_RESULT = 8_192;
const TOKENS_PER_TURN = 8;
const TOKENS_OF_TOOLS = 1_024;
/** Assumed output tokens of a response without a limit in the request or the configuration. */
const OUTPUT_MAX = 1_000_000;

type BoundsInput = {
  readonly size: RequestSize;
  readonly route: ModelRouteConfig;
  readonly ratio: number;
};

export function boundsOf(
  dialect: ApiDialect,
  request: ModelRequest,
  { size, route, ratio }: BoundsInput,
): TokenBounds {
  const { textBytes, media, hasTools, turns } = size;
  const text = Math.ceil(textBytes * ratio);
  const tools = hasTools ? TOKENS_OF_TOOLS : 0;
  const hosted = dialect.hostedTools(request);
  const toolCalls = Object.fromEntries(
    hosted.map(({ name, callsMax }) => [name, callsMax ?? TOOL_CALLS]),
  );
  const results = Object.values(toolCalls).reduce((sum, calls) => sum + calls, 0);
  const added = turns * TOKENS_PER_TURN + tools + results * TOKENS_OF_RESULT;
  const input = text + added + media * route.mediaTokens;
  return {
    ratio,
    inputTokens: Math.min(input, route.maxInput ?? Number.MAX_SAFE_INTEGER),
    ...outputBounds(dialect, request, route),
    responses: request.choices,
    toolCalls,
  };
}

function outputBounds(
  { name, lengthFields }: ApiDialect,
  { body, isStream }: ModelRequest,
  { holdOutput, maxOutput }: ModelRouteConfig,
): Pick<TokenBounds, 'outputTokens' | 'outputMax'> {
  if (name === 'embeddings') return { outputTokens: 0, outputMax: 0 };
  const limits = lengthFields.map((name) => numberOf(body[name])).filter((limit) => limit >= 0);
  const unlimited = isStream ? holdOutput : (maxOutput ?? holdOutput);
  const limit = limits.length === 0 ? unlimited : Math.max(...limits);
  const outputTokens = Math.min(limit, maxOutput ?? limit);
  const isOpen = isStream && limits.length === 0;
  return { outputTokens, outputMax: isOpen ? (maxOutput ?? OUTPUT_MAX) : outputTokens };
}

export type RequestSize = {
  /** Bytes of the body without encoded media. */
  readonly textBytes: number;
  /** Images, documents and sounds. */
  readonly media: number;
  readonly hasTools: boolean;
  readonly turns: number;
};

/** Encoded media is a long text without white space that contains no words. */
const ENCODED = /"(?:data:[^"]{0,200};base64,)?[A-Za-z0-9+/=_-]{2000,}"/g;
const MEDIA =
  /"type"\s*:\s*"(?:image|image_url|input_image|document|file|input_file|input_audio)"/g;

export function measureRequest({ text, body }: ModelRequest): RequestSize {
  const encoded = text.match(ENCODED) ?? [];
  const bytes = Buffer.byteLength(text);
  const { messages, input, tools } = body;
  const items = Array.isArray(messages) ? messages : Array.isArray(input) ? input : [input];
  return {
    textBytes: bytes - encoded.reduce((sum, part) => sum + part.length, 0),
    media: (text.match(MEDIA) ?? []).length,
    hasTools: Array.isArray(tools) && tools.length > 0,
    turns: items.length,
  };
}

const inputClasses: readonly TokenClass[] = ['input', 'cache_write', 'input_audio', 'input_image'];

/** The highest prices of any tier that the bound can reach, of the classes that can occur. */
export function holdOf(
  prices: readonly ModelPrice[],
  bounds: TokenBounds,
  { hasLongCache, variant }: { readonly hasLongCache: boolean; readonly variant: string },
): MicroFen {
  const { inputTokens, outputTokens, responses, toolCalls } = bounds;
  const highest = (classes: readonly TokenClass[]) =>
    prices
      .filter((price) => classes.includes(price.class) && price.from <= inputTokens)
      // A provider may serve the standard tier where another one was requested.
      .filter((price) => price.variant === '' || price.variant === variant)
      .reduce((max, { microFen }) => (microFen > max ? microFen : max), 0n);
  const input = highest(hasLongCache ? [...inputClasses, 'cache_write_long'] : inputClasses);
  const output = highest(['output', 'reasoning', 'output_audio', 'output_image']);
  const exact = BigInt(inputTokens) * input + BigInt(outputTokens) * BigInt(responses) * output;
  const tokens = (exact + MILLION - 1n) / MILLION;
  return Object.entries(toolCalls).reduce(
    (sum, [tool, calls]) => sum + BigInt(calls) * highest([`tool:${tool}`]),
    tokens + highest(['request']),
  );
}

/** A cache with a lifetime of an hour has its own price: `ttl` of a cache mark. */
export const hasLongCache = ({ text }: ModelRequest) => /"ttl"\s*:\s*"(?:1h|12h)"/.test(text);
