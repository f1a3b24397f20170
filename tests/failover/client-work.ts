// The work of clients during a failover, in addition to paid calls: they push items, start jobs,
// add subscriptions and read the snapshot. Each kind of work counts the acknowledged operations.
import { runningClock } from '../../src/kernel/time/clock.ts';

const { sleep } = runningClock();
const ATTEMPT_MS = 30_000;

export type RepeatedWork = { stop(): Promise<void> };

/** Runs `work` repeatedly with pauses, and never twice at the same time. */
export function repeatWork(pauseMs: number, work: () => Promise<void>): RepeatedWork {
  let isStopped = false;
  const running = (async () => {
    while (!isStopped) {
      await work();
      await sleep(pauseMs);
    }
  })();
  return {
    stop: async () => {
      isStopped = true;
      await running;
    },
  };
}

const sendWithLimit = (url: string, init: RequestInit) =>
  fetch(url, { ...init, signal: AbortSignal.timeout(ATTEMPT_MS) }).catch(() => null);

/** Pushes one item until it is acknowledged. */
export async function pushItem(origin: string, token: string, title: string): Promise<void> {
  const url = `https://agents.example/${encodeURIComponent(title)}`;
  for (;;) {
    const response = await sendWithLimit(`${origin}/api/ingest/items`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ source: 'agents', items: [{ url, title }] }),
    });
    await response?.arrayBuffer().catch(() => {});
    if (response?.ok) return;
    await sleep(500);
  }
}

/** Starts one job and returns its id. */
export async function startJob(origin: string, apiKey: string, name: string): Promise<string> {
  for (;;) {
    const response = await sendWithLimit(`${origin}/api/v1/capabilities/svc-video`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${apiKey}`,
        'content-type': 'application/json',
        'idempotency-key': name,
        prefer: 'respond-async, idempotent-replay',
      },
      body: JSON.stringify({ prompt: name, seconds: 4 }),
    });
    const text = await response?.text().catch(() => null);
    if (response?.status === 202 && text) return (JSON.parse(text) as JobResponse).data.id;
    await sleep(500);
  }
}

type JobResponse = { readonly data: { readonly id: string } };

/** Polls a job until it has ended, and returns its status. */
export async function waitForJobEnd(origin: string, apiKey: string, id: string): Promise<string> {
  for (;;) {
    const response = await sendWithLimit(`${origin}/api/v1/jobs/${id}?wait=20`, {
      headers: { authorization: `Bearer ${apiKey}` },
    });
    const text = await response?.text().catch(() => null);
    const status = response?.ok && text ? String(JSON.parse(text).status) : 'queued';
    if (status !== 'queued' && status !== 'running') return status;
    await sleep(500);
  }
}

/** The status of one read of the snapshot; null: no response. */
export async function readSnapshot(origin: string): Promise<number | null> {
  const response = await sendWithLimit(`${origin}/api/v1/selected/snapshot`, {});
  await response?.arrayBuffer().catch(() => {});
  return response?.status ?? null;
}
