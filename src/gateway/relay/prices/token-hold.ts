// Calculates the hold of a call that is charged by tokens. The hold is never below the charge,
// provided that the bounds are correct. `quote` uses the same functions. Relay contract, 2.3.
import type { MicroFen } from '../../../kernel/money.ts';
import type { ApiDialect, ModelRequest } from '../dialects/dialect.ts';
import { clientObjects } from '../dialects/refuse-references.ts';
import { toNumber } from '../dialects/request-fields.ts';
import { isRecord } from '../is-record.ts';
import type { ModelRouteConfig } from '../relay-config.ts';
import { type MediaCount, measureMedia, newMediaBudget } from './measure-media.ts';
import { MILLION, type ModelPrice } from './model-prices.ts';
import type { TokenClass } from './token-classes.ts';

export type TokenBounds = {
  /** Assumed maximum number of tokens per byte of the request. */
  readonly ratio: number;
  readonly inputTokens: number;
  /** Images, pages and seconds of sound in the request. */
  readonly media: MediaCount;
  /** Output tokens of one response. */
  readonly outputTokens: number;
  /** The limit of `outputTokens` while a stream runs. */
  readonly outputMax: number;
  readonly responses: number;
  /** Maximum number of calls of each tool of the provider, by name. */
  readonly toolCalls: Readonly<Record<string, number>>;
};

/** Assumed calls of a tool, when the request does not limit them. */
const DEFAULT_TOOL_CALLS = 20;
/** Tokens of one tool result, because results of the provider's tools count as input. */
const TOKENS_PER_TOOL_RESULT = 8_192;
/** Tokens that a provider adds to each turn and to a list of tools. */
const TOKENS_PER_TURN = 8;
const TOKENS_OF_TOOL_LIST = 1_024;
/** Assumed output tokens of a response without a limit in the request or the configuration. */
const DEFAULT_MAX_OUTPUT = 1_000_000;

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
  const textTokens = Math.ceil(textBytes * ratio);
  const toolListTokens = hasTools ? TOKENS_OF_TOOL_LIST : 0;
  const hostedTools = dialect.hostedTools(request);
  const toolCalls = Object.fromEntries(
    hostedTools.map(({ name, callsMax }) => [name, callsMax ?? DEFAULT_TOOL_CALLS]),
  );
  const toolResults = Object.values(toolCalls).reduce((sum, calls) => sum + calls, 0);
  const addedTokens =
    turns * TOKENS_PER_TURN + toolListTokens + toolResults * TOKENS_PER_TOOL_RESULT;
  const inputTokens = textTokens + addedTokens + mediaTokens(media, route);
  return {
    ratio,
    inputTokens: Math.min(inputTokens, route.maxInput ?? Number.MAX_SAFE_INTEGER),
    media,
    ...outputBounds(dialect, request, route),
    responses: request.choices,
    toolCalls,
  };
}

const mediaTokens = (
  { images, pages, audioSeconds }: MediaCount,
  route: Pick<ModelRouteConfig, 'mediaTokens' | 'pageTokens' | 'audioTokens'>,
) => images * route.mediaTokens + pages * route.pageTokens + audioSeconds * route.audioTokens;

function outputBounds(
  { name, lengthFields }: ApiDialect,
  { body, isStream }: ModelRequest,
  { holdOutput, maxOutput }: ModelRouteConfig,
): Pick<TokenBounds, 'outputTokens' | 'outputMax'> {
  if (name === 'embeddings') return { outputTokens: 0, outputMax: 0 };
  const limits = lengthFields.map((name) => toNumber(body[name])).filter((limit) => limit >= 0);
  const defaultLimit = isStream ? holdOutput : (maxOutput ?? holdOutput);
  const limit = limits.length === 0 ? defaultLimit : Math.max(...limits);
  const outputTokens = Math.min(limit, maxOutput ?? limit);
  const isExtendable = isStream && limits.length === 0;
  return {
    outputTokens,
    outputMax: isExtendable ? (maxOutput ?? DEFAULT_MAX_OUTPUT) : outputTokens,
  };
}

