// Decodes the result lines of the ledger's statements into values.
import { assert, requirePresent } from '../../../kernel/errors/assert.ts';
import { Fault } from '../../../kernel/errors/fault.ts';
import { microFen } from '../../../kernel/money.ts';
import type { BatchTime } from '../../../store/ledger/parameters.ts';
import type { Allocation } from './allocate-capture.ts';
import { quotaUseOf } from './batch-time.ts';
import type {
  AuthorizeRequest,
  AuthorizeResult,
  BudgetExceeded,
  BudgetPeriod,
  IdempotencyConflict,
  InsufficientBalance,
} from './wallet.ts';

type Fields = readonly string[];

export function decodeAuthorizeResult(
  batchTime: BatchTime,
  opening: AuthorizeRequest,
  fields: Fields,
): AuthorizeResult {
  const [kind = '', first = '', second = ''] = fields;
  switch (kind) {
    case 'opened':
      return {
        kind,
        allocations: decodeAllocations(first, second),
        quotas: quotasOf(batchTime, fields),
      };
    case 'insufficient':
      return decodeInsufficientBalance(batchTime, fields);
    case 'budget':
      return decodeBudgetExceeded(
        batchTime,
        fields,
        requirePresent(opening.budget, 'the budget').period,
      );
    case 'quota': {
      const quota = first === 'day' ? 'day' : 'month';
      const quotas = quotaUseOf(batchTime, Number(second), Number(fields[3]));
      return { kind: 'quota_exceeded', quota, resetsAt: quotas[quota].resetsAt, quotas };
    }
    case 'gone':
      throw new Fault('temporarily_unavailable', 'The call could not be opened. Try again.', {
        internal: `${opening.requestId} was opened and released before its answer came`,
        retryAfterSeconds: 1,
      });
    default:
      return decodeIdempotencyConflict(fields);
  }
}

export function decodeIdempotencyConflict([
  kind,
  requestId = '',
  status,
  completedAt,
]: Fields): IdempotencyConflict {
  if (kind === 'in_progress' || kind === 'reused') return { kind, requestId };
  assert(kind === 'duplicate', `unknown result of the ledger: ${kind}`);
  const original = { requestId, status: Number(status), completedAt: Number(completedAt) };
  return { kind, original };
}

export function decodeBudgetExceeded(
  batchTime: BatchTime,
  [, required, available]: Fields,
  period: BudgetPeriod,
): BudgetExceeded {
  return {
    kind: 'budget_exceeded',
    required: microFen(required ?? ''),
    available: microFen(available ?? ''),
    resetsAt: resetOf(batchTime, period),
  };
}

export function decodeInsufficientBalance(
  batchTime: BatchTime,
  [, required, available]: Fields,
): InsufficientBalance {
  return {
    kind: 'insufficient',
    required: microFen(required ?? ''),
    available: microFen(available ?? ''),
    resetsAt: batchTime.dayEndsAt,
  };
}

/** `cash,voucher:a` and `5,3`, in spending order. */
export function decodeAllocations(balances: string, parts: string): readonly Allocation[] {
  if (balances === '') return [];
  const amounts = parts.split(',');
  return balances.split(',').map((balance, n) => ({
    source: sourceOf(balance),
    balance,
    amount: microFen(amounts[n] ?? ''),
  }));
}

function sourceOf(balance: string): Allocation['source'] {
  if (balance === 'cash') return 'cash';
  return balance.startsWith('allowance:') ? 'allowance' : 'voucher';
}

const quotasOf = (batchTime: BatchTime, fields: Fields) =>
  quotaUseOf(batchTime, Number(fields[3]), Number(fields[4]));

function resetOf(batchTime: BatchTime, period: BudgetPeriod): number | null {
  if (period === 'total') return null;
  return period === 'day' ? batchTime.dayEndsAt : batchTime.monthEndsAt;
}
