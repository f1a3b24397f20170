// Processes a job that a provider performs in the background: submit once, then poll until it ends.
//
// The submission is stored before the request. When the response is lost, the provider's task list
// is searched. The task is not submitted again while the first submission may still succeed.
//
// Source: the capability contract, "A restart loses no job and submits none twice".
import {
  advanceJob,
  findAssignedTasks,
  type JobWork,
} from '../../../store/gateway/gateway-jobs.ts';
import type {
  Capability,
  ProviderFailure,
  Steps,
  Task,
  TaskStatus,
} from '../../capabilities/capability.ts';
import { pollPauseMs } from '../../capabilities/poll-pause.ts';
import { upstreamError } from '../../capabilities/provider-failures.ts';
import { failureEnding, successEnding } from './complete-job.ts';
import {
  CLAIM_MS,
  type ClaimedJob,
  type JobDeps,
  type StepResult,
  stepResultAfterWrite,
} from './job-deps.ts';

/** A round offers the job to every provider. After this many rounds without success it fails. */
const MAX_ROUNDS = 8;
/** Consecutive polls whose request failed, or whose response was invalid, before the job fails. */
const MAX_FAILED_POLLS = 10;
/** Longest delay until a provider lists an accepted task. */
const LISTING_DELAY_MS = 2 * 60_000;
/** Time limit for clarifying an unknown submission with the provider. */
const UNKNOWN_SUBMISSION_MS = 10 * 60_000;
const RECHECK_MS = 10_000;

type WorkOfStep<S extends JobWork['step']> = Extract<JobWork, { step: S }>;

type JobStepContext = {
  readonly deps: JobDeps;
  readonly claimedJob: ClaimedJob;
  readonly steps: Steps;
  readonly input: unknown;
};

export function stepJob(
  deps: JobDeps,
  claimedJob: ClaimedJob,
  capability: Capability,
  steps: Steps,
): Promise<StepResult> {
  const { work, input } = claimedJob.job;
  const context: JobStepContext = {
    deps,
    claimedJob,
    steps,
    input: capability.input.parse(input),
  };
  switch (work.step) {
    case 'new':
      return submitTask(context, work);
    case 'asking':
      return findSubmittedTask(context, work);
    case 'asked':
      return checkTask(context, work);
  }
}

async function submitTask(
  context: JobStepContext,
  { tried, rounds }: WorkOfStep<'new'>,
): Promise<StepResult> {
  const { deps, steps, input } = context;
  const { world } = deps;
  const provider = steps.providers.find((name) => !tried.includes(name));
  if (provider === undefined) return failureResult(context, upstreamError('no provider is left'));
  const submittedAt = world.clock.now();
  const submitting: WorkOfStep<'asking'> = {
    step: 'asking',
    provider,
    at: submittedAt,
    tried,
    rounds,
  };
  const writeResult = await writeState(context, submitting);
  if (writeResult !== null) return writeResult;
  await deps.failpoint?.('asking');
  // A process whose claim may have expired must not submit the task.
  if (world.clock.now() - submittedAt >= CLAIM_MS) return { kind: 'lost' };
  // Not aborted on shutdown, because the response identifies the task.
  const submission = await steps.submit(
    contextOf(context, context.claimedJob.claimLost),
    provider,
    input,
  );
  await deps.failpoint?.('answered');
  if (submission.kind === 'submitted')
    return recordTask(context, { provider, taskId: submission.taskId });
  if (submission.mayHaveRun) {
    // The stored ending may contain only an unknown outcome; the log contains the provider's
    // response.
    const { id, request_id: requestId } = context.claimedJob.job;
    world.log.warn(
      { job: id, requestId, internal: submission.internal },
      'it is unknown whether the work started',
    );
    const requestEndedAt = world.clock.now();
    return (
      (await writeState(context, { ...submitting, endedAt: requestEndedAt })) ??
      laterResult(context, RECHECK_MS)
    );
  }
  const nowTried = [...tried, provider];
  if (steps.providers.some((name) => !nowTried.includes(name))) {
    const nextWork = { step: 'new', tried: nowTried, rounds } as const;
    return (await writeState(context, nextWork)) ?? laterResult(context, 0);
  }
  if (submission.code !== 'capability_unavailable') return failureResult(context, submission);
  return retryRound(context, rounds, submission);
}

/**
 * No provider has the job: all are busy or unreachable, or a submission without a response did not
 * start a task. After a pause the job is offered to all providers again.
 */
async function retryRound(
  context: JobStepContext,
  rounds: number,
  failure: ProviderFailure,
): Promise<StepResult> {
  if (rounds + 1 >= MAX_ROUNDS) return failureResult(context, failure);
  // Two seconds, doubled in each round, up to a minute.
  const pauseMs = Math.min(60_000, 2_000 * 2 ** rounds);
  const nextWork = { step: 'new', tried: [], rounds: rounds + 1 } as const;
  const waitMs = Math.max(pauseMs, (failure.retryAfterSeconds ?? 0) * 1000);
  return (await writeState(context, nextWork)) ?? laterResult(context, waitMs);
}

