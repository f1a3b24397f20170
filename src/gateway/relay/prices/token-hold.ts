// The hold of a call that is charged by tokens: never below its charge while the bounds hold. Relay
// contract, 2.3. `quote` uses the same functions.
import type { MicroFen } from '../../../kernel/money.ts';
import type { ApiDialect, ModelRequest } from '../dialects/dialect.ts';
import { numberOf } from '../dialects/request-fields.ts';
import type { ModelRouteConfig } from '../relay-config.ts';
import { MILLION, type ModelPrice, priceAt } from './model-prices.ts';
import type { TokenClass } from './token-classes.ts';

export type TokenBounds = {
  /** Tokens a byte of the request has at most, as assumed. */
  readonly ratio: number;
  readonly inputTokens: number;
  /** Of one response. */
  readonly outputTokens: number;
  readonly responses: number;
};

const TOKENS_PER_TURN = 8;
const TOKENS_OF_TOOLS = 1_024;

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
  const input = text + turns * TOKENS_PER_TURN + tools + media * route.mediaTokens;
  return {
    ratio,
    inputTokens: Math.min(input, route.maxInput ?? Number.MAX_SAFE_INTEGER),
    outputTokens: dialect.name === 'embeddings' ? 0 : outputBound(dialect, request, route),
    responses: request.choices,
  };
}

function outputBound(
  { lengthFields }: ApiDialect,
  { body, isStream }: ModelRequest,
  { holdOutput, maxOutput }: ModelRouteConfig,
): number {
  const limits = lengthFields.map((name) => numberOf(body[name])).filter((one) => one >= 0);
  const unlimited = isStream ? holdOutput : (maxOutput ?? holdOutput);
  const limit = limits.length === 0 ? unlimited : Math.max(...limits);
  return Math.min(limit, maxOutput ?? limit);
}

export type RequestSize = {
  /** Bytes of the body without encoded media. */
  readonly textBytes: number;
  /** Images, documents and sounds. */
  readonly media: number;
  readonly hasTools: boolean;
  readonly turns: number;
};

/** Encoded media is a long text without white space; its bytes are no words. */
const ENCODED = /"(?:data:[^"]{0,200};base64,)?[A-Za-z0-9+/=_-]{2000,}"/g;
const MEDIA =
  /"type"\s*:\s*"(?:image|image_url|input_image|document|file|input_file|input_audio)"/g;

export function measureRequest({ text, body }: ModelRequest): RequestSize {
  const encoded = text.match(ENCODED) ?? [];
  const bytes = Buffer.byteLength(text);
  const { messages, input, tools } = body;
  const items = Array.isArray(messages) ? messages : Array.isArray(input) ? input : [input];
  return {
    textBytes: bytes - encoded.reduce((sum, one) => sum + one.length, 0),
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
  { hasLongCache }: { readonly hasLongCache: boolean },
): MicroFen {
  const { inputTokens, outputTokens, responses } = bounds;
  const highest = (classes: readonly TokenClass[]) =>
    prices
      .filter((price) => classes.includes(price.class) && price.from <= inputTokens)
      .reduce((most, { microFen }) => (microFen > most ? microFen : most), 0n);
  const input = highest(hasLongCache ? [...inputClasses, 'cache_write_long'] : inputClasses);
  const output = highest(['output', 'reasoning', 'output_audio', 'output_image']);
  const exact = BigInt(inputTokens) * input + BigInt(outputTokens) * BigInt(responses) * output;
  const tokens = (exact + MILLION - 1n) / MILLION;
  return tokens + (priceAt(prices, 'request', inputTokens) ?? 0n);
}

/** A cache that lives for an hour has a price of its own: `ttl` of a cache mark. */
export const hasLongCache = ({ text }: ModelRequest) => /"ttl"\s*:\s*"(?:1h|12h)"/.test(text);
