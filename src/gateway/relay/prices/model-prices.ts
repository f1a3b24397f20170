// Finds the prices of a model by token class and tier, and calculates the charge of a call. Relay
// contract, 2.2.
import type { MicroFen } from '../../../kernel/money.ts';
import type { TokenUsage } from '../token-usage.ts';
import { type ClassCount, classesOf, isPerCall, type TokenClass } from './token-classes.ts';

export type ModelPrice = {
  readonly class: TokenClass;
  /** The tier begins at this many input tokens. */
  readonly from: number;
  /** A service tier of the provider; '' is the standard tier. */
  readonly variant: string;
  /** Per million tokens; per call for the classes `request` and `tool:…`. */
  readonly microFen: MicroFen;
};

export type ModelPriceList = {
  readonly version: number;
  readonly models: ReadonlyMap<string, readonly ModelPrice[]>;
};

/** One line of a charge: `tokens` at `price` per million, or calls at `price` each. */
export type ChargeLine = {
  readonly class: TokenClass;
  readonly tokens: number;
  readonly price: MicroFen;
};

export const MILLION = 1_000_000n;

/** Relay contract, 2.2: the largest iteration of a call decides its tier. */
export const tierOf = ({ prompt, largestInput, variant }: TokenUsage): PriceTier => ({
  totalInput: largestInput === 0 ? prompt : largestInput,
  variant,
});

export type PriceTier = {
  readonly totalInput: number;
  readonly variant: string;
};

/**
 * Returns the price of a class. The tier depends on the total input and applies to all classes of
 * the call. A variant without a price for the class uses the standard price.
 */
export function priceAt(
  prices: readonly ModelPrice[],
  name: TokenClass,
  { totalInput, variant }: PriceTier,
): MicroFen | null {
  let matchingPrice: ModelPrice | null = null;
  for (const price of prices) {
    if (price.class !== name || price.variant !== variant || price.from > totalInput) continue;
    if (matchingPrice === null || price.from > matchingPrice.from) matchingPrice = price;
  }
  if (matchingPrice !== null) return matchingPrice.microFen;
  return variant === '' ? null : priceAt(prices, name, { totalInput, variant: '' });
}

/** Returns the service tiers with prices of their own. */
export const variantsOf = (prices: readonly ModelPrice[]): ReadonlySet<string> =>
  new Set(prices.map(({ variant }) => variant).filter((variant) => variant !== ''));

/** Returns the tools of the provider with a price. */
export const pricedToolsOf = (prices: readonly ModelPrice[]): ReadonlySet<string> =>
  new Set(
    prices.flatMap(({ class: name }) =>
      name.startsWith('tool:') ? name.slice('tool:'.length) : [],
    ),
  );

/**
 * The token classes of a usage at these prices, and the charge lines of the classes with a cost.
 */
export type PricedUsage = {
  readonly classes: readonly ClassCount[];
  readonly lines: readonly ChargeLine[];
};

/**
 * A class without a price has the price of plain input or output. Without such a price the class is
 * free.
 */
function priceUsage(prices: readonly ModelPrice[], usage: TokenUsage): PricedUsage {
  const tier = tierOf(usage);
  const priceOfClass = (name: TokenClass) => priceAt(prices, name, tier);
  const classes = classesOf(usage, (name) => priceOfClass(name) !== null);
  const lines = classes.flatMap(({ class: name, tokens }) => {
    const price = priceOfClass(name) ?? 0n;
    return price === 0n ? [] : [{ class: name, tokens, price }];
  });
  return { classes, lines };
}

export const linesOf = (prices: readonly ModelPrice[], usage: TokenUsage) =>
  priceUsage(prices, usage).lines;

/** Returns the exact sum of the lines, in millionths of a micro-fen. */
export function exactAmount(lines: readonly ChargeLine[]): bigint {
  return lines.reduce((sum, line) => {
    const units = isPerCall(line.class) ? MILLION : 1n;
    return sum + BigInt(line.tokens) * units * line.price;
  }, 0n);
}

/**
 * Returns the amount of the lines, rounded down once per call. The customer pays at most one
 * micro-fen less.
 */
export const amountOfLines = (lines: readonly ChargeLine[]): MicroFen =>
  exactAmount(lines) / MILLION;

export type TokenCharge = PricedUsage & {
  readonly charge: MicroFen;
  /** The cost of the lines above the hold, which the operator bears. */
  readonly shortfall: MicroFen;
  /** The requested model's prices limited the charge. */
  readonly isCeilingApplied: boolean;
};

/**
 * `servedPrices`: prices of the model that responded. `requestedPrices`: prices of the requested
 * model, whose cost is the ceiling. `heldAmount`: the hold, which limits every charge.
 */
export function chargeOf(
  usage: TokenUsage,
  servedPrices: readonly ModelPrice[],
  requestedPrices: readonly ModelPrice[],
  heldAmount: MicroFen,
): TokenCharge {
  const priced = priceUsage(servedPrices, usage);
  const exact = amountOfLines(priced.lines);
  const ceiling = amountOfLines(linesOf(requestedPrices, usage));
  const cost = exact < ceiling ? exact : ceiling;
  const charge = cost < heldAmount ? cost : heldAmount;
  return { ...priced, charge, shortfall: cost - charge, isCeilingApplied: ceiling < exact };
}
