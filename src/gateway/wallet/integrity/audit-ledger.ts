// Audits the ledger: finds the violations of its fifteen invariants. Each invariant is a database
// view.
import type { Db } from '../../../kernel/ports/db.ts';
import type { World } from '../../../kernel/world.ts';
import {
  type AuditedJournal,
  type AuditView,
  auditViews,
  readAudit,
  type Violation,
} from '../../../store/ledger/read-audit.ts';
import type { RetiredFiles } from '../../../store/platform/retention.ts';

export type Invariant = {
  /** 1 to 15. */
  readonly number: number;
  /** The view's name. */
  readonly name: AuditView;
  readonly promise: string;
  /** At most the first hundred. Empty: the invariant holds. */
  readonly violations: readonly Violation[];
};

export type Audit = AuditedJournal & {
  readonly invariants: readonly Invariant[];
  readonly isIntact: boolean;
};

/**
 * `since-checkpoint` replays the entries after the latest checkpoint; `full` replays the whole
 * journal.
 */
export type AuditScope = 'since-checkpoint' | 'full';

const MAX_VIOLATIONS = 100;

const promiseByView: Readonly<Record<AuditView, string>> = {
  balanced: 'the postings of every entry sum to zero',
  never_negative: 'no balance was ever below zero, and no hold exceeded its balance',
  cache_is_replay: 'every balance equals the result of a replay of the journal',
  resolved_once: 'every hold was resolved at most once, and never for more than it held',
  captured_once_per_key: 'no idempotency key was charged twice',
  allocations_are_the_charge:
    'the parts of every hold add up to the hold, in its row and in the journal',
  spending_order: 'the allowance was spent before vouchers, vouchers by expiry, cash last',
  charged_what_was_answered:
    'every successful call was charged its price, and every failed call nothing',
  revenue_is_price_times_quantity:
    'revenue is the sum of charges, each price times quantity, or the sum of its token lines',
  allowance_within_its_day: 'no account received more than 200 fen of allowance for a day',
  chain_intact: 'no sealed entry was changed, added or removed',
  top_ups_are_in_the_books: 'every top-up was credited once or not at all, as its record states',
  refunds_within_the_charge:
    'no call was refunded more than its charge, or more cash than it was charged in cash',
  usage_is_the_calls: 'every sum of usage equals the sum of the calls that it contains',
  lines_are_the_usage: 'the charge lines of a call equal the billed usage of its attempts',
};

/**
 * `onChecked` receives each invariant when it has been checked, and is awaited. A full audit reads
 * exported months from `files`.
 */
export async function auditLedger(
  world: World,
  db: Db,
  scope: AuditScope,
  onChecked?: (name: AuditView, violations: readonly Violation[]) => Promise<void>,
  files: RetiredFiles | null = null,
): Promise<Audit> {
  const limits = { max: MAX_VIOLATIONS, isFull: scope === 'full', files };
  const { violations, journal } = await readAudit(db, limits, onChecked);
  const invariants = auditViews.map((name, index) => ({
    number: index + 1,
    name,
    promise: promiseByView[name],
    violations: violations.get(name) ?? [],
  }));
  const isIntact = invariants.every(({ violations }) => violations.length === 0);
  if (!isIntact) {
    const brokenInvariants = invariants.filter(({ violations }) => violations.length > 0);
    world.log.error(
      { broken: brokenInvariants.map(({ name }) => name) },
      'the integrity check found a broken invariant of the ledger',
    );
  }
  return { invariants, isIntact, ...journal };
}
