// Converts published price files to prices of models. Amounts are read from the JSON source text as
// decimals, never as floats. Relay contract, 2.5.
import { createHash } from 'node:crypto';
import { Fault } from '../../../kernel/errors/fault.ts';
import type { ModelPriceRow } from '../../../store/gateway/model-prices.ts';
import { isRecord } from '../is-record.ts';
import type { TokenClass } from './token-classes.ts';

export type ImportOptions = {
  /** CNY per USD, in millionths. */
  readonly ratePpm: bigint;
  /** Surcharge on the cost, in millionths. */
  readonly marginPpm: bigint;
  /** Ids of the models to import; null: all. */
  readonly models: ReadonlySet<string> | null;
};

export type ImportedPrices = {
  readonly sha256: string;
  readonly rows: readonly ModelPriceRow[];
};

/** Source: BerriAI/litellm `model_prices_and_context_window.schema.json`. USD per token. */
const litellmFields: Readonly<Record<string, TokenClass>> = {
  input_cost_per_token: 'input',
  output_cost_per_token: 'output',
  cache_read_input_token_cost: 'cache_read',
  cache_creation_input_token_cost: 'cache_write',
  // The suffix is a cache lifetime, although the schema describes it as a threshold.
  cache_creation_input_token_cost_above_1hr: 'cache_write_long',
  input_cost_per_audio_token: 'input_audio',
  output_cost_per_audio_token: 'output_audio',
  output_cost_per_reasoning_token: 'reasoning',
  input_cost_per_image_token: 'input_image',
  output_cost_per_image_token: 'output_image',
};

/** `input_cost_per_token_above_200k_tokens_priority`: a tier and a variant. */
const TIER = /^(.+?)(?:_above_(\d+)k_tokens)?(?:_(flex|priority))?$/;
/** Entries of the file that are not models. */
const nonModelEntries = new Set(['sample_spec', 'fallback_generalizations']);

/** Throws a Fault `invalid_request` when the text is not a price file. */
export function importLitellm(text: string, options: ImportOptions): ImportedPrices {
  const file = parseFile(text);
  const rows: ModelPriceRow[] = [];
  for (const [model, entry] of Object.entries(file)) {
    if (nonModelEntries.has(model) || !isRecord(entry)) continue;
    if (options.models !== null && !options.models.has(model)) continue;
    for (const [field, value] of Object.entries(entry)) {
      const [, base = field, thousands = '0', variant = ''] = TIER.exec(field) ?? [];
      const tokenClass = Object.hasOwn(litellmFields, base) ? litellmFields[base] : undefined;
      const amount = parseDecimal(value);
      if (tokenClass === undefined || amount === null) continue;
      const from = Number(thousands) * 1_000;
      const microFen = toMicroFen(amount, options);
      rows.push({ model, class: tokenClass, from, variant, microFen, origin: 'import' });
    }
  }
  return { sha256: createHash('sha256').update(text).digest('hex'), rows };
}

function parseFile(text: string): Readonly<Record<string, unknown>> {
  const keepSource = (_name: string, value: unknown, context?: { readonly source?: string }) =>
    typeof value === 'number' ? { source: context?.source ?? String(value) } : value;
  let value: unknown;
  try {
    value = JSON.parse(text, keepSource as (name: string, value: unknown) => unknown);
  } catch (cause) {
    throw new Fault('invalid_request', 'The price file is not JSON.', { cause });
  }
  if (isRecord(value)) return value;
  throw new Fault('invalid_request', 'The price file must be an object of models.');
}

type Decimal = { readonly digits: bigint; readonly scale: bigint };

