// Calculates the hold and the charge of a call: free, a price per response, or prices by token.
// Relay contract, 2.2 to 2.4.
import type { MicroFen } from '../../../kernel/money.ts';
import type { CountedUsage } from '../count-usage.ts';
import type { ApiDialect, ModelRequest, PricedFeatures } from '../dialects/dialect.ts';
import type { ModelRouteConfig } from '../relay-config.ts';
import { type TokenUsage, variantOf } from '../token-usage.ts';
import type { InputRatios } from './input-ratio.ts';
import { hasMedia } from './measure-media.ts';
import {
  chargeOf,
  type ModelPrice,
  type ModelPriceList,
  priceAt,
  pricedToolsOf,
  tierOf,
  variantsOf,
} from './model-prices.ts';
import { boundsOf, holdOf, measureRequest, type TokenBounds } from './token-hold.ts';

/** The configured price of each response; null: none. */
export type ResponsePrice = { readonly perCall: MicroFen; readonly version: number } | null;

export type CallPrice = { readonly kind: 'free' } | ResponseCharge | TokenPrice;

/** A price per response. `amount` is the hold and the charge. */
export type ResponseCharge = {
  readonly kind: 'per_call';
  readonly amount: MicroFen;
  readonly version: number;
  readonly model: string;
  readonly perCall: MicroFen;
  readonly responses: number;
};

export type TokenPrice = {
  readonly kind: 'per_token';
  /** The hold. */
  readonly amount: MicroFen;
  readonly list: ModelPriceList;
  readonly model: string;
  readonly prices: readonly ModelPrice[];
  readonly bounds: TokenBounds;
  readonly hasLongCache: boolean;
  /** The service tier that was requested; '' for the standard tier. */
  readonly variant: string;
  /** Number of bytes from which the model's token ratio is measured. */
  readonly textBytes: number;
};

export type PriceInput = {
  readonly dialect: ApiDialect;
  readonly request: ModelRequest;
  readonly route: ModelRouteConfig;
  /** Null: no model has a price. */
  readonly list: ModelPriceList | null;
  readonly perResponse: ResponsePrice;
  readonly ratios: InputRatios;
};

/** Null: only other models have prices, so this model is not offered. */
export function priceCall(input: PriceInput): CallPrice | null {
  const { dialect, request, route, list, perResponse, ratios } = input;
  const { model, choices: responses } = request;
  if (list === null) {
    if (perResponse === null || perResponse.perCall === 0n) return { kind: 'free' };
    const { perCall, version } = perResponse;
    const amount = perCall * BigInt(responses);
    return { kind: 'per_call', amount, version, model, perCall, responses };
  }
  const prices = list.models.get(model);
  if (prices === undefined) return null;
  const requestSize = measureRequest(request);
  const bounds = boundsOf(dialect, request, {
    size: requestSize,
    route,
    ratio: ratios.ratioOf(model),
  });
  const { textBytes, hasLongCache } = requestSize;
  const variant = variantOf(request.body.service_tier);
  const amount = holdOf(prices, bounds, { hasLongCache, variant });
  if (amount === 0n) return { kind: 'free' };
  return {
    kind: 'per_token',
    amount,
    list,
    model,
    prices,
    bounds,
    hasLongCache,
    variant,
    textBytes,
  };
}

/** Returns the price with a hold for this number of output tokens per response. */
export function extendPrice(price: TokenPrice, outputTokens: number): TokenPrice {
  const bounds = { ...price.bounds, outputTokens };
  return { ...price, bounds, amount: holdOf(price.prices, bounds, price) };
}

const noPricedFeatures: PricedFeatures = { variants: new Set(), tools: new Set() };

/** Throws a Fault for features that cost extra at the provider and have no price. */
export function refuseUnpriced(dialect: ApiDialect, request: ModelRequest, price: CallPrice): void {
  if (price.kind === 'free') return;
  const features =
    price.kind === 'per_token'
      ? { variants: variantsOf(price.prices), tools: pricedToolsOf(price.prices) }
      : noPricedFeatures;
  dialect.refuseUnpriced(request, features);
}

export type CapturedCharge = { readonly captured: MicroFen; readonly usage: object };

/** Relay contract, 2.2: a price per response is the class `request`. */
export function chargeByResponse(price: ResponseCharge, attempt: number): CapturedCharge {
  const { amount, model, perCall, responses } = price;
  const line = { class: 'request', tokens: responses, price: String(perCall), attempt };
  return {
    captured: amount,
    usage: { unit: 'per_call', quantity: responses, increment: 'call', model, lines: [line] },
  };
}

