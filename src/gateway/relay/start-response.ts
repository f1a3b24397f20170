// Failover of one call. The failover tries targets in order, each at most twice, until a target
// sends its first visible event or a whole response. A broken stream continues at the remaining
// targets. Relay contract, 3.1 to 3.4.
import { codes } from '../../kernel/errors/codes.ts';
import { Fault } from '../../kernel/errors/fault.ts';
import type { World } from '../../kernel/world.ts';
import type {
  AttemptResult,
  AttemptTarget,
  CallSignals,
  StartedResponse,
  StartedStream,
  UpstreamFailure,
  UpstreamRefusal,
} from './attempt.ts';
import type { ApiDialect, ModelRequest } from './dialects/dialect.ts';
import type { AttemptLog } from './receipt.ts';
import type { ModelRouteConfig } from './relay-config.ts';
import {
  type ForwardedHeaders,
  type PreparedAttempt,
  prepareAttempt,
  runAttempt,
} from './run-attempt.ts';
import type { InterruptionCause } from './stream/forward-stream.ts';
import { tokensOf } from './token-usage.ts';
import { orderUpstreams } from './upstream/order-upstreams.ts';
import type { Upstream } from './upstream/upstream.ts';

export type StartResult =
  | StartedResponse
  | UpstreamRefusal
  /** The client disconnected first; `upstream` is the last upstream that was used. */
  | { readonly kind: 'disconnected'; readonly upstream: Upstream | null };

export type ResumeResult = StartedStream | { readonly kind: 'disconnected' } | null;

export type PreparedResponse = {
  /** Throws the Fault of the last upstream when no response began. */
  begin(): Promise<StartResult>;
  /** Continues a stream that broke after `delivered`. Null: no attempt remains. */
  resume(broken: StartedStream, delivered: string, cause: InterruptionCause): Promise<ResumeResult>;
  /** Every attempt so far, in order. */
  readonly attempts: readonly AttemptLog[];
  /** Releases the connection that was prepared. */
  drop(): void;
};

export type FailoverPlan = {
  readonly dialect: ApiDialect;
  readonly request: ModelRequest;
  readonly upstreams: readonly Upstream[];
  /** The caller's account. */
  readonly accountId: string;
  readonly route: ModelRouteConfig;
  /** Whether a model may serve this call as a fallback. */
  mayUse(model: string): boolean;
  /** The upstreams of a fallback model. */
  upstreamsOf(model: string): readonly Upstream[] | Promise<readonly Upstream[]>;
  routeOf(model: string): ModelRouteConfig;
  /** A stream that is charged by token continues only with models that have a price. */
  isPriced(model: string): boolean;
  readonly signals: CallSignals;
  readonly headers: ForwardedHeaders;
  /** Time after the first attempt within which further attempts may start. */
  readonly deadlineMs: number;
};

const MAX_ATTEMPTS = 4;
const FIRST_TOKEN_MS = 10_000;
const REASONING_FIRST_TOKEN_MS = 120_000;
/** Longest `Retry-After` of an upstream after which the same upstream is tried again. */
const MAX_WAIT_MS = 3_000;
/** Pauses before the second try: after `busy` without a `Retry-After`, and after `broken`. */
const OVERLOADED_RETRY_MS = 500;
const BROKEN_RETRY_MS = 200;
/** Share by which these pauses vary at random. */
const JITTER = 0.2;
/** Time for which the relay does not request a model from an upstream that lacks the model. */
const UNKNOWN_MODEL_PAUSE_MS = 60_000;
/** Time for which an upstream that refuses the operator's account is not used. */
const ACCOUNT_PAUSE_MS = 300_000;

/** Connects to the first target in parallel with other preparations of the call. */
export function prepareResponse(world: World, plan: FailoverPlan): PreparedResponse {
  return new Failover(world, plan);
}