const NUMBER = /^(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?$/;

/** Parses a decimal as `digits` divided by `scale`. Null: negative, or no number. */
function parseDecimal(value: unknown): Decimal | null {
  if (!isRecord(value) || typeof value.source !== 'string') return null;
  const [, integerPart, fraction = '', exponent = '0'] = NUMBER.exec(value.source) ?? [];
  if (integerPart === undefined) return null;
  const decimalPlaces = fraction.length - Number(exponent);
  const digits = BigInt(integerPart + fraction);
  return decimalPlaces >= 0
    ? { digits, scale: 10n ** BigInt(decimalPlaces) }
    : { digits: digits * 10n ** BigInt(-decimalPlaces), scale: 1n };
}

const PPM = 1_000_000n;
const MICRO_FEN_PER_CNY = 100_000_000n;
const TOKENS_PER_PRICE = 1_000_000n;

/** Returns the price of a million tokens, rounded up: `USD × 10⁶ × rate × 10⁸ × (1 + margin)`. */
function toMicroFen(
  { digits, scale }: Decimal,
  { ratePpm, marginPpm }: Pick<ImportOptions, 'ratePpm' | 'marginPpm'>,
): bigint {
  const exactAmount = digits * TOKENS_PER_PRICE * MICRO_FEN_PER_CNY * ratePpm * (PPM + marginPpm);
  const divisor = scale * PPM * PPM;
  return (exactAmount + divisor - 1n) / divisor;
}

export type PriceChange = {
  readonly model: string;
  readonly class: string;
  readonly from: number;
  readonly variant: string;
  /** Null: the model had no price before, or has no price now. */
  readonly before: bigint | null;
  readonly after: bigint | null;
  /** The price falls to zero, disappears, or changes by a factor of three or more. */
  readonly isLargeChange: boolean;
};

const keyOf = ({ model, class: name, from, variant }: ModelPriceRow) =>
  `${model}\n${name}\n${from}\n${variant}`;

/** Lists the prices that differ between two lists, sorted by model. */
export function comparePrices(
  before: readonly ModelPriceRow[],
  after: readonly ModelPriceRow[],
): readonly PriceChange[] {
  const existing = new Map(before.map((row) => [keyOf(row), row]));
  const newRows = new Map(after.map((row) => [keyOf(row), row]));
  const keys = [...new Set([...existing.keys(), ...newRows.keys()])].sort();
  return keys.flatMap((key) => {
    const oldRow = existing.get(key);
    const row = newRows.get(key);
    const amountBefore = oldRow?.microFen ?? null;
    const amountAfter = row?.microFen ?? null;
    const price = row ?? oldRow;
    if (price === undefined || amountBefore === amountAfter) return [];
    const { model, class: name, from: tier, variant } = price;
    const change = {
      model,
      class: name,
      from: tier,
      variant,
      before: amountBefore,
      after: amountAfter,
    };
    return [{ ...change, isLargeChange: isLargeChange(amountBefore, amountAfter) }];
  });
}

const LARGE_FACTOR = 3n;

function isLargeChange(before: bigint | null, after: bigint | null): boolean {
  if (before === null) return false;
  if (after === null || (after === 0n && before > 0n)) return true;
  return before > 0n && (after >= before * LARGE_FACTOR || before >= after * LARGE_FACTOR);
}

/**
 * Returns the list after an import. Manual rows take precedence for their model and class. Rows of
 * an earlier import are dropped when the file no longer contains their model. Rows of models
 * outside of `models` stay.
 */
export function mergePrices(
  before: readonly ModelPriceRow[],
  imported: readonly ModelPriceRow[],
  models: ReadonlySet<string> | null,
): readonly ModelPriceRow[] {
  const manual = before.filter(({ origin }) => origin === 'manual');
  const manualKeys = new Set(manual.map(({ model, class: name }) => `${model}\n${name}`));
  const otherRows =
    models === null
      ? []
      : before.filter(({ model, origin }) => origin === 'import' && !models.has(model));
  const hasNoManualPrice = (row: ModelPriceRow) => !manualKeys.has(`${row.model}\n${row.class}`);
  return [...manual, ...otherRows.filter(hasNoManualPrice), ...imported.filter(hasNoManualPrice)];
}