type TokenCapturedCharge = CapturedCharge & {
  /** Cost above the hold. */
  readonly shortfall: MicroFen;
  /** The usage that the charge covers; numbers above their bounds are reduced to the bounds. */
  readonly billedUsage: TokenUsage & { readonly counted: string };
  /** The billed usage by token class, for the billed attempt. */
  readonly billed: BilledClasses;
};

/** Tokens by class. Classes with a price are the lines of the charge. */
export type BilledClasses = Readonly<Record<string, number>>;

const CONTRADICTION = 'contradictory';
/** Providers may count slightly more output tokens than the request's limit. */
const OUTPUT_TOLERANCE = 1.05;

export type ServedResponse = {
  readonly servedModel: string;
  /** The number of the billed attempt, from 1. */
  readonly attempt: number;
  /**
   * The clients of this key disconnected too often before usage was reported, so estimated input
   * has no discount.
   */
  readonly hasManyEstimates: boolean;
};

/**
 * Calculates the charge of a response by `servedModel`. A fallback without prices is charged at
 * the prices of the requested model. The lines are stored with the call, and the audit compares
 * their sum.
 */
export function chargeByTokens(
  price: TokenPrice,
  countedUsage: CountedUsage,
  { servedModel, attempt, hasManyEstimates }: ServedResponse,
): TokenCapturedCharge {
  const { list, prices, model, amount } = price;
  const servedPrices = list.models.get(servedModel);
  const limitedUsage = limitUsage(price, countedUsage, hasManyEstimates);
  const { charge, classes, lines, shortfall, isCeilingApplied } = chargeOf(
    limitedUsage,
    servedPrices ?? prices,
    prices,
    amount,
  );
  return {
    captured: charge,
    shortfall,
    billedUsage: limitedUsage,
    billed: Object.fromEntries(classes.map(({ class: name, tokens }) => [name, tokens])),
    usage: {
      unit: 'per_token',
      quantity: limitedUsage.prompt + limitedUsage.completion,
      increment: 'token',
      model: servedPrices === undefined ? model : servedModel,
      counted: limitedUsage.counted,
      tokens: { input: limitedUsage.prompt, output: limitedUsage.completion },
      lines: lines.map((line) => ({ ...line, price: String(line.price), attempt })),
      ...(isCeilingApplied && { ceiling: String(charge + shortfall) }),
      ...(shortfall > 0n && { shortfall: String(shortfall) }),
    },
  };
}

/**
 * Reduces usage above the maximum that the request can cause to this maximum, and marks the usage
 * as contradictory. Estimated input counts as cache reads when these have a price.
 */
function limitUsage(price: TokenPrice, countedUsage: CountedUsage, hasManyEstimates: boolean) {
  const { prices } = price;
  if (!countedUsage.isInputReported) {
    const isCached =
      !hasManyEstimates && priceAt(prices, 'cache_read', tierOf(countedUsage)) !== null;
    return { ...countedUsage, cacheRead: isCached ? countedUsage.prompt : 0 };
  }
  if (!isContradictory(price, countedUsage)) return countedUsage;
  const { inputMax, outputMax } = usageLimits(price);
  return {
    ...countedUsage,
    prompt: Math.min(countedUsage.prompt, inputMax),
    completion:
      countedUsage.completion > outputMax * OUTPUT_TOLERANCE ? outputMax : countedUsage.completion,
    counted: CONTRADICTION,
  };
}

/** Returns the tokens that a hold covers: the input, and the output of every response. */
export const heldTokens = ({ bounds: { inputTokens, outputTokens, responses } }: TokenPrice) =>
  Math.max(1, inputTokens + outputTokens * responses);

/** Whether the call can measure tokens per byte: it has no media and no tools of the provider. */
export const isMeasurable = ({ bounds: { media, toolCalls } }: TokenPrice): boolean =>
  !hasMedia(media) && Object.keys(toolCalls).length === 0;

/**
 * Whether numbers of the upstream are impossible. Estimates of the relay are never contradictory.
 */
export function isContradictory(price: TokenPrice, countedUsage: CountedUsage): boolean {
  if (!countedUsage.isInputReported) return false;
  const { inputMax, outputMax } = usageLimits(price);
  const exceedsLimits =
    countedUsage.prompt > inputMax || countedUsage.completion > outputMax * OUTPUT_TOLERANCE;
  return exceedsLimits || countedUsage.isContradictory;
}

/** No vocabulary has more than one token per byte; media have separate bounds. */
const usageLimits = ({ bounds, textBytes }: TokenPrice) => ({
  inputMax: Math.max(bounds.inputTokens, textBytes),
  outputMax: bounds.outputMax * bounds.responses,
});
