// From a request to the beginning of an answer: upstreams are tried in their order until one has
// sent its first event (or a whole answer). Until then another may be tried; from then on, none.
import { codes } from '../../kernel/errors/codes.ts';
import { Fault } from '../../kernel/errors/fault.ts';
import type { World } from '../../kernel/world.ts';
import type { CallSignals, StartedResponse, UpstreamFailure, UpstreamRefusal } from './attempt.ts';
import { type ChatRequest, upstreamBody } from './chat-request.ts';
import { type PreparedAttempt, prepareAttempt, runAttempt } from './run-attempt.ts';
import { orderUpstreams } from './upstream/order-upstreams.ts';
import type { Upstream } from './upstream/upstream.ts';

export type StartResult =
  | StartedResponse
  | UpstreamRefusal
  /** The client left first; `asked`: an upstream had been asked by then. */
  | { readonly kind: 'left'; readonly asked: Upstream | null };

const ATTEMPTS_MAX = 3;

export type PreparedResponse = {
  /** Asks. Throws the Fault of the last upstream when none began. */
  begin(): Promise<StartResult>;
  /** Nobody is asked. */
  drop(): void;
};

/** Connects to the upstream that is first in order, so that whatever is waited for costs less. */
export function prepareResponse(
  world: World,
  upstreams: readonly Upstream[],
  request: ChatRequest,
  signals: CallSignals,
  traceparent: string | null,
): PreparedResponse {
  const order = orderUpstreams(world.random, upstreams);
  const connect = (upstream: Upstream) => {
    const { includeUsage } = upstream.rules;
    const model = upstream.modelFor(request.model) ?? request.model;
    return prepareAttempt(
      upstream,
      upstreamBody(request, { model, includeUsage }),
      signals,
      traceparent,
    );
  };
  const [first] = order;
  let ready = first?.circuit.health().healthy ? connect(first) : null;
  const drop = () => {
    ready?.cut.call('over');
    ready = null;
  };
  /** The one that is ready serves its own upstream's first attempt. */
  const take = (upstream: Upstream) => {
    const taken = ready?.upstream === upstream ? ready : connect(upstream);
    ready = null;
    return taken;
  };
  return { drop, begin: () => begin(world, order, request, signals, { take, drop }) };
}

type Connections = { take(upstream: Upstream): PreparedAttempt; drop(): void };

async function begin(
  world: World,
  order: readonly Upstream[],
  request: ChatRequest,
  signals: CallSignals,
  { take, drop }: Connections,
): Promise<StartResult> {
  const [only] = order;
  // One that is alone is tried twice when what went wrong may have passed.
  const tries = order.length === 1 && only ? [only, only] : order.slice(0, ATTEMPTS_MAX);
  let last: UpstreamFailure | null = null;
  let waitMs = Number.POSITIVE_INFINITY;
  let asked: Upstream | null = null;
  for (const upstream of tries) {
    if (signals.left.why !== null) {
      drop();
      return { kind: 'left', asked };
    }
    if (last !== null && order.length === 1 && !last.mayPass) break;
    const rest = upstream.circuit.enter();
    if (rest > 0) {
      drop();
      waitMs = Math.min(waitMs, rest);
      continue;
    }
    asked = upstream;
    const attempt = await runAttempt(world, take(upstream), request);
    if (attempt.kind === 'left') return { kind: 'left', asked };
    if (attempt.kind !== 'trouble') return attempt;
    last = attempt;
    const { name } = upstream.rules;
    world.log.warn({ upstream: name, code: last.code, problem: last.problem }, 'upstream failed');
  }
  throw last === null ? allUnavailable(waitMs) : failureFault(last);
}

function failureFault({ code, problem, waitMs }: UpstreamFailure): Fault {
  const details = { internal: problem };
  if (codes[code].status !== 503) return new Fault(code, messages[code], details);
  return new Fault(code, messages[code], { ...details, retryAfterSeconds: secondsOf(waitMs) });
}

const messages = {
  upstream_error: 'The model’s provider failed. Nothing was charged.',
  upstream_timeout: 'The model’s provider did not answer in time. Nothing was charged.',
  capability_unavailable: 'The model’s provider cannot be asked right now. Try again later.',
  temporarily_unavailable: 'This process is ending. Ask again: another will answer.',
} as const;

const secondsOf = (ms: number) => Math.min(30, Math.max(1, Math.ceil(ms / 1000)));

function allUnavailable(waitMs: number): Fault {
  return new Fault('capability_unavailable', messages.capability_unavailable, {
    internal: 'every upstream of the model rests',
    retryAfterSeconds: secondsOf(Number.isFinite(waitMs) ? waitMs : 5_000),
  });
}
