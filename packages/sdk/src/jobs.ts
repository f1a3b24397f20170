// Jobs for calls that take longer than a response, and waiting for their end by long polling.
import { addressOf, type Sender } from './send.ts';

export type Job<Result = unknown> = {
  readonly id: string;
  readonly capability: string;
  /** queued, running, succeeded, failed, expired or canceled. */
  readonly status: string;
  readonly created_at: string;
  readonly updated_at: string;
  /** 0 to 1; null when it is unknown. */
  readonly progress: number | null;
  /** Set for seven days after the job has succeeded; otherwise null. */
  readonly result: Result | null;
  /** The reason of a failure, as a problem. */
  readonly error: Readonly<Record<string, unknown>> | null;
  readonly result_expired?: boolean;
};

export type JobWaitOptions = {
  readonly signal?: AbortSignal;
  /** Called with each new state while waiting. */
  readonly onProgress?: (job: Job) => void;
};

export type Jobs = {
  get<Result = unknown>(
    id: string,
    options?: { readonly signal?: AbortSignal },
  ): Promise<Job<Result>>;
  /** The ended job with any outcome: check its `status`. */
  wait<Result = unknown>(id: string, options?: JobWaitOptions): Promise<Job<Result>>;
  /** The job after the cancellation. A job that had ended is unchanged. */
  cancel<Result = unknown>(
    id: string,
    options?: { readonly signal?: AbortSignal },
  ): Promise<Job<Result>>;
};

export type JobDeps = {
  readonly sender: Sender;
  readonly baseUrl: string;
  readonly headers: () => Readonly<Record<string, string>>;
};

const openStatuses: ReadonlySet<string> = new Set(['queued', 'running']);
/** How long the service holds one request. It responds earlier when the job changes. */
const WAIT_SECONDS = 30;
/** Delay between two requests with immediate responses: a proxy may not support long polling. */
const PAUSE_MS = 1_000;

export function openJobs({ sender, baseUrl, headers }: JobDeps): Jobs {
  const sendRequest = async (
    method: 'GET' | 'DELETE',
    id: string,
    { wait, signal }: { readonly wait?: number; readonly signal?: AbortSignal | undefined } = {},
  ): Promise<Job> => {
    const url = addressOf(baseUrl, `/api/v1/jobs/${encodeURIComponent(id)}`, { wait });
    return (await sender.send({ method, url, headers: headers(), signal })).body as Job;
  };
  const waitUntilEnded = async (
    id: string,
    { signal, onProgress }: JobWaitOptions = {},
  ): Promise<Job> => {
    for (let lastState = ''; ; ) {
      const requestedAt = sender.runtime.now();
      const job = await sendRequest('GET', id, { wait: WAIT_SECONDS, signal });
      if (!openStatuses.has(job.status)) return job;
      const state = JSON.stringify(job);
      if (state !== lastState) onProgress?.(job);
      else if (sender.runtime.now() - requestedAt < PAUSE_MS)
        await sender.runtime.wait(PAUSE_MS, signal);
      lastState = state;
    }
  };
  return {
    get: (id, options) => sendRequest('GET', id, options) as Promise<Job<never>>,
    wait: (id, options) => waitUntilEnded(id, options) as Promise<Job<never>>,
    cancel: (id, options) => sendRequest('DELETE', id, options) as Promise<Job<never>>,
  };
}
