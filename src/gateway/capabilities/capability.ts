// Defines the interface of a capability: its input, the quantity of a call in its own unit, and the
// work. The caller handles keys, prices, money and responses. `open-capabilities.ts` opens all
// capabilities.

import type { z } from 'zod';
import type { BreakerState } from '../../kernel/concurrency/circuit-breaker.ts';
import type { CallCounts } from '../../kernel/observability/call-counts.ts';
import type { World } from '../../kernel/world.ts';

/** The quantity of a call, which the caller multiplies by the SKU's price. */
export type Quote = {
  /** Null: never charged. */
  readonly sku: 'social_data' | 'transcribe' | 'svc_image' | 'ocr' | null;
  readonly unit: 'per_call' | 'per_minute';
  /** Calls, or billed seconds to hold. */
  readonly quantity: number;
  readonly increment: 'call' | 'second';
};

export type RunContext = {
  readonly world: World;
  readonly requestId: string;
  /** Owner of the call: slots are shared fairly by account. */
  readonly accountId: string;
  readonly livemode: boolean;
  /** Aborted when the call's time is up or the process is closing. */
  readonly signal: AbortSignal;
  /** Adjusts the hold to the measured quantity (for transcription: seconds). */
  readonly adjustHold: (quantity: number) => Promise<'held' | 'insufficient'>;
  /** Reports progress, 0 to 1. */
  readonly progress: (share: number) => void;
};

export type FailureCode =
  | 'media_unavailable'
  | 'upstream_error'
  | 'upstream_timeout'
  | 'capability_unavailable';

export type Outcome =
  /** `data` has the form of the contract's table. `quantity` is billed; 0 costs nothing. */
  | { readonly kind: 'done'; readonly data: object; readonly quantity: number }
  /** The wallet does not cover the measured price. */
  | { readonly kind: 'insufficient' }
  | ProviderFailure;

export type ProviderFailure = {
  readonly kind: 'failed';
  readonly code: FailureCode;
  /** Message for customers. */
  readonly message: string;
  /** Log text: the provider, and the unexpected field. */
  readonly internal?: string;
  /** Null: no retry can succeed. */
  readonly retryAfterSeconds?: number | null;
  /** The provider may have started the work, because its response was lost. */
  readonly mayHaveRun?: true;
};

/**
 * Closed: requests pass. Open: no request passes. Half open: one trial request passes. Off: an
 * operator switched the provider off.
 */
export type CircuitState = BreakerState | 'off';

export type ProviderHealth = CallCounts & {
  readonly name: string;
  readonly healthy: boolean;
  readonly circuit: CircuitState;
  /** The provider refuses the operator's account: wrong key, no money or no quota. */
  readonly isAccountRefused?: boolean;
};

export type Health = {
  /** False when an offered capability cannot be called now. */
  readonly healthy: boolean;
  /** Reason for customers while the capability is not healthy; absent: a general message. */
  readonly reason?: string;
  readonly providers: readonly ProviderHealth[];
};

export type Capability<Input = unknown> = {
  /** `social`, `ocr`, `transcribe`, `svc-image`, `svc-video`, `search`. */
  readonly id: string;
  readonly name: string;
  readonly method: 'POST' | 'GET';
  readonly path: string;
  /** The kind of API key that may call the capability: `sk-…` or `ak-…`. */
  readonly key: 'sk' | 'ak';
  /** True: every call is a job, and the client receives a 202. */
  readonly isAsync: boolean;
  /** The schema is strict: a refusal names unknown fields. The caller removes `max_charge`. */
  readonly input: z.ZodType<Input>;
  /** Capability-specific validation; throws Fault `invalid_request`. */
  check?(input: Input): void;
  quote(input: Input): Quote;
  /** A provider failure is a value; the promise rejects only for defects and aborts. */
  run(context: RunContext, input: Input): Promise<Outcome>;
  /** Runs the call in test mode, without a provider. `sandbox-inputs.ts` selects the outcome. */
  sandbox(context: RunContext, input: Input): Promise<Outcome>;
  /** Null: configured; otherwise what to configure or to install, in words for operators. */
  missing(): Promise<string | null>;
  health(): Health;
  /** False: after a crash an expensive capability is not run again. Default: true. */
  readonly isRepeatable?: boolean;
  /** Steps of a job that survive a restart; without them `run` is one step. */
  readonly steps?: Steps<Input>;
};

export type StepContext = Pick<RunContext, 'world' | 'requestId' | 'signal'>;

/** A task at a provider. `taskId`: the provider's id of the task. */
export type Task = { readonly provider: string; readonly taskId: string };

export type TaskSearch =
  | { readonly kind: 'found'; readonly taskId: string }
  /** The provider's complete list of recent tasks does not contain the task. */
  | { readonly kind: 'absent' }
  /** Undecidable: there is no list, or several tasks match. */
  | { readonly kind: 'unclear' }
  /** This request to the provider failed. A later request may succeed. */
  | { readonly kind: 'missed' };

export type TaskStatus =
  | { readonly kind: 'queued' }
  | { readonly kind: 'running'; readonly progress: number | null }
  | Extract<Outcome, { kind: 'done' }>
  /** The task cannot succeed any more. */
  | { readonly kind: 'ended'; readonly failure: ProviderFailure }
  /** This poll failed. The task may still succeed. */
  | { readonly kind: 'missed'; readonly failure: ProviderFailure };

/** Background work of a provider. The steps keep no state. */
export type Steps<Input = unknown> = {
  /** In order of preference. */
  readonly providers: readonly string[];
  submit(
    context: StepContext,
    provider: string,
    input: Input,
  ): Promise<{ readonly kind: 'submitted'; readonly taskId: string } | ProviderFailure>;
  /** Maximum duration of a submission. */
  submitMs(provider: string): number;
  /** Searches for a task submitted at `since` (epoch ms) whose response was lost. */
  find(
    context: StepContext,
    provider: string,
    request: {
      readonly input: Input;
      readonly since: number;
      /** Returns the ids among `taskIds` that belong to known jobs. */
      readonly findUsedTaskIds: (taskIds: readonly string[]) => Promise<ReadonlySet<string>>;
    },
  ): Promise<TaskSearch>;
  /** `input`: the input of the submitted task. */
  check(context: StepContext, task: Task, input: Input): Promise<TaskStatus>;
  /** Cancels the task as far as possible. False: try again later. */
  cancel(context: StepContext, task: Task): Promise<boolean>;
};