class Failover implements PreparedResponse {
  private readonly world: World;
  private readonly plan: FailoverPlan;
  private queue: AttemptTarget[];
  private fallbacks: string[];
  private prepared: PreparedAttempt | null = null;
  readonly attempts: AttemptLog[] = [];
  private attemptsLeft = MAX_ATTEMPTS;
  private isResumed = false;
  private startedAt: number;
  /** Shortest time until a busy or paused target can be used again. */
  private waitMs = Number.POSITIVE_INFINITY;
  private lastUpstream: Upstream | null = null;
  /** Targets where a broken stream was already retried. */
  private readonly retriedTargets = new Set<AttemptTarget>();
  private readonly eventMaxBytes: number;

  constructor(world: World, plan: FailoverPlan) {
    this.world = world;
    this.plan = plan;
    this.startedAt = world.clock.now();
    this.eventMaxBytes = eventLimitOf(plan.dialect, plan.request);
    this.queue = this.targetsOf(plan.request.model, plan.upstreams);
    this.fallbacks = plan.route.fallbacks.filter(plan.mayUse);
    const [firstTarget] = this.queue;
    if (firstTarget?.circuit.isUsable())
      this.prepared = this.connect(firstTarget, this.bodyFor(firstTarget));
  }

  drop(): void {
    this.prepared?.cancelToken.cancel('finished');
    this.prepared = null;
  }

  async begin(): Promise<StartResult> {
    let lastFailure: UpstreamFailure | null = null;
    for (;;) {
      if (this.isDisconnected()) return this.disconnectedResult();
      const target = await this.nextTarget();
      if (target === null) break;
      const result = await this.attempt(target, (at) => this.takeConnection(at));
      if (result === null) continue;
      if (result.kind === 'disconnected') return this.disconnectedResult();
      if (result.kind === 'refused') {
        if (await this.selectTargetsAfter(result)) continue;
        return result;
      }
      if (result.kind !== 'failed') return result;
      lastFailure = result;
    }
    this.drop();
    throw lastFailure === null
      ? allUnavailableFault(this.waitMs)
      : failureFault(lastFailure, this.waitMs);
  }

  async resume(
    broken: StartedStream,
    delivered: string,
    cause: InterruptionCause,
  ): Promise<ResumeResult> {
    const { route, request, signals } = this.plan;
    const sameTarget = broken.target;
    if (route.continue === 'never' || signals.isStopping()) return null;
    if (route.continue === 'same') {
      this.fallbacks = [];
      this.queue = this.queue.filter(({ model }) => model === sameTarget.model);
    }
    // The deadline starts again, because the client has received the first visible event in time.
    this.startedAt = this.world.clock.now();
    const interruptedAttempt = this.attempts.at(-1);
    if (interruptedAttempt !== undefined) interruptedAttempt.failure = cause;
    this.isResumed = true;
    const { name } = sameTarget.upstream.rules;
    this.world.log.warn({ upstream: name, cause }, 'stream broke, another attempt continues');
    // A silent upstream is not used again. An upstream whose stream broke is used once more.
    if (cause !== 'silent' && !this.retriedTargets.has(sameTarget)) {
      this.retriedTargets.add(sameTarget);
      if (await this.pause(cause === 'reset' ? 0 : BROKEN_RETRY_MS)) this.queue.unshift(sameTarget);
    }
    for (;;) {
      if (this.isDisconnected()) return { kind: 'disconnected' };
      const target = await this.nextTarget();
      if (target === null) return null;
      if (target.model !== request.model && !this.plan.isPriced(target.model)) continue;
      const result = await this.resumeAt(target, delivered);
      if (result === null) continue;
      if (result.kind === 'stream' || result.kind === 'disconnected') return result;
    }
  }

  /**
   * Sends a prefill when the model supports prefills. Without this support, or after a refusal of
   * the prefill, sends an instruction. Null: the target is paused, or cannot continue this text.
   */
  private async resumeAt(target: AttemptTarget, delivered: string) {
    const bodyOf = (isPrefill: boolean) => {
      const { includeUsage } = target.upstream.rules;
      const options = { model: target.upstreamModel, includeUsage };
      const { request, dialect } = this.plan;
      if (delivered === '' || dialect.continuation === null) {
        return dialect.upstreamBody(request, options);
      }
      return dialect.continuation.body(request, delivered, { ...options, isPrefill });
    };
    const connect = (isPrefill: boolean) => (at: AttemptTarget) =>
      this.connect(at, bodyOf(isPrefill));
    const { request, dialect, routeOf } = this.plan;
    if (routeOf(target.model).prefill) {
      const prefilledResult = await this.attempt(target, connect(true));
      if (prefilledResult?.kind !== 'refused') return prefilledResult;
      this.attemptsLeft += 1;
    }
    const requiresPrefill =
      delivered !== '' && dialect.continuation?.needsPrefill(request) === true;
    return requiresPrefill ? null : this.attempt(target, connect(false));
  }