/** The result of the submission is unknown, so the provider's list is searched. */
async function findSubmittedTask(
  stepContext: JobStepContext,
  work: WorkOfStep<'asking'>,
): Promise<StepResult> {
  const { provider, at, rounds } = work;
  const { deps, claimedJob, steps, input } = stepContext;
  const { world, db } = deps;
  if (provider === null) return failureResult(stepContext, unknownSubmission('no provider'));
  const findUsedTaskIds = async (taskIds: readonly string[]) => {
    const takenIds = await findAssignedTasks(
      db,
      taskIds.map((taskId) => taskName({ provider, taskId })),
    );
    return new Set(taskIds.filter((taskId) => takenIds.has(taskName({ provider, taskId }))));
  };
  const context = contextOf(stepContext, claimedJob.stop);
  const search = await steps.find(context, provider, { input, since: at, findUsedTaskIds });
  const elapsedMs = world.clock.now() - at;
  switch (search.kind) {
    case 'found':
      return recordTask(stepContext, { provider, taskId: search.taskId });
    case 'missed':
      return elapsedMs > UNKNOWN_SUBMISSION_MS
        ? failureResult(stepContext, unknownSubmission(provider))
        : laterResult(stepContext, RECHECK_MS);
    case 'unclear':
      return failureResult(stepContext, unknownSubmission(provider));
    case 'absent': {
      // The submitting process may still run; its request ends within the request timeout.
      const requestEndsAt = work.endedAt ?? at + steps.submitMs(provider);
      const leftMs = requestEndsAt + LISTING_DELAY_MS - world.clock.now();
      if (leftMs > 0) return laterResult(stepContext, leftMs);
      return retryRound(stepContext, rounds, unknownSubmission(provider));
    }
  }
}

async function recordTask(context: JobStepContext, task: Task): Promise<StepResult> {
  const { world, db, failpoint } = context.deps;
  const now = world.clock.now();
  const work: WorkOfStep<'asked'> = { step: 'asked', ...task, polls: 0, misses: 0 };
  const claimed = context.claimedJob.claimed;
  const writeResult = await advanceJob(db, claimed, { now, work, task: taskName(task) });
  await failpoint?.('recorded');
  return stepResultAfterWrite(world, writeResult) ?? laterResult(context, pollPauseMs(0));
}

async function checkTask(context: JobStepContext, work: WorkOfStep<'asked'>): Promise<StepResult> {
  const { deps, claimedJob, steps } = context;
  const state = await steps.check(contextOf(context, claimedJob.stop), work, context.input);
  await deps.failpoint?.('checked');
  if (state.kind === 'done') {
    return { kind: 'ending', ending: successEnding(claimedJob.job, state) };
  }
  if (state.kind === 'ended') return failureResult(context, state.failure);
  const isFailed = state.kind === 'missed' && state.failure.code === 'upstream_error';
  // A poll that failed because the provider is paused or slow does not change `misses`.
  const misses = state.kind === 'missed' ? work.misses + Number(isFailed) : 0;
  if (isFailed && misses >= MAX_FAILED_POLLS) return failureResult(context, state.failure);
  const nextWork = { ...work, polls: work.polls + 1, misses };
  const writeResult = await writeState(context, nextWork, state);
  return writeResult ?? laterResult(context, pauseAfter(state, work.polls + 1));
}

function pauseAfter(state: TaskStatus, polls: number): number {
  const retryAfterMs = state.kind === 'missed' ? (state.failure.retryAfterSeconds ?? 0) * 1000 : 0;
  return Math.max(pollPauseMs(polls), retryAfterMs);
}

async function writeState(
  context: JobStepContext,
  work: JobWork,
  state?: TaskStatus,
): Promise<StepResult | null> {
  const { world, db } = context.deps;
  const { job, claimed } = context.claimedJob;
  const isRunning = state?.kind === 'running';
  const writeResult = await advanceJob(db, claimed, {
    now: world.clock.now(),
    work,
    ...(isRunning && { progress: state.progress ?? job.progress }),
    ...(isRunning && job.status !== 'running' && { status: 'running' as const }),
  });
  return stepResultAfterWrite(world, writeResult);
}

const contextOf = ({ deps, claimedJob }: JobStepContext, signal: AbortSignal) => {
  return { world: deps.world, requestId: claimedJob.job.request_id, signal };
};

const taskName = ({ provider, taskId }: Task) => `${provider} ${taskId}`;

const laterResult = ({ deps }: JobStepContext, ms: number): StepResult => {
  return { kind: 'later', dueAt: deps.world.clock.now() + ms };
};

const failureResult = (
  { deps, claimedJob }: JobStepContext,
  failure: ProviderFailure,
): StepResult => {
  return { kind: 'ending', ending: failureEnding(deps.world, claimedJob.job, failure) };
};

const unknownSubmission = (provider: string): ProviderFailure => ({
  ...upstreamError(`${provider}: it is unknown whether the task was started`),
  message:
    'It is unknown whether the provider started the work. The request was not repeated and not ' +
    'charged.',
});
