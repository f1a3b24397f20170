// Decodes the result lines of the ledger's functions. No other file reads their text.
import { assert, requirePresent } from '../../kernel/errors/assert.ts';

/** A part of a hold; the amount in micro-fen. */
export type HoldPart = { readonly balance: string; readonly amount: bigint };

/** The call that claimed an idempotency key. A later request with the same key receives it. */
export type KeyClaim =
  | { readonly kind: 'in_progress'; readonly requestId: string }
  /** The fingerprint of the request differs. */
  | { readonly kind: 'reused'; readonly requestId: string }
  | {
      readonly kind: 'duplicate';
      readonly requestId: string;
      readonly status: number;
      /** Epoch milliseconds. */
      readonly completedAt: number;
    };

/** Amounts in micro-fen. */
type FundsShortage<K extends string> = {
  readonly kind: K;
  readonly required: bigint;
  readonly available: bigint;
};

type Authorization =
  | {
      readonly kind: 'opened';
      readonly parts: readonly HoldPart[];
      /** Calls of the wallet in this period, this one included. */
      readonly dayCalls: number;
      readonly monthCalls: number;
    }
  | KeyClaim
  | FundsShortage<'insufficient'>
  | FundsShortage<'budget'>
  | {
      readonly kind: 'quota';
      readonly period: 'day' | 'month';
      readonly dayCalls: number;
      readonly monthCalls: number;
    }
  /** The call was authorized, its result was lost, and its hold has been released since. */
  | { readonly kind: 'gone' };

/** `undecodable`: a line of a later version. Only the call of this line fails. */
export type AuthorizationRow =
  | Authorization
  | { readonly kind: 'undecodable'; readonly line: string };

export type HoldChangeRow =
  | { readonly kind: 'held'; readonly parts: readonly HoldPart[] }
  | FundsShortage<'insufficient'>
  | (FundsShortage<'budget'> & { readonly period: 'day' | 'month' | 'total' })
  /** The hold was resolved before. */
  | { readonly kind: 'lost' };

export type TransferResult =
  | { readonly kind: 'posted'; readonly entry: number }
  /** The reference has an entry already. */
  | { readonly kind: 'known'; readonly entry: number; readonly amount: bigint }
  | { readonly kind: 'insufficient' };

/** The lines of `ledger_open`, one per call. */
export function decodeAuthorizations(text: string, calls: number): readonly AuthorizationRow[] {
  const lines = text.split('\n');
  assert(lines.length === calls, 'one result per request');
  return lines.map(decodeAuthorization);
}

function decodeAuthorization(line: string): AuthorizationRow {
  const [kind = '', ...fields] = line.split('|');
  const [first = '', second = '', third, fourth] = fields;
  switch (kind) {
    case 'opened':
      return {
        kind,
        parts: decodeParts(first, second),
        dayCalls: Number(third),
        monthCalls: Number(fourth),
      };
    case 'insufficient':
    case 'budget':
      return { kind, required: BigInt(first), available: BigInt(second) };
    case 'quota': {
      const period = first === 'day' ? 'day' : 'month';
      return { kind, period, dayCalls: Number(second), monthCalls: Number(third) };
    }
    case 'gone':
      return { kind };
    default:
      return decodeKeyClaim(line) ?? { kind: 'undecodable', line };
  }
}

/** The line of `ledger_taken`; null: another line. */
export function decodeKeyClaim(line: string): KeyClaim | null {
  const [kind, requestId = '', status, completedAt] = line.split('|');
  if (kind === 'in_progress' || kind === 'reused') return { kind, requestId };
  if (kind !== 'duplicate') return null;
  return { kind, requestId, status: Number(status), completedAt: Number(completedAt) };
}

/** The line of `ledger_authorize_uniform`; null: the batch does not qualify. */
export function decodeUniformAuthorization(
  line: string,
): { readonly balance: string; readonly dayCalls: number; readonly monthCalls: number } | null {
  if (line === '') return null;
  const [balance = '', dayCalls, monthCalls] = line.split('|');
  return { balance, dayCalls: Number(dayCalls), monthCalls: Number(monthCalls) };
}

/** The line of `ledger_remeasure` or `ledger_extend`. */
export function decodeHoldChange(line: string): HoldChangeRow {
  const [kind, first = '', second = '', period] = line.split('|');
  switch (kind) {
    case 'held':
      return { kind, parts: decodeParts(first, second) };
    case 'insufficient':
      return { kind, required: BigInt(first), available: BigInt(second) };
    case 'budget':
      return {
        kind,
        required: BigInt(first),
        available: BigInt(second),
        period: period === 'day' || period === 'month' ? period : 'total',
      };
    default:
      assert(kind === 'lost', `unknown result of the ledger: ${line}`);
      return { kind };
  }
}

/** The lines of `ledger_resolve`: whether each hold was resolved as requested. */
export function decodeResolutions(text: string): readonly ('done' | 'lost')[] {
  return text.split('\n').map((line) => (line === 'done' ? 'done' : 'lost'));
}

/** The line of `ledger_transfer`. */
export function decodeTransfer(line: string): TransferResult {
  const [kind, entry, amount = ''] = line.split('|');
  if (kind === 'posted') return { kind, entry: Number(entry) };
  if (kind === 'known') return { kind, entry: Number(entry), amount: BigInt(amount) };
  assert(kind === 'insufficient', `unknown result of the ledger: ${line}`);
  return { kind };
}

/** `cash,voucher:a` and `5,3`, in spending order. */
function decodeParts(balances: string, amounts: string): readonly HoldPart[] {
  return balances === '' ? [] : holdParts(balances.split(','), amounts.split(',').map(BigInt));
}

/** Parts of a hold from the columns of its call. */
export function holdParts(
  balances: readonly string[],
  amounts: readonly bigint[],
): readonly HoldPart[] {
  assert(balances.length === amounts.length, 'one amount per balance of a hold');
  return balances.map((balance, index) => ({
    balance,
    amount: requirePresent(amounts[index], 'a part'),
  }));
}
