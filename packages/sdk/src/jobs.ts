// What takes longer than an answer: a job, and waiting for its end without asking all the time.
import { addressOf, type Sender } from './send.ts';

export type Job<Result = unknown> = {
  readonly id: string;
  readonly capability: string;
  /** queued, running, succeeded, failed, expired or canceled. */
  readonly status: string;
  readonly created_at: string;
  readonly updated_at: string;
  /** 0 to 1; null when nobody knows. */
  readonly progress: number | null;
  /** Once it has succeeded, for seven days. */
  readonly result: Result | null;
  /** Why it failed, as a problem. */
  readonly error: Readonly<Record<string, unknown>> | null;
  readonly result_expired?: boolean;
};

export type JobWaiting = {
  readonly signal?: AbortSignal;
  /** Called with each new state on the way. */
  readonly onProgress?: (job: Job) => void;
};

export type Jobs = {
  get<Result = unknown>(
    id: string,
    options?: { readonly signal?: AbortSignal },
  ): Promise<Job<Result>>;
  /** The job at its end, however it ended: look at `status`. */
  wait<Result = unknown>(id: string, options?: JobWaiting): Promise<Job<Result>>;
  /** The job as it is then; one that had ended stays as it was. */
  cancel<Result = unknown>(
    id: string,
    options?: { readonly signal?: AbortSignal },
  ): Promise<Job<Result>>;
};

export type JobParts = {
  readonly sender: Sender;
  readonly baseUrl: string;
  readonly headers: () => Readonly<Record<string, string>>;
};

const open: ReadonlySet<string> = new Set(['queued', 'running']);
/** How long the service holds one question; it answers sooner when something changes. */
const WAIT_SECONDS = 30;
/** Between two questions whose answers came at once: an intermediary may not hold them. */
const PAUSE_MS = 1_000;

export function openJobs({ sender, baseUrl, headers }: JobParts): Jobs {
  const ask = async (
    method: 'GET' | 'DELETE',
    id: string,
    { wait, signal }: { readonly wait?: number; readonly signal?: AbortSignal | undefined } = {},
  ): Promise<Job> => {
    const url = addressOf(baseUrl, `/api/v1/jobs/${encodeURIComponent(id)}`, { wait });
    return (await sender.send({ method, url, headers: headers(), signal })).body as Job;
  };
  const waitFor = async (id: string, { signal, onProgress }: JobWaiting = {}): Promise<Job> => {
    for (let last = ''; ; ) {
      const askedAt = sender.runtime.now();
      const job = await ask('GET', id, { wait: WAIT_SECONDS, signal });
      if (!open.has(job.status)) return job;
      const state = JSON.stringify(job);
      if (state !== last) onProgress?.(job);
      else if (sender.runtime.now() - askedAt < PAUSE_MS)
        await sender.runtime.wait(PAUSE_MS, signal);
      last = state;
    }
  };
  return {
    get: (id, options) => ask('GET', id, options) as Promise<Job<never>>,
    wait: (id, options) => waitFor(id, options) as Promise<Job<never>>,
    cancel: (id, options) => ask('DELETE', id, options) as Promise<Job<never>>,
  };
}
