// Paid calls at a constant rate, like clients that repeat an unsuccessful attempt with the same
// Idempotency-Key. No call waits for an earlier one.
import type { ClientBase } from 'pg';
import { runningClock } from '../../src/kernel/time/clock.ts';

export type Attempt = {
  /** Epoch milliseconds. */
  readonly startedAt: number;
  readonly durationMs: number;
  /** null: no response. */
  readonly status: number | null;
};

export type PaidCall = {
  readonly key: string;
  readonly attempts: readonly Attempt[];
  /** Of the response with status 200; null until then. */
  readonly requestId: string | null;
};

export type PaidCalls = {
  readonly all: readonly PaidCall[];
  /** Starts no further call and resolves when each has its response. */
  stop(): Promise<void>;
};

export type Caller = {
  readonly origin: string;
  readonly apiKey: string;
  readonly perSecond: number;
  /** Distinguishes the keys of this load from those of others. */
  readonly name: string;
};

const RETRY_MS = 500;
/** Longer than the time after which a call of a lost server is settled. */
const PATIENCE_MS = 240_000;
/** A search with results, because one without them costs nothing. */
const body = '{"platform":"douyin","action":"search","params":{"keyword":"澄砚"}}';

export function startPaidCalls(caller: Caller): PaidCalls {
  const all: { key: string; attempts: Attempt[]; requestId: string | null }[] = [];
  const pending = new Set<Promise<void>>();
  const begin = () => {
    const call = { key: `${caller.name}-${all.length}`, attempts: [], requestId: null };
    all.push(call);
    const done = complete(caller, call).finally(() => pending.delete(done));
    pending.add(done);
  };
  const timer = setInterval(begin, 1000 / caller.perSecond);
  return {
    all,
    stop: async () => {
      clearInterval(timer);
      await Promise.all(pending);
    },
  };
}

async function complete(
  caller: Caller,
  call: { readonly key: string; readonly attempts: Attempt[]; requestId: string | null },
): Promise<void> {
  const { sleep } = runningClock();
  const until = Date.now() + PATIENCE_MS;
  for (;;) {
    const { requestId, ...attempt } = await request(caller, call.key);
    call.attempts.push(attempt);
    call.requestId = requestId;
    if (requestId !== null || Date.now() > until) return;
    await sleep(RETRY_MS);
  }
}

/** One attempt. A call that was made already has its first response again. */
export async function request(
  { origin, apiKey }: Pick<Caller, 'origin' | 'apiKey'>,
  key: string,
): Promise<Attempt & { readonly requestId: string | null }> {
  const startedAt = Date.now();
  const { status, requestId } = await fetch(`${origin}/api/v1/capabilities/social`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    },
    body,
    signal: AbortSignal.timeout(PATIENCE_MS),
  })
    .then(async (response) => {
      const text = await response.text();
      const id = response.status === 200 ? (JSON.parse(text) as { request_id: string }) : null;
      return { status: response.status, requestId: id?.request_id ?? null };
    })
    .catch(() => ({ status: null, requestId: null }));
  return { startedAt, durationMs: Date.now() - startedAt, status, requestId };
}

/** Calls with a response that the ledger lacks or has not charged, and charges without one. */
export async function wrongCalls(
  client: ClientBase,
  accountId: string,
  calls: readonly PaidCall[],
): Promise<readonly string[]> {
  const { rows } = await client.query<{ id: string; state: string }>(
    `SELECT request_id AS id, state FROM calls
     WHERE account_id = $1 AND captured > 0`,
    [accountId],
  );
  const acknowledged = new Set(calls.map(({ requestId }) => requestId));
  const captured = new Set(rows.filter(({ state }) => state === 'captured').map(({ id }) => id));
  return [
    ...calls
      .filter(({ requestId }) => requestId === null || !captured.has(requestId))
      .map(({ key, requestId }) => `${key} (${requestId}) is not captured`),
    ...rows
      .filter(({ id, state }) => state === 'captured' && !acknowledged.has(id))
      .map(({ id }) => `${id} is captured and nobody received it`),
    ...(acknowledged.size === calls.length ? [] : ['two calls have the same response']),
  ];
}

/** Responses by status, such as `200: 1200, 503: 4`. */
export function statusesOf(attempts: readonly Attempt[]): string {
  const counts = Map.groupBy(attempts, ({ status }) => status ?? 'no response');
  return [...counts].map(([status, { length }]) => `${status}: ${length}`).join(', ');
}

export function longestMs(attempts: readonly Attempt[]): number {
  return Math.max(0, ...attempts.map(({ durationMs }) => durationMs));
}
