// What every step of a job is done with, and what a step can come to.
import type { Db } from '../../../kernel/ports/db.ts';
import type { World } from '../../../kernel/world.ts';
import type { JobClaim, JobEnding, JobRow } from '../../../store/gateway/gateway-jobs.ts';
import type { Capability } from '../../capabilities/capability.ts';
import type { Switches } from '../../capabilities/switches.ts';
import type { Wallet } from '../../wallet/ledger/wallet.ts';

/** Places at which a test may let a job's process die, in their order. */
export const jobPoints = [
  ...(['begun', 'promised', 'claimed', 'asking', 'answered', 'recorded'] as const),
  ...(['checked', 'decided', 'settled', 'ended'] as const),
] as const;

export type JobPoint = (typeof jobPoints)[number];

/** Published data of a completed job. */
export type EndedJob = {
  readonly id: string;
  readonly requestId: string;
  readonly accountId: string;
  readonly livemode: boolean;
  readonly capability: string;
  readonly status: string;
  /** Where its account reads it. */
  readonly path: string;
  readonly now: number;
};

export type JobDeps = {
  readonly world: World;
  readonly db: Db;
  readonly wallet: Wallet;
  readonly capabilities: readonly Capability[];
  readonly switches: Switches;
  /** In the transaction that shows the end. */
  readonly onEnd?: (tx: Db, ended: EndedJob) => Promise<unknown>;
  /** Given by tests alone. */
  readonly failpoint?: (point: JobPoint) => void | Promise<void>;
};

/** Lease of a claimed job: no other process claims it within this time. */
export const CLAIM_MS = 60_000;

/** A job that this process attends to. */
export type ClaimedJob = {
  readonly job: JobRow;
  readonly claimed: JobClaim;
  /** Aborted when the process ends or the claim has gone: what can be done again is left. */
  readonly stop: AbortSignal;
  /** Aborted when the claim has gone: what must not be done twice is left as well. */
  readonly gone: AbortSignal;
};

export type Verdict =
  /** null: never. */
  | { readonly kind: 'later'; readonly dueAt: number | null }
  | { readonly kind: 'ending'; readonly ending: JobEnding }
  /** Another process has claimed the job. */
  | { readonly kind: 'lost' };

/** Maps a write's result to the next step: continue or stop. */
export function afterWrite(
  world: World,
  written: 'written' | 'lost' | 'ending' | 'taken',
): Verdict | null {
  if (written === 'written') return null;
  if (written === 'lost') return { kind: 'lost' };
  return { kind: 'later', dueAt: world.clock.now() };
}
