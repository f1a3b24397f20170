// Converts the results of the ledger's statements into results of the wallet, with sources and
// reset times.
import { Fault } from '../../../kernel/errors/fault.ts';
import type {
  AuthorizationRow,
  HoldChangeRow,
  KeyClaim,
} from '../../../store/ledger/decode-result.ts';
import type { BatchTime } from '../../../store/ledger/parameters.ts';
import { allocationsOf } from './allocate-capture.ts';
import { quotaUseOf } from './batch-time.ts';
import { ledgerUnavailable } from './execute-batch.ts';
import type {
  AdjustResult,
  AuthorizeRequest,
  AuthorizeResult,
  BudgetPeriod,
  IdempotencyConflict,
} from './wallet.ts';

export function toAuthorizeResult(
  batchTime: BatchTime,
  authorizeRequest: AuthorizeRequest,
  row: AuthorizationRow,
): AuthorizeResult {
  switch (row.kind) {
    case 'opened':
      return {
        kind: 'authorized',
        allocations: allocationsOf(row.parts),
        quotas: quotaUseOf(batchTime, row.dayCalls, row.monthCalls),
      };
    case 'insufficient':
      return { ...row, resetsAt: batchTime.dayEndsAt };
    case 'budget': {
      const { required, available } = row;
      const resetsAt = resetOf(batchTime, authorizeRequest.budget?.period ?? 'total');
      return { kind: 'budget_exceeded', required, available, resetsAt };
    }
    case 'quota': {
      const quotas = quotaUseOf(batchTime, row.dayCalls, row.monthCalls);
      const { resetsAt } = quotas[row.period];
      return { kind: 'quota_exceeded', quota: row.period, resetsAt, quotas };
    }
    case 'gone':
      throw new Fault('temporarily_unavailable', 'The call could not be authorized. Try again.', {
        internal: `${authorizeRequest.requestId} was released before its result arrived`,
        retryAfterSeconds: 1,
      });
    case 'undecodable':
      throw ledgerUnavailable(`unknown result for ${authorizeRequest.requestId}: ${row.line}`);
    default:
      return toIdempotencyConflict(row);
  }
}

export function toIdempotencyConflict(claim: KeyClaim): IdempotencyConflict {
  if (claim.kind !== 'duplicate') return claim;
  const { kind, ...original } = claim;
  return { kind, original };
}

export function toAdjustResult(
  batchTime: BatchTime,
  requestId: string,
  row: HoldChangeRow,
): AdjustResult {
  switch (row.kind) {
    case 'held':
      return { kind: row.kind, allocations: allocationsOf(row.parts) };
    case 'insufficient':
      return { ...row, resetsAt: batchTime.dayEndsAt };
    case 'budget': {
      const { required, available } = row;
      const resetsAt = resetOf(batchTime, row.period);
      return { kind: 'budget_exceeded', required, available, resetsAt };
    }
    case 'lost':
      throw new Fault('temporarily_unavailable', TOO_LONG, {
        internal: `${requestId} was resolved before it was measured`,
        retryAfterSeconds: 1,
      });
  }
}

const TOO_LONG = 'The call took too long and was not charged. Try again.';

function resetOf(batchTime: BatchTime, period: BudgetPeriod): number | null {
  if (period === 'total') return null;
  return period === 'day' ? batchTime.dayEndsAt : batchTime.monthEndsAt;
}
