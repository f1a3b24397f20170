// The queue of background jobs. A job has a name and a key. `src/jobs` defines the names and
// payloads; the store implements the queue.

export type JobData = Readonly<Record<string, string | number | boolean | null>>;

export type JobKind = {
  readonly name: string;
  /** A longer run is aborted and counts as failed. */
  readonly expireInSeconds: number;
  /** Retries, with growing pauses. */
  readonly retryLimit: number;
};

export type QueueDepth = {
  readonly name: string;
  readonly queued: number;
  readonly active: number;
};

export type Queue = {
  /** Queues a job unless a job of the same name and key is queued or running. */
  send(name: string, key: string, data: JobData): Promise<void>;
  /** Runs jobs of that name, up to `concurrency` at a time, until the queue is closed. */
  work(
    name: string,
    concurrency: number,
    handle: (data: JobData, signal: AbortSignal) => Promise<void>,
  ): Promise<void>;
  /** Queues one job of this kind per minute; only one of all workers runs it. */
  everyMinute(name: string): Promise<void>;
  depths(): Promise<readonly QueueDepth[]>;
  /** Waits for running jobs for a limited time; interrupted jobs run again elsewhere. */
  close(): Promise<void>;
};