  /** Null: the target is paused. */
  private async attempt(
    target: AttemptTarget,
    connect: (target: AttemptTarget) => PreparedAttempt,
  ): Promise<AttemptResult | null> {
    const { circuit, upstream } = target;
    const { waitMs, isProbe } = circuit.enter();
    if (waitMs > 0) {
      this.waitMs = Math.min(this.waitMs, waitMs);
      return null;
    }
    this.attemptsLeft -= 1;
    this.lastUpstream = upstream;
    const log = this.logAttempt(target);
    for (let tries = 1; ; tries += 1) {
      const timing = {
        dialect: this.plan.dialect,
        isStream: this.plan.request.isStream,
        eventMaxBytes: this.eventMaxBytes,
        firstTokenMs: this.firstTokenMs(target),
        isReasoning: this.plan.routeOf(target.model).reasoning,
      };
      const startedAt = this.world.clock.now();
      let result: AttemptResult;
      try {
        result = await runAttempt(this.world, connect(target), timing);
      } catch (error) {
        circuit.recordAbandoned();
        throw error;
      }
      const latencyMs = this.world.clock.now() - startedAt;
      log.tries = tries;
      noteResult(log, result);
      if ('reportedModel' in result) this.noteModel(target, result.reportedModel);
      if (result.kind === 'complete' || result.kind === 'refused') circuit.recordSuccess(latencyMs);
      if (result.kind === 'disconnected') circuit.recordAbandoned();
      if (result.kind !== 'failed') return result;
      const { failure, problem, code } = result;
      const { name } = upstream.rules;
      this.world.log.warn({ upstream: name, code, failure, problem }, 'upstream failed');
      this.noteFailure(target, result, latencyMs);
      // A target is tried twice, except that a probe of its circuit breaker is only one request.
      if (tries === 2 || isProbe || !this.isInTime()) return result;
      const pauseMs = this.retryPauseMs(result);
      if (pauseMs === null || !(await this.pause(pauseMs))) return result;
    }
  }

  /**
   * Logs that the upstream reports another model. The charge is still limited by the requested
   * model's price.
   */
  private noteModel({ upstream, upstreamModel }: AttemptTarget, reported: string | null): void {
    if (reported === null || reported.startsWith(upstreamModel)) return;
    if (!upstream.health.noteReportedModel(upstreamModel, reported)) return;
    const { name } = upstream.rules;
    this.world.log.warn(
      { upstream: name, model: upstreamModel, reported },
      'upstream reports another model',
    );
  }

  private logAttempt(target: AttemptTarget): AttemptLog {
    const { model, upstream } = target;
    const log = {
      target,
      output: null,
      model,
      upstream: upstream.rules.publicName ?? null,
      failure: null,
      tries: 1,
      startedAt: this.world.clock.now(),
      firstTokenMs: null,
      isContinuation: this.isResumed,
      usage: null,
    };
    this.attempts.push(log);
    return log;
  }

  private noteFailure(
    { circuit, upstream }: AttemptTarget,
    { failure, isCounted, waitMs, mayBeCausedByCaller }: UpstreamFailure,
    latencyMs: number,
  ): void {
    if (waitMs !== null && failure === 'busy') {
      this.waitMs = Math.min(this.waitMs, waitMs);
      circuit.skipFor(waitMs);
    }
    if (failure === 'account') {
      if (mayBeCausedByCaller)
        upstream.health.suspectAccount(this.plan.accountId, ACCOUNT_PAUSE_MS);
      else upstream.health.blockAccount(ACCOUNT_PAUSE_MS);
      const { name } = upstream.rules;
      this.world.log.error(
        { upstream: name },
        'upstream refuses the account: key, credit or contract',
      );
    }
    if (failure === 'unknown_model') circuit.skipFor(UNKNOWN_MODEL_PAUSE_MS);
    if (isCounted) circuit.recordFailure(latencyMs);
    else circuit.recordAbandoned();
  }