export type RequestSize = {
  /** Bytes of the body without encoded media. */
  readonly textBytes: number;
  readonly media: MediaCount;
  readonly hasTools: boolean;
  readonly turns: number;
  /** The request sets a cache lifetime (`ttl`) of an hour or more, which has its own price. */
  readonly hasLongCache: boolean;
};

/** Only these members can contain media. In tool schemas, providers read media as text. */
const mediaMembers = ['messages', 'input', 'system'];

export function measureRequest({ text, body }: ModelRequest): RequestSize {
  const { messages, input, tools } = body;
  const items = Array.isArray(messages) ? messages : Array.isArray(input) ? input : [input];
  const totals = { images: 0, pages: 0, audioSeconds: 0, encodedLength: 0, hasLongCache: false };
  const budget = newMediaBudget();
  // Recursion is safe, because the depth of a body is limited.
  const search = (value: unknown, mayHaveMedia: boolean): void => {
    if (Array.isArray(value)) {
      for (const element of value) search(element, mayHaveMedia);
      return;
    }
    if (!isRecord(value)) return;
    totals.hasLongCache ||= value.ttl === '1h' || value.ttl === '12h';
    const media = mayHaveMedia ? measureMedia(value, budget) : null;
    if (media !== null) {
      totals.images += media.images;
      totals.pages += media.pages;
      totals.audioSeconds += media.audioSeconds;
      totals.encodedLength += media.encodedLength;
    }
    for (const name in value) search(value[name], mayHaveMedia && !clientObjects.has(name));
  };
  for (const name in body) search(body[name], mediaMembers.includes(name));
  const { encodedLength, hasLongCache, ...media } = totals;
  return {
    textBytes: Buffer.byteLength(text) - encodedLength,
    media,
    hasTools: Array.isArray(tools) && tools.length > 0,
    turns: items.length,
    hasLongCache,
  };
}

/**
 * Returns the classes of input that a request can have. Providers read pages as text, as images,
 * or as both.
 */
const inputClassesOf = (
  { images, pages, audioSeconds }: MediaCount,
  hasLongCache: boolean,
): readonly TokenClass[] => [
  ...(['input', 'cache_write'] as const),
  ...(hasLongCache ? (['cache_write_long'] as const) : []),
  ...(images + pages > 0 ? (['input_image'] as const) : []),
  ...(audioSeconds > 0 ? (['input_audio'] as const) : []),
];

/**
 * Returns the hold at the highest prices of the tiers and classes that can occur within the
 * bounds.
 */
export function holdOf(
  prices: readonly ModelPrice[],
  bounds: TokenBounds,
  { hasLongCache, variant }: { readonly hasLongCache: boolean; readonly variant: string },
): MicroFen {
  const { inputTokens, media, outputTokens, responses, toolCalls } = bounds;
  const highestPrice = (classes: readonly TokenClass[]) =>
    prices
      .filter((price) => classes.includes(price.class) && price.from <= inputTokens)
      // A provider may serve the standard tier instead of the requested tier.
      .filter((price) => price.variant === '' || price.variant === variant)
      .reduce((max, { microFen }) => (microFen > max ? microFen : max), 0n);
  const inputPrice = highestPrice(inputClassesOf(media, hasLongCache));
  const outputPrice = highestPrice(['output', 'reasoning', 'output_audio', 'output_image']);
  const exactCost =
    BigInt(inputTokens) * inputPrice + BigInt(outputTokens) * BigInt(responses) * outputPrice;
  const tokenCost = (exactCost + MILLION - 1n) / MILLION;
  return Object.entries(toolCalls).reduce(
    (sum, [tool, calls]) => sum + BigInt(calls) * highestPrice([`tool:${tool}`]),
    tokenCost + highestPrice(['request']),
  );
}
