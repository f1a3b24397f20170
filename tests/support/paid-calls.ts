// Makes paid calls at a constant rate. A call without success is attempted again with the same
// Idempotency-Key. No call waits for an earlier one.
import type { ClientBase } from 'pg';
import { runningClock } from '../../src/kernel/time/clock.ts';
import { until } from './until.ts';

export type Attempt = {
  /** Epoch milliseconds. */
  readonly startedAt: number;
  readonly durationMs: number;
  /** null: no response. */
  readonly status: number | null;
  /** The start of a response other than 200. */
  readonly problem: string | null;
};

export type PaidCall = {
  readonly key: string;
  readonly attempts: readonly Attempt[];
  /** The id of the response with status 200; null before that response. */
  readonly requestId: string | null;
};

export type PaidCalls = {
  readonly all: readonly PaidCall[];
  /**
   * Starts no further call. Resolves when each started call has its response or is in doubt. A call
   * in doubt has a hold of a lost server, and its key returns 409 until recovery settles the hold.
   */
  stop(): Promise<void>;
  /** Resolves when the calls in doubt also have their responses. */
  settle(): Promise<void>;
};

export type Caller = {
  readonly origin: string;
  readonly apiKey: string;
  readonly perSecond: number;
  /** Distinguishes the keys of this load from those of others. */
  readonly name: string;
};

const RETRY_MS = 500;
const ATTEMPT_MS = 60_000;
const MAX_PROBLEM_CHARACTERS = 400;
/** Longer than the time after which a call of a lost server is settled. */
const GIVE_UP_AFTER_MS = 300_000;
/** A search with results, because one without them costs nothing. */
const body = '{"platform":"douyin","action":"search","params":{"keyword":"澄砚"}}';

export function startPaidCalls(caller: Caller): PaidCalls {
  const all: { key: string; attempts: Attempt[]; requestId: string | null }[] = [];
  const pending = new Set<Promise<void>>();
  const startCall = () => {
    const call = { key: `${caller.name}-${all.length}`, attempts: [], requestId: null };
    all.push(call);
    const completion = completeCall(caller, call).finally(() => pending.delete(completion));
    pending.add(completion);
  };
  const timer = setInterval(startCall, 1000 / caller.perSecond);
  return {
    all,
    stop: async () => {
      clearInterval(timer);
      await until(async () => all.every((call) => isFinished(call) || isInDoubt(call)) || null);
    },
    settle: async () => {
      await Promise.all(pending);
    },
  };
}

const isFinished = ({ requestId, attempts }: PaidCall): boolean =>
  requestId !== null || isGivenUp(attempts);

export const isInDoubt = ({ requestId, attempts }: PaidCall): boolean =>
  requestId === null && attempts.at(-1)?.status === 409;

const isGivenUp = (attempts: readonly Attempt[]): boolean =>
  Date.now() > (attempts[0]?.startedAt ?? Date.now()) + GIVE_UP_AFTER_MS + RETRY_MS;

async function completeCall(
  caller: Caller,
  call: { readonly key: string; readonly attempts: Attempt[]; requestId: string | null },
): Promise<void> {
  const { sleep } = runningClock();
  const endsAt = Date.now() + GIVE_UP_AFTER_MS;
  for (;;) {
    const { requestId, ...attempt } = await request(caller, call.key);
    call.attempts.push(attempt);
    call.requestId = requestId;
    if (requestId !== null || Date.now() > endsAt) return;
    await sleep(RETRY_MS);
  }
}

/** Sends one attempt. A call that already succeeded returns its first response again. */
export async function request(
  { origin, apiKey }: Pick<Caller, 'origin' | 'apiKey'>,
  key: string,
): Promise<Attempt & { readonly requestId: string | null }> {
  const startedAt = Date.now();
  const { status, requestId, problem } = await fetch(`${origin}/api/v1/capabilities/social`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/json',
      'idempotency-key': key,
      prefer: 'idempotent-replay',
    },
    body,
    signal: AbortSignal.timeout(ATTEMPT_MS),
  })
    .then(async (response) => {
      const text = await response.text();
      const { status } = response;
      if (status !== 200)
        return { status, requestId: null, problem: text.slice(0, MAX_PROBLEM_CHARACTERS) };
      return { status, requestId: String(JSON.parse(text).request_id), problem: null };
    })
    .catch((error) => ({ status: null, requestId: null, problem: String(error) }));
  return { startedAt, durationMs: Date.now() - startedAt, status, requestId, problem };
}

/**
 * Describes each difference between responses and charges: responses without a charge, and charges
 * without a response. A call in doubt may be charged already.
 */
export async function wrongCalls(
  client: ClientBase,
  accountId: string,
  calls: readonly PaidCall[],
): Promise<readonly string[]> {
  const { rows } = await client.query<{ id: string }>(
    `SELECT request_id AS id FROM calls
     WHERE account_id = $1 AND captured > 0 AND state = 'captured'`,
    [accountId],
  );
  const callsWithResponse = calls.filter(({ requestId }) => requestId !== null);
  const acknowledged = new Set(callsWithResponse.map(({ requestId }) => requestId));
  const captured = new Set(rows.map(({ id }) => id));
  const chargesWithoutResponse = rows.filter(({ id }) => !acknowledged.has(id)).map(({ id }) => id);
  const inDoubt = calls.filter(isInDoubt).length;
  return [
    ...callsWithResponse
      .filter(({ requestId }) => !captured.has(requestId ?? ''))
      .map(({ key, requestId }) => `${key} (${requestId}) is not captured`),
    ...(chargesWithoutResponse.length > inDoubt
      ? chargesWithoutResponse.map((id) => `${id} has no response`)
      : []),
    ...(acknowledged.size === callsWithResponse.length ? [] : ['two calls have the same response']),
    ...calls
      .filter((call) => call.requestId === null && !isInDoubt(call))
      .map(({ key }) => `${key} has no response`),
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