  /** Null: the upstream must not be tried again. */
  private retryPauseMs({ failure, waitMs }: UpstreamFailure): number | null {
    const jitter = (share: number) => 1 + (this.world.random.next() * 2 - 1) * share;
    switch (failure) {
      case 'busy':
        if (waitMs === null) return OVERLOADED_RETRY_MS * jitter(JITTER);
        // The retry is never earlier than the upstream's Retry-After.
        return waitMs <= MAX_WAIT_MS
          ? waitMs + this.world.random.next() * JITTER * OVERLOADED_RETRY_MS
          : null;
      case 'broken':
        return BROKEN_RETRY_MS * jitter(JITTER);
      case 'reset':
        return 0;
      default:
        return null;
    }
  }

  /** False: during the pause the client disconnected or the process began to stop. */
  private async pause(ms: number): Promise<boolean> {
    const { disconnected, stopping } = this.plan.signals;
    const endOfPause = new AbortController();
    const abortWait = () => endOfPause.abort();
    disconnected.on(abortWait);
    stopping.on(abortWait);
    try {
      if (ms > 0) await this.world.clock.sleep(ms, endOfPause.signal);
      return disconnected.reason === null && stopping.reason === null;
    } catch {
      return false;
    } finally {
      disconnected.off(abortWait);
      stopping.off(abortWait);
    }
  }

  /**
   * Returns false when no other target may serve the refused request. A request that is too long
   * uses only fallbacks with a sufficient context. A filtered request needs the operator's
   * permission.
   */
  private async selectTargetsAfter({ reason }: UpstreamRefusal): Promise<boolean> {
    const { route, mayUse, request } = this.plan;
    if (reason === 'filtered') return route.contentFallback;
    if (reason !== 'too_long') return false;
    this.queue.length = 0;
    const tokens = tokensOf(Buffer.byteLength(request.text));
    this.fallbacks = route.contextFallbacks.filter((model) => {
      const { maxInput = Number.POSITIVE_INFINITY } = this.plan.routeOf(model);
      return model !== request.model && mayUse(model) && tokens <= maxInput;
    });
    await this.fillQueue();
    return this.queue.length > 0;
  }

  private async nextTarget(): Promise<AttemptTarget | null> {
    const isStopping = this.plan.signals.stopping.reason !== null;
    if (isStopping || this.attemptsLeft <= 0 || !this.isInTime()) return null;
    if (this.queue.length === 0) await this.fillQueue();
    return this.queue.shift() ?? null;
  }

  private async fillQueue(): Promise<void> {
    while (this.queue.length === 0) {
      const model = this.fallbacks.shift();
      if (model === undefined) return;
      const upstreams = await this.plan.upstreamsOf(model);
      this.queue.push(...this.targetsOf(model, upstreams));
    }
  }

  /**
   * The targets of a model, in the order of its route or in random order by priority and weight.
   */
  private targetsOf(model: string, upstreams: readonly Upstream[]): AttemptTarget[] {
    const hasOrder = this.plan.routeOf(model).upstreams !== undefined;
    const orderedUpstreams = hasOrder ? upstreams : orderUpstreams(this.world.random, upstreams);
    return orderedUpstreams.map((upstream) => {
      const upstreamModel = upstream.modelFor(model) ?? model;
      return { upstream, model, upstreamModel, circuit: upstream.health.modelOf(upstreamModel) };
    });
  }

