// Recovers holds that a lost process left behind. A hold past its deadline is released. Only a
// caller with `findOutcome` can also capture it; the program has no such caller yet.
import { Fault } from '../../../kernel/errors/fault.ts';
import type { Db } from '../../../kernel/ports/db.ts';
import { DAY_MS } from '../../../kernel/time/durations.ts';
import type { World } from '../../../kernel/world.ts';
import { openLedgerConnection } from '../../../store/ledger/connection.ts';
import type { Resolution } from '../../../store/ledger/resolution.ts';
import { resolveHolds } from '../../../store/ledger/resolve.ts';
import {
  claimOverdue,
  markHoldUnknown,
  type OverdueHold,
} from '../../../store/ledger/transfers.ts';
import type { Failpoint } from '../ledger/failpoint.ts';
import type { CaptureRequest } from '../ledger/wallet.ts';

/** Outcome of an overdue call. `unknown`: not known yet; it is queried again later. */
export type OverdueOutcome =
  | ({ readonly kind: 'done' } & Omit<CaptureRequest, 'requestId'>)
  | { readonly kind: 'failed'; readonly status: number; readonly code: string }
  | { readonly kind: 'unknown' };

export type RecoveryResult = { captured: number; released: number; unknown: number };

/** Duration of a worker's claim. */
const CLAIM_MS = 60_000;
/** Pause before the provider is queried again about an unknown outcome. */
const RETRY_MS = 5 * 60_000;
/** After this time an unknown hold is released. */
const UNKNOWN_MS = DAY_MS;
const MAX_CLAIMED = 100;

/**
 * Resolves overdue holds. Several workers can run this function at once, because each claims its
 * holds. `findOutcome` queries the provider; without `findOutcome`, each call fails with 504.
 */
export async function recoverHolds(
  world: World,
  db: Db,
  findOutcome: (hold: OverdueHold) => Promise<OverdueOutcome> = async () => processLost,
  { failpoint }: { readonly failpoint?: Failpoint } = {},
): Promise<RecoveryResult> {
  const recovery = { captured: 0, released: 0, unknown: 0 };
  const connection = openLedgerConnection(world.log, db);
  try {
    for (;;) {
      const now = world.clock.now();
      const holds = await claimOverdue(db, { now, until: now + CLAIM_MS, max: MAX_CLAIMED });
      if (holds.length > 0) await failpoint?.('recover:claimed');
      const resolutions: Resolution[] = [];
      for (const hold of holds) {
        const outcome = await outcomeOf(world, hold, findOutcome);
        if (outcome.kind === 'unknown') {
          await markHoldUnknown(db, hold.requestId, now + RETRY_MS);
          recovery.unknown += 1;
        } else resolutions.push(resolutionOf(hold, outcome));
      }
      if (resolutions.length > 0) {
        await failpoint?.('recover:queried');
        const batch = await resolveHolds(connection, world.clock.now(), resolutions);
        if (batch.kind !== 'results') throw unresolvedFault(batch.error);
        for (const [index, result] of batch.results.entries()) {
          if (result !== 'done') continue;
          recovery[resolutions[index]?.outcome === 'captured' ? 'captured' : 'released'] += 1;
        }
      }
      if (holds.length < MAX_CLAIMED) return recovery;
    }
  } finally {
    await connection.close();
  }
}

/** The process of the call is gone, and no provider has its outcome. */
const processLost: OverdueOutcome = { kind: 'failed', status: 504, code: 'upstream_timeout' };

async function outcomeOf(
  world: World,
  hold: OverdueHold,
  findOutcome: (hold: OverdueHold) => Promise<OverdueOutcome>,
): Promise<OverdueOutcome> {
  const outcome = await findOutcome(hold);
  const isPastLimit = world.clock.now() - hold.openedAt > UNKNOWN_MS;
  return outcome.kind === 'unknown' && isPastLimit ? processLost : outcome;
}

function resolutionOf(
  hold: OverdueHold,
  outcome: Exclude<OverdueOutcome, { kind: 'unknown' }>,
): Resolution {
  const { requestId } = hold;
  if (outcome.kind === 'done') {
    const { captured, usage, status, contentType, body } = outcome;
    return {
      requestId,
      outcome: 'captured',
      code: null,
      captured,
      usage,
      status,
      contentType,
      body,
    };
  }
  const { status, code } = outcome;
  const noCharge = { captured: 0n, usage: null, contentType: null, body: null };
  return { requestId, outcome: 'expired', status, code, ...noCharge };
}

function unresolvedFault(internal: string): Fault {
  return new Fault('temporarily_unavailable', 'Overdue holds could not be resolved.', { internal });
}
