// Interface of jobs for the call path and the API: create with a 202, find, wait, cancel.
// `open-jobs.ts` processes them.
import type { JobError, JobStatus, JobTerms } from '../../../store/gateway/gateway-jobs.ts';
import type { Allocation } from '../../wallet/ledger/allocate-capture.ts';
import type { IdempotencyConflict } from '../../wallet/ledger/wallet.ts';

export type Owner = { readonly accountId: string; readonly livemode: boolean };

export type JobToBegin = Owner & {
  readonly requestId: string;
  readonly capability: string;
  /** As it was sent, without what belongs to the call. */
  readonly input: unknown;
  readonly terms: JobTerms;
  readonly idempotency: { readonly key: string; readonly fingerprint: string } | null;
};

export type Job = {
  readonly id: string;
  readonly requestId: string;
  readonly capability: string;
  readonly status: JobStatus;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  readonly updatedAt: number;
  /** 0..1; null: not known. */
  readonly progress: number | null;
  readonly result: unknown;
  /** There was one, seven days ago. */
  readonly isResultExpired: boolean;
  readonly error: JobError | null;
};

export type JobPageQuery = { readonly cursor: string | null; readonly limit: number };

export type JobPage = {
  readonly jobs: readonly Job[];
  /** Null: this is the last page. */
  readonly nextCursor: string | null;
};

/** The 202 that promised a job. */
export type AcceptedJob = {
  readonly status: 202;
  readonly contentType: string;
  readonly body: Buffer;
  /** Where the job is read. */
  readonly location: string;
};

export type Jobs = {
  /** After this a job that is not finished is expired. */
  readonly lifeMs: number;
  /** Writes it down; nothing is promised yet, and it is given up unless `promise` follows. */
  begin(job: JobToBegin): Promise<Job>;
  /** The money is held, and the 202 is going out. False: it was given up meanwhile. */
  promise(id: string, body: string, allocations: readonly Allocation[]): Promise<boolean>;
  drop(id: string): Promise<void>;
  /** Whether a job, also one that failed, has answered to that Idempotency-Key. */
  lookUp(
    query: Owner & { readonly key: string; readonly fingerprint: string },
  ): Promise<Extract<IdempotencyConflict, { kind: 'duplicate' | 'reused' }> | null>;
  /** The 202 of a call, for 24 hours. */
  findAccepted(call: Owner & { readonly requestId: string }): Promise<AcceptedJob | null>;
  /** When a call that still runs was answered with 202; null: it was not. */
  acceptedAt(call: Owner & { readonly requestId: string }): Promise<number | null>;
  /** Until 30 days after its end. */
  find(job: Owner & { readonly id: string }): Promise<Job | null>;
  /** Those that `find` finds, newest first; null for a foreign cursor. */
  list(query: Owner & JobPageQuery): Promise<JobPage | null>;
  /** Resolves when the job's state is another one, the time is up, or the process ends. */
  awaitChange(job: Pick<Job, 'id' | 'status'>, ms: number): Promise<void>;
  /** Does nothing to one that has ended. */
  cancel(id: string): Promise<void>;
  /** Completes all present and future waits immediately. */
  stopWaiting(): void;
  /** Leaves what it does to others, and waits for what cannot be left. */
  close(): Promise<void>;
};

export const jobPath = (id: string) => `/api/v1/jobs/${id}`;