  /** The deadline of the call also limits a stream's first token, except for reasoning models. */
  private firstTokenMs({ model, upstream }: AttemptTarget): number {
    const { reasoning, firstTokenMs = FIRST_TOKEN_MS } = this.plan.routeOf(model);
    if (reasoning) return REASONING_FIRST_TOKEN_MS;
    const hasNext =
      this.fallbacks.length > 0 || this.queue.some(({ circuit: { isUsable } }) => isUsable());
    const isLast = this.attemptsLeft <= 0 || !hasNext;
    const { firstTokenMs: longestMs } = upstream.rules;
    const limitMs = isLast ? longestMs : Math.min(firstTokenMs, longestMs);
    // Whole seconds, because the timers of one length share a queue.
    const remainingMs = this.plan.deadlineMs - (this.world.clock.now() - this.startedAt);
    return Math.min(limitMs, Math.max(1, Math.ceil(remainingMs / 1000)) * 1000);
  }

  /** Whether another attempt may start. The first attempt has no deadline. */
  private isInTime(): boolean {
    return (
      this.world.clock.now() - this.startedAt < this.plan.deadlineMs || this.attempts.length === 0
    );
  }

  private isDisconnected = () => this.plan.signals.disconnected.reason !== null;

  private disconnectedResult(): StartResult {
    this.drop();
    return { kind: 'disconnected', upstream: this.lastUpstream };
  }

  private connect(target: AttemptTarget, body: string): PreparedAttempt {
    const { signals, headers } = this.plan;
    return prepareAttempt(target, { body, signals, headers });
  }

  /** Returns the prepared connection for the first attempt at its target. */
  private takeConnection(target: AttemptTarget): PreparedAttempt {
    const { prepared } = this;
    if (prepared?.target === target) {
      this.prepared = null;
      return prepared;
    }
    this.drop();
    return this.connect(target, this.bodyFor(target));
  }

  private bodyFor({ upstream, upstreamModel: model }: AttemptTarget): string {
    const { dialect, request } = this.plan;
    return dialect.upstreamBody(request, { model, includeUsage: upstream.rules.includeUsage });
  }
}

const MAX_EVENT_BYTES = 1024 * 1024;
const MAX_IMAGE_EVENT_BYTES = 16 * MAX_EVENT_BYTES;

/**
 * Returns the maximum length of an event. Events with an image may be longer, when the request
 * permits images. Relay contract, 6.
 */
function eventLimitOf(dialect: ApiDialect, request: ModelRequest): number {
  const { modalities } = request.body;
  const hasImages =
    (Array.isArray(modalities) && modalities.includes('image')) ||
    dialect.hostedTools(request).some(({ name }) => name === 'image_generation');
  return hasImages ? MAX_IMAGE_EVENT_BYTES : MAX_EVENT_BYTES;
}

function noteResult(log: AttemptLog, result: AttemptResult): void {
  if (result.kind === 'failed') log.failure = result.failure;
  else if (result.kind === 'refused') log.failure = result.reason;
  else if (result.kind !== 'disconnected') {
    log.failure = null;
    log.firstTokenMs = result.latencyMs;
  }
}

function failureFault({ code, problem, waitMs }: UpstreamFailure, lowestMs: number): Fault {
  const details = { internal: problem };
  if (codes[code].status !== 503) return new Fault(code, messages[code], details);
  const retryMs = Math.min(waitMs ?? Number.POSITIVE_INFINITY, lowestMs);
  const retryAfterSeconds = toRetryAfterSeconds(Number.isFinite(retryMs) ? retryMs : 1_000);
  return new Fault(code, messages[code], { ...details, retryAfterSeconds });
}

const messages = {
  upstream_error: 'The model’s provider failed. Nothing was charged.',
  upstream_timeout: 'The model’s provider did not answer in time. Nothing was charged.',
  capability_unavailable: 'The model’s provider is unavailable right now. Try again later.',
  temporarily_unavailable: 'This process is stopping. Retry: another process will respond.',
} as const;

/** Returns the value of `Retry-After`: 1 to 30 seconds. */
const toRetryAfterSeconds = (ms: number) => Math.min(30, Math.max(1, Math.ceil(ms / 1000)));

function allUnavailableFault(waitMs: number): Fault {
  return new Fault('capability_unavailable', messages.capability_unavailable, {
    internal: 'every upstream of the model is paused',
    retryAfterSeconds: toRetryAfterSeconds(Number.isFinite(waitMs) ? waitMs : 5_000),
  });
}
