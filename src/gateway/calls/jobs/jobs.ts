// Defines the interface of jobs for the call path and the API: create with a 202, find, wait,
// cancel. `open-jobs.ts` processes the jobs.
import type { JobError, JobStatus, JobTerms } from '../../../store/gateway/gateway-jobs.ts';
import type { Allocation } from '../../wallet/ledger/allocate-capture.ts';
import type { IdempotencyConflict } from '../../wallet/ledger/wallet.ts';

export type Owner = { readonly accountId: string; readonly livemode: boolean };

export type JobToBegin = Owner & {
  readonly requestId: string;
  readonly capability: string;
  /** The input as sent, without `max_charge` and without members that are null. */
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
  /** 0 to 1; null: unknown. */
  readonly progress: number | null;
  readonly result: unknown;
  /** The job had a result, which was deleted after seven days. */
  readonly isResultExpired: boolean;
  readonly error: JobError | null;
};

export type JobPageQuery = { readonly cursor: string | null; readonly limit: number };

export type JobPage = {
  readonly jobs: readonly Job[];
  /** Null: this is the last page. */
  readonly nextCursor: string | null;
};

/** The 202 response that confirmed a job. */
export type AcceptedJob = {
  readonly status: 202;
  readonly contentType: string;
  readonly body: Buffer;
  /** The address of the job. */
  readonly location: string;
};

export type Jobs = {
  /** Unfinished jobs expire after this time. */
  readonly lifeMs: number;
  /** Stores a job that is not yet confirmed; it is deleted unless `accept` follows. */
  begin(job: JobToBegin): Promise<Job>;
  /**
   * Confirms the job after its hold is created. False: a worker has claimed or deleted the job
   * before the confirmation.
   */
  accept(id: string, body: string, allocations: readonly Allocation[]): Promise<boolean>;
  /** Deletes a job that is not confirmed. */
  drop(id: string): Promise<void>;
  /** Finds a job with this Idempotency-Key, including failed jobs; null: there is none. */
  findByKey(
    query: Owner & { readonly key: string; readonly fingerprint: string },
  ): Promise<Extract<IdempotencyConflict, { kind: 'duplicate' | 'reused' }> | null>;
  /** Finds the 202 response of a call, for 24 hours. */
  findAccepted(call: Owner & { readonly requestId: string }): Promise<AcceptedJob | null>;
  /** Time of the 202 response of a running call; null: the call had no 202 response. */
  acceptedAt(call: Owner & { readonly requestId: string }): Promise<number | null>;
  /** Finds a job, until 30 days after its end. */
  find(job: Owner & { readonly id: string }): Promise<Job | null>;
  /** Lists jobs, newest first; null for a foreign cursor. */
  list(query: Owner & JobPageQuery): Promise<JobPage | null>;
  /** Resolves when the job's state changes, after the timeout, or when the process ends. */
  awaitChange(job: Pick<Job, 'id' | 'status'>, timeoutMs: number): Promise<void>;
  /** Cancels a job; does nothing to an ended job. */
  cancel(id: string): Promise<void>;
  /** Ends all present and future waits immediately. */
  stopWaiting(): void;
  /** Stops claiming jobs, and waits for work that cannot be interrupted. */
  close(): Promise<void>;
};

export const jobPath = (id: string) => `/api/v1/jobs/${id}`;
