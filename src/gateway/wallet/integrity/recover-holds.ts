// What a dead process held is settled by another. A hold past its deadline is asked about where
// its provider can answer: a result is captured, a failure released; else it is given back.

import { Fault } from '../../../kernel/errors/fault.ts';
import type { Db } from '../../../kernel/ports/db.ts';
import { DAY_MS } from '../../../kernel/time/durations.ts';
import type { World } from '../../../kernel/world.ts';
import { openLedgerConnection } from '../../../store/ledger/connection.ts';
import type { Resolution } from '../../../store/ledger/resolution.ts';
import { resolveHolds } from '../../../store/ledger/resolve.ts';
import { claimOverdue, leaveUnknown, type OverdueHold } from '../../../store/ledger/transfers.ts';
import type { Failpoint } from '../ledger/failpoint.ts';
import type { CaptureRequest } from '../ledger/wallet.ts';

/** What is known of an overdue call. `unknown`: nobody can say yet; it is asked about again. */
export type OverdueOutcome =
  | ({ readonly kind: 'done' } & Omit<CaptureRequest, 'requestId'>)
  | { readonly kind: 'failed'; readonly status: number; readonly code: string }
  | { readonly kind: 'unknown' };

export type RecoveryResult = { captured: number; released: number; unknown: number };

/** How long a worker has for the holds it took, and how soon an unknown one is asked again. */
const CLAIM_MS = 60_000;
const RETRY_MS = 5 * 60_000;
/** After that nobody will ever know: the money goes back. */
const UNKNOWN_MS = DAY_MS;
const MAX_CLAIMED = 100;

/**
 * Settles the holds that are overdue; several workers share them. `ask` may be slow; without an
 * answer of its own it says `failed`, 504.
 */
export async function recoverHolds(
  world: World,
  db: Db,
  ask: (hold: OverdueHold) => Promise<OverdueOutcome> = async () => processLost,
  { failpoint }: { readonly failpoint?: Failpoint } = {},
): Promise<RecoveryResult> {
  const recovered = { captured: 0, released: 0, unknown: 0 };
  const line = openLedgerConnection(world.log, db);
  try {
    for (;;) {
      const now = world.clock.now();
      const holds = await claimOverdue(db, { now, until: now + CLAIM_MS, most: MAX_CLAIMED });
      if (holds.length > 0) await failpoint?.('recover:claimed');
      const resolutions: Resolution[] = [];
      for (const hold of holds) {
        const fate = await outcomeOf(world, hold, ask);
        if (fate.kind === 'unknown') {
          await leaveUnknown(db, hold.requestId, now + RETRY_MS);
          recovered.unknown += 1;
        } else resolutions.push(resolutionOf(hold, fate));
      }
      if (resolutions.length > 0) {
        await failpoint?.('recover:asked');
        const batch = await resolveHolds(line, world.clock.now(), resolutions);
        if (batch.kind !== 'answers') throw unsettled(batch.error);
        for (const [n, answer] of batch.answers.entries()) {
          if (answer !== 'done') continue;
          recovered[resolutions[n]?.outcome === 'captured' ? 'captured' : 'released'] += 1;
        }
      }
      if (holds.length < MAX_CLAIMED) return recovered;
    }
  } finally {
    await line.close();
  }
}

/** The process that ran it is gone, and nobody else knows. */
const processLost: OverdueOutcome = { kind: 'failed', status: 504, code: 'upstream_timeout' };

async function outcomeOf(
  world: World,
  hold: OverdueHold,
  ask: (hold: OverdueHold) => Promise<OverdueOutcome>,
): Promise<OverdueOutcome> {
  const fate = await ask(hold);
  const isTooLong = world.clock.now() - hold.openedAt > UNKNOWN_MS;
  return fate.kind === 'unknown' && isTooLong ? processLost : fate;
}

function resolutionOf(
  hold: OverdueHold,
  fate: Exclude<OverdueOutcome, { kind: 'unknown' }>,
): Resolution {
  const { requestId } = hold;
  if (fate.kind === 'done') {
    const { captured, usage, status, contentType, body } = fate;
    return {
      ...{ requestId, outcome: 'captured', code: null },
      ...{ captured, usage, status, contentType, body },
    };
  }
  const { status, code } = fate;
  const nothing = { captured: 0n, usage: null, contentType: null, body: null };
  return { requestId, outcome: 'expired', status, code, ...nothing };
}

function unsettled(internal: string): Fault {
  return new Fault('temporarily_unavailable', 'Overdue holds could not be settled.', { internal });
}
