// Reads the receipt of one relay call from the call's row: the hold, the charge with its lines, the
// attempts. Relay contract, 3.6.
import type { MicroFen } from '../../../kernel/money.ts';
import type { Db } from '../../../kernel/ports/db.ts';
import {
  type CallLineRow,
  type CallRow,
  readCall,
  readCallLines,
} from '../../../store/ledger/read-calls.ts';

export type ReceiptLine = {
  readonly class: string;
  readonly tokens: number;
  /** Per million tokens; per call for the classes `request` and `tool:…`. */
  readonly price: MicroFen;
  /** The number of the billed attempt, from 1. */
  readonly attempt: number;
};

/** Token totals of an attempt. `parts` are its tokens by class, without classes of no tokens. */
export type ReceiptUsage = {
  readonly input: number;
  readonly output: number;
  readonly counted?: string;
  readonly parts: Readonly<Record<string, number>>;
};

export type ReceiptAttempt = {
  readonly model: string;
  readonly upstream: string | null;
  readonly failure: string | null;
  readonly tries: number;
  /** Epoch ms. */
  readonly startedAt: number;
  readonly firstTokenMs: number | null;
  readonly isContinuation: boolean;
  /** Null: the attempt sent no part of a response, or its usage was not counted. */
  readonly usage: ReceiptUsage | null;
  readonly isBilled: boolean;
};

export type RelayReceipt = {
  readonly requestId: string;
  readonly keyId: string;
  readonly priceVersion: number;
  readonly held: MicroFen;
  /** The part of the hold that was added while the call ran. */
  readonly extended: MicroFen;
  readonly charge: MicroFen;
  /** The cost above the hold, which the operator bears. */
  readonly shortfall: MicroFen;
  readonly isCeilingApplied: boolean;
  /** The dialect, the model and the source of the token counts; null: the row stores none. */
  readonly dialect: string | null;
  readonly model: string | null;
  readonly counted: string | null;
  readonly ended: string;
  readonly cut: string | null;
  readonly skippedEvents: number;
  /** Tokens that are charged. */
  readonly tokens: { readonly input: number; readonly output: number } | null;
  readonly lines: readonly ReceiptLine[];
  readonly attempts: readonly ReceiptAttempt[];
};

type StoredUsage = {
  readonly counted?: string;
  readonly ceiling?: string;
  readonly shortfall?: string;
  readonly tokens?: { readonly input: number; readonly output: number };
  readonly relay?: {
    readonly dialect: string;
    readonly model: string;
    readonly ended: string;
    readonly cut?: string;
    readonly skippedEvents?: number;
    readonly extended?: string;
    readonly attempts: readonly StoredAttempt[];
  };
};

type StoredAttempt = Omit<ReceiptAttempt, 'usage' | 'isBilled'> & {
  readonly usage?: (Readonly<Record<string, unknown>> & UsageTotals) | null;
  readonly billed?: object;
};

type UsageTotals = Omit<ReceiptUsage, 'parts'>;

/** Null: the account has no such call of the relay in this mode. */
export async function readRelayReceipt(
  db: Db,
  query: { readonly accountId: string; readonly livemode: boolean; readonly requestId: string },
): Promise<RelayReceipt | null> {
  const row = await readCall(db, query, query.requestId);
  if (row === null || row.capability !== 'chat') return null;
  return receiptOf(row, await readCallLines(db, query, query.requestId));
}

function receiptOf(row: CallRow, lines: readonly CallLineRow[]): RelayReceipt {
  const { requestId, keyId, priceVersion, held, captured, state } = row;
  const usage: StoredUsage = row.usage ?? {};
  const { relay } = usage;
  const isRunning = state === 'held' || state === 'unknown';
  const finalEnding = state === 'captured' ? 'completed' : 'failed';
  return {
    requestId,
    keyId,
    priceVersion,
    held,
    extended: BigInt(relay?.extended ?? 0),
    charge: captured ?? 0n,
    shortfall: BigInt(usage.shortfall ?? 0),
    isCeilingApplied: usage.ceiling !== undefined,
    dialect: relay?.dialect ?? null,
    model: relay?.model ?? null,
    counted: usage.counted ?? null,
    ended: relay?.ended ?? (isRunning ? 'running' : finalEnding),
    cut: relay?.cut ?? null,
    skippedEvents: relay?.skippedEvents ?? 0,
    tokens: usage.tokens ?? null,
    lines: lines.map((line) => ({ ...line, price: BigInt(line.price) })),
    attempts: attemptsOf(relay?.attempts ?? [], { charge: captured ?? 0n, tokens: usage.tokens }),
  };
}

type ChargedUsage = { readonly charge: MicroFen; readonly tokens: StoredUsage['tokens'] };

/** Earlier versions stored no usage by attempt, and always billed the last attempt. */
function attemptsOf(
  attempts: readonly StoredAttempt[],
  { charge, tokens }: ChargedUsage,
): readonly ReceiptAttempt[] {
  const markedIndex = attempts.findIndex(({ billed }) => billed !== undefined);
  const billedIndex = markedIndex >= 0 ? markedIndex : attempts.length - 1;
  return attempts.map(({ usage, billed: _billed, ...attempt }, index) => {
    const totalUsage =
      index === billedIndex && tokens !== undefined ? { ...tokens, parts: {} } : null;
    return {
      ...attempt,
      usage: usage === undefined ? totalUsage : usageOf(usage),
      isBilled: index === billedIndex && charge > 0n,
    };
  });
}

function usageOf(usage: StoredAttempt['usage']): ReceiptUsage | null {
  if (usage === null || usage === undefined) return null;
  const { input, output, counted, ...parts } = usage;
  return {
    input,
    output,
    ...(counted !== undefined && { counted }),
    parts: parts as ReceiptUsage['parts'],
  };
}

const DECIMALS = 14;
/** A call counts as a million tokens, because other prices are per million tokens. */
const UNITS_OF_CALL = 1_000_000n;
const isPerCall = (name: string) => name === 'request' || name.startsWith('tool:');

/** An exact amount in CNY: one micro-fen per million tokens is 10⁻¹⁴ CNY per token. */
export function formatLineAmount({
  class: name,
  tokens,
  price,
}: Omit<ReceiptLine, 'attempt'>): string {
  const exactAmount = BigInt(tokens) * price * (isPerCall(name) ? UNITS_OF_CALL : 1n);
  const digits = String(exactAmount).padStart(DECIMALS + 1, '0');
  const decimals = digits.slice(-DECIMALS).replace(/0+$/, '');
  return `${digits.slice(0, -DECIMALS)}${decimals === '' ? '' : `.${decimals}`}`;
}
