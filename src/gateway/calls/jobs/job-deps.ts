// Defines the types of the dependencies of a job's steps, and of the results of a step.
import type { Db } from '../../../kernel/ports/db.ts';
import type { World } from '../../../kernel/world.ts';
import type { JobClaim, JobEnding, JobRow } from '../../../store/gateway/gateway-jobs.ts';
import type { Capability } from '../../capabilities/capability.ts';
import type { Switches } from '../../capabilities/switches.ts';
import type { Wallet } from '../../wallet/ledger/wallet.ts';

/** Points at which tests can crash a job's process, in order. */
export const jobPoints = [
  ...(['begun', 'accepted', 'claimed', 'asking', 'answered', 'recorded'] as const),
  ...(['checked', 'decided', 'resolved', 'ended'] as const),
] as const;

export type JobPoint = (typeof jobPoints)[number];

/** Published data of a job that has ended. */
export type EndedJob = {
  readonly id: string;
  readonly requestId: string;
  readonly accountId: string;
  readonly livemode: boolean;
  readonly capability: string;
  readonly status: string;
  /** The path at which the account reads the job. */
  readonly path: string;
  readonly now: number;
};

export type JobDeps = {
  readonly world: World;
  readonly db: Db;
  readonly wallet: Wallet;
  readonly capabilities: readonly Capability[];
  readonly switches: Switches;
  /** Runs in the transaction that publishes the ending. */
  readonly onEnd?: (tx: Db, ended: EndedJob) => Promise<unknown>;
  /** Set by tests only. */
  readonly failpoint?: (point: JobPoint) => void | Promise<void>;
};

/** Lease of a claimed job: no other process claims it within this time. */
export const CLAIM_MS = 60_000;

/** A job that this process has claimed. */
export type ClaimedJob = {
  readonly job: JobRow;
  readonly claimed: JobClaim;
  /** Aborted when the process ends or the claim is lost. It stops repeatable work. */
  readonly stop: AbortSignal;
  /** Aborted when the claim is lost. It stops even work that must not run twice. */
  readonly claimLost: AbortSignal;
};

/** The result of a step of a job: the next step, the ending, or a lost claim. */
export type StepResult =
  /** `dueAt`: time of the next step; null: there is none. */
  | { readonly kind: 'later'; readonly dueAt: number | null }
  | { readonly kind: 'ending'; readonly ending: JobEnding }
  /** Another process has claimed the job. */
  | { readonly kind: 'lost' };

/** The result of the step after a write; null: the step continues. */
export function stepResultAfterWrite(
  world: World,
  outcome: 'written' | 'lost' | 'ending' | 'task_taken',
): StepResult | null {
  if (outcome === 'written') return null;
  if (outcome === 'lost') return { kind: 'lost' };
  // The row has an ending, or another job has the task. The next step reads the row again.
  return { kind: 'later', dueAt: world.clock.now() };
}
