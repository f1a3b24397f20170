// The ledger's answers, line by line, as values.
import { assert, present } from '../../../kernel/errors/assert.ts';
import { Fault } from '../../../kernel/errors/fault.ts';
import { microFen } from '../../../kernel/money.ts';
import type { Moment } from '../../../store/ledger/parameters.ts';
import type { Allocation } from './allocate-capture.ts';
import { quotaUseOf } from './batch-time.ts';
import type {
  BudgetExceeded,
  BudgetPeriod,
  Insufficient,
  Opened,
  Opening,
  Taken,
} from './wallet.ts';

type Fields = readonly string[];

export function openedOf(moment: Moment, opening: Opening, fields: Fields): Opened {
  const [kind = '', first = '', second = ''] = fields;
  switch (kind) {
    case 'opened':
      return {
        kind,
        allocations: allocationsOf(first, second),
        quotas: quotasOf(moment, fields),
      };
    case 'insufficient':
      return insufficientOf(moment, fields);
    case 'budget':
      return budgetExceededOf(moment, fields, present(opening.budget, 'the budget').period);
    case 'quota': {
      const quota = first === 'day' ? 'day' : 'month';
      const quotas = quotaUseOf(moment, Number(second), Number(fields[3]));
      return { kind: 'quota_exceeded', quota, resetsAt: quotas[quota].resetsAt, quotas };
    }
    case 'gone':
      throw new Fault('temporarily_unavailable', 'The call could not be opened. Try again.', {
        internal: `${opening.requestId} was opened and released before its answer came`,
        retryAfterSeconds: 1,
      });
    default:
      return takenOf(fields);
  }
}

export function takenOf([kind, requestId = '', status, completedAt]: Fields): Taken {
  if (kind === 'in_progress' || kind === 'reused') return { kind, requestId };
  assert(kind === 'duplicate', `the ledger does not answer ${kind}`);
  const original = { requestId, status: Number(status), completedAt: Number(completedAt) };
  return { kind, original };
}

export function budgetExceededOf(
  moment: Moment,
  [, required, available]: Fields,
  period: BudgetPeriod,
): BudgetExceeded {
  return {
    kind: 'budget_exceeded',
    required: microFen(required ?? ''),
    available: microFen(available ?? ''),
    resetsAt: resetOf(moment, period),
  };
}

export function insufficientOf(moment: Moment, [, required, available]: Fields): Insufficient {
  return {
    kind: 'insufficient',
    required: microFen(required ?? ''),
    available: microFen(available ?? ''),
    resetsAt: moment.dayEndsAt,
  };
}

/** `cash,voucher:a` and `5,3`, in spending order. */
export function allocationsOf(books: string, parts: string): readonly Allocation[] {
  if (books === '') return [];
  const amounts = parts.split(',');
  return books.split(',').map((book, n) => ({
    source: sourceOf(book),
    book,
    amount: microFen(amounts[n] ?? ''),
  }));
}

function sourceOf(book: string): Allocation['source'] {
  if (book === 'cash') return 'cash';
  return book.startsWith('allowance:') ? 'allowance' : 'voucher';
}

const quotasOf = (moment: Moment, fields: Fields) =>
  quotaUseOf(moment, Number(fields[3]), Number(fields[4]));

function resetOf(moment: Moment, period: BudgetPeriod): number | null {
  if (period === 'total') return null;
  return period === 'day' ? moment.dayEndsAt : moment.monthEndsAt;
}
