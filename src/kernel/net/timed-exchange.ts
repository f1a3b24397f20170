// Waits for the host's queue and then runs one exchange within the request's remaining time. The
// deadline, the caller or a shutdown can end the exchange; the first cause is the failure reason.
import { type Clock, startTimer } from '../time/clock.ts';
import type { EgressProxy } from './egress-proxy.ts';
import { type ExchangeFailure, exchange, type RawResponse } from './exchange.ts';
import type { NetRequest } from './net.ts';
import type { Politeness, Turn } from './politeness.ts';
import type { PrivateHosts } from './private-hosts.ts';
import type { Hop } from './redirects.ts';
import type { Lookup } from './resolve-host.ts';

export type Rules = {
  readonly clock: Clock;
  readonly lookup: Lookup;
  readonly allowedPrivateHosts: PrivateHosts;
  readonly politeness: Politeness;
  readonly politenessMs: number;
  readonly closing: AbortSignal;
  /** The proxy of this request; null: a direct connection. */
  readonly proxy: EgressProxy | null;
};

/** Remaining milliseconds of a request for exchanges and for waiting, and the milliseconds used. */
export type ExchangeBudget = { exchangeMs: number; waitMs: number; spentMs: number };

/** The maximum of `setTimeout`; a longer timer would end immediately. */
const longestTimerMs = 2 ** 31 - 1;

/**
 * Subtracts the time of the wait and of the exchange from `budget`. `skipsRedirects` has the same
 * meaning as in `exchange.ts`.
 */
export async function runTimedExchange(
  rules: Rules,
  {
    hop,
    request,
    skipsRedirects,
  }: {
    readonly hop: Hop;
    readonly request: NetRequest;
    readonly skipsRedirects: boolean;
  },
  budget: ExchangeBudget,
): Promise<RawResponse | ExchangeFailure> {
  const { clock } = rules;
  const exchangeAbort = openExchangeAbort();
  const stopFunctions = [
    exchangeAbort.watch(rules.closing, 'the network is closed'),
    exchangeAbort.watch(request.signal, 'aborted by the caller'),
  ];
  const turn = await waitForTurn(rules, hop, request, budget, exchangeAbort.signal);
  const startedAt = clock.now();
  let cancelTimer = () => {};
  try {
    if (turn.kind !== 'turn') return exchangeAbort.failure() ?? waitTimeout(hop);
    cancelTimer = startTimer(clock, Math.min(budget.exchangeMs, longestTimerMs), () =>
      exchangeAbort.end('timeout', `no complete response within ${request.timeoutMs} ms`),
    );
    const { lookup, allowedPrivateHosts, proxy } = rules;
    const { maxBytes } = request;
    const limits = {
      lookup,
      allowedPrivateHosts,
      maxBytes,
      skipsRedirects,
      signal: exchangeAbort.signal,
      proxy,
    };
    const response = await exchange(hop, limits);
    return response.kind === 'failed' ? (exchangeAbort.failure() ?? response) : response;
  } finally {
    if (turn.kind === 'turn') turn.release();
    cancelTimer();
    for (const stop of stopFunctions) stop();
    const spentMs = Math.max(0, clock.now() - startedAt);
    budget.spentMs += spentMs;
    budget.exchangeMs = Math.max(0, budget.exchangeMs - spentMs);
  }
}

async function waitForTurn(
  { clock, politeness, politenessMs }: Rules,
  hop: Hop,
  request: NetRequest,
  budget: ExchangeBudget,
  signal: AbortSignal,
): Promise<Turn> {
  if (request.isPolite === false) {
    return signal.aborted ? { kind: 'aborted' } : { kind: 'turn', release: () => {} };
  }
  const waitStartedAt = clock.now();
  const turn = await politeness.waitForTurn(hop.url.host, {
    gapMs: request.gapMs ?? politenessMs,
    maxWaitMs: budget.waitMs,
    signal,
  });
  budget.waitMs = Math.max(0, budget.waitMs - Math.max(0, clock.now() - waitStartedAt));
  return turn;
}

function waitTimeout(hop: Hop): ExchangeFailure {
  const message = `waited too long for a turn at ${hop.url.host}`;
  return { kind: 'failed', reason: 'timeout', message };
}

/** A signal that keeps the first cause of its abort as a failure. */
function openExchangeAbort() {
  const controller = new AbortController();
  let failure: ExchangeFailure | null = null;
  const end = (reason: 'timeout' | 'aborted', message: string) => {
    failure ??= { kind: 'failed', reason, message };
    controller.abort();
  };
  const watch = (signal: AbortSignal | undefined, message: string) => {
    const onAbort = () => end('aborted', message);
    if (signal?.aborted) onAbort();
    signal?.addEventListener('abort', onAbort);
    return () => signal?.removeEventListener('abort', onAbort);
  };
  return { signal: controller.signal, failure: () => failure, end, watch };
}
