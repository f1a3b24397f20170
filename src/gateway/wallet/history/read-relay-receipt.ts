// The receipt of one relay call, from its row: the hold, the charge with its lines, the attempts.
// Relay contract, 3.6.
import type { MicroFen } from '../../../kernel/money.ts';
import type { Db } from '../../../kernel/ports/db.ts';
import { type CallRow, readCall } from '../../../store/ledger/read-calls.ts';

export type ReceiptLine = {
  readonly class: string;
  readonly tokens: number;
  /** Per million tokens; per call for the classes `request` and `tool:…`. */
  readonly price: MicroFen;
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
  /** Null: the call is free or still runs. */
  readonly dialect: string | null;
  readonly model: string | null;
  readonly counted: string | null;
  readonly ended: string;
  readonly cut: string | null;
  readonly skippedEvents: number;
  /** Tokens of the charged attempt. */
  readonly tokens: { readonly input: number; readonly output: number } | null;
  readonly lines: readonly ReceiptLine[];
  readonly attempts: readonly ReceiptAttempt[];
};

type StoredUsage = {
  readonly counted?: string;
  readonly ceiling?: string;
  readonly shortfall?: string;
  readonly tokens?: { readonly input: number; readonly output: number };
  readonly lines?: readonly (Omit<ReceiptLine, 'price'> & { readonly price: string })[];
  readonly relay?: {
    readonly dialect: string;
    readonly model: string;
    readonly ended: string;
    readonly cut?: string;
    readonly skippedEvents?: number;
    readonly extended?: string;
    readonly attempts: readonly ReceiptAttempt[];
  };
};

/** Null: the account has no such call of the relay in this mode. */
export async function readRelayReceipt(
  db: Db,
  query: { readonly accountId: string; readonly livemode: boolean; readonly requestId: string },
): Promise<RelayReceipt | null> {
  const row = await readCall(db, query, query.requestId);
  return row === null || row.capability !== 'chat' ? null : receiptOf(row);
}

function receiptOf(row: CallRow): RelayReceipt {
  const { requestId, keyId, priceVersion, held, captured, state } = row;
  const usage: StoredUsage = row.usage ?? {};
  const { relay } = usage;
  const isRunning = state === 'held' || state === 'unknown';
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
    ended: relay?.ended ?? (isRunning ? 'running' : state === 'captured' ? 'completed' : 'failed'),
    cut: relay?.cut ?? null,
    skippedEvents: relay?.skippedEvents ?? 0,
    tokens: usage.tokens ?? null,
    lines: (usage.lines ?? []).map((line) => ({ ...line, price: BigInt(line.price) })),
    attempts: relay?.attempts ?? [],
  };
}

const DECIMALS = 14;
const UNITS_OF_CALL = 1_000_000n;
const isPerCall = (name: string) => name === 'request' || name.startsWith('tool:');

/** An exact amount in CNY: one micro-fen per million tokens is 10⁻¹⁴ CNY per token. */
export function formatLineAmount({ class: name, tokens, price }: ReceiptLine): string {
  const exact = BigInt(tokens) * price * (isPerCall(name) ? UNITS_OF_CALL : 1n);
  const digits = String(exact).padStart(DECIMALS + 1, '0');
  const decimals = digits.slice(-DECIMALS).replace(/0+$/, '');
  return `${digits.slice(0, -DECIMALS)}${decimals === '' ? '' : `.${decimals}`}`;
}
