// Processes one claimed job: performs the due step and releases the job until it is due again.
import { messageOf } from '../../../kernel/errors/fault.ts';
import {
  advanceJob,
  decideEnding,
  deleteUnconfirmedJob,
  extendClaim,
  type JobEnding,
  releaseJob,
} from '../../../store/gateway/gateway-jobs.ts';
import { unavailable } from '../../capabilities/provider-failures.ts';
import { expiredFailure, failureEnding, finishJob } from './complete-job.ts';
import { CLAIM_MS, type ClaimedJob, type JobDeps, type StepResult } from './job-deps.ts';
import { runSingleStepJob } from './run-single-step.ts';
import { stepJob } from './step-job.ts';

/** Pause after an internal failure, such as an unavailable database. */
const RETRY_DELAY_MS = 5_000;
/** Pause before the next check of a job whose capability is switched off. */
const SWITCHED_OFF_RECHECK_MS = 2_000;
/** Pause and time limit for attempts to cancel the provider's task of an ended job. */
const CANCEL_RETRY_MS = 20_000;
const CANCEL_LIMIT_MS = 3 * 60_000;

export async function processJob(
  deps: JobDeps,
  claimedJob: Omit<ClaimedJob, 'stop' | 'claimLost'>,
  shutdown: AbortSignal,
): Promise<void> {
  const { world, db, failpoint } = deps;
  const { claimed, job } = claimedJob;
  const lostClaim = new AbortController();
  const finished = new AbortController();
  const stop = AbortSignal.any([shutdown, lostClaim.signal]);
  const claimExtension = extendClaimUntil(deps, claimedJob, finished.signal, () =>
    lostClaim.abort(),
  );
  try {
    await failpoint?.('claimed');
    const signals = { stop, claimLost: lostClaim.signal };
    const stepResult = await runDueStep(deps, { ...claimedJob, ...signals });
    await applyStepResult(deps, claimedJob, stepResult);
  } catch (error) {
    const isStopping = stop.aborted;
    if (!isStopping) {
      const fields = { job: job.id, error: messageOf(error) };
      world.log.error(fields, 'a step of a job failed; the job is retried');
    }
    const dueAt = world.clock.now() + (isStopping ? 0 : RETRY_DELAY_MS);
    // When this write also fails, the claim expires.
    await releaseJob(db, claimed, dueAt).catch(() => {});
  } finally {
    finished.abort();
    await claimExtension;
  }
}

/**
 * Extends the claim until `finished` is aborted. `onLost`: the claim has ended, so another process
 * may have the job.
 */
async function extendClaimUntil(
  { world, db }: JobDeps,
  { claimed }: Pick<ClaimedJob, 'claimed'>,
  finished: AbortSignal,
  onLost: () => void,
): Promise<void> {
  let claimUntil = world.clock.now() + CLAIM_MS;
  for (;;) {
    await world.clock.sleep(CLAIM_MS / 4, finished).catch(() => {});
    if (finished.aborted) return;
    const next = world.clock.now() + CLAIM_MS;
    const isStillClaimed = await extendClaim(db, claimed, next).catch(
      () => world.clock.now() < claimUntil,
    );
    if (!isStillClaimed) return onLost();
    claimUntil = next;
  }
}

async function runDueStep(deps: JobDeps, claimedJob: ClaimedJob): Promise<StepResult | null> {
  const { world, db, wallet, capabilities, switches } = deps;
  const { job } = claimedJob;
  if (job.status === 'accepting') {
    // The accepting process ended before it returned the 202, so no client received the job's id.
    await wallet.release({ requestId: job.request_id, status: 503, code: ABANDONED });
    await deleteUnconfirmedJob(db, job.id);
    return null;
  }
  if (job.ended_at !== null) return stopTask(deps, claimedJob);
  if (job.ending !== null) return { kind: 'ending', ending: job.ending };
  if (world.clock.now() >= job.expires_at) return { kind: 'ending', ending: expiredFailure };
  const capability = capabilities.find(({ id }) => id === job.capability);
  if (capability === undefined) {
    const failure = unavailable(`${job.capability} is not offered any more`, 30);
    return { kind: 'ending', ending: failureEnding(world, job, failure) };
  }
  await switches.refresh();
  if (switches.isOff('capability', capability.id)) {
    const recheckAt = world.clock.now() + SWITCHED_OFF_RECHECK_MS;
    return { kind: 'later', dueAt: Math.min(recheckAt, job.expires_at) };
  }
  const { steps } = capability;
  return job.livemode && steps !== undefined
    ? stepJob(deps, claimedJob, capability, steps)
    : runSingleStepJob(deps, claimedJob, capability);
}

const ABANDONED = 'temporarily_unavailable';

async function applyStepResult(
  deps: JobDeps,
  { job, claimed }: Pick<ClaimedJob, 'job' | 'claimed'>,
  stepResult: StepResult | null,
): Promise<void> {
  if (stepResult === null || stepResult.kind === 'lost') return;
  if (stepResult.kind === 'later') return releaseJob(deps.db, claimed, stepResult.dueAt);
  await markRunning(deps, { job, claimed }, stepResult.ending);
  const decidedJob =
    job.ending === null
      ? await decideEnding(deps.db, job.id, stepResult.ending, claimed.claim)
      : job;
  await deps.failpoint?.('decided');
  if (decidedJob === null) return;
  await finishJob(deps, decidedJob);
  const hasTaskToStop = decidedJob.work.step === 'asked' && decidedJob.ending?.kind !== 'succeeded';
  await releaseJob(deps.db, claimed, hasTaskToStop ? deps.world.clock.now() : null);
}

/**
 * A job must change from queued to running before it succeeds, even when no poll found it running.
 */
async function markRunning(
  { world, db }: JobDeps,
  { job, claimed }: Pick<ClaimedJob, 'job' | 'claimed'>,
  ending: JobEnding,
): Promise<void> {
  if (ending.kind !== 'succeeded' || job.status !== 'queued') return;
  await advanceJob(db, claimed, { now: world.clock.now(), status: 'running' });
}

/** Tries to cancel the provider's task of a job that has ended without the task's result. */
async function stopTask(
  { world, capabilities }: JobDeps,
  { job, stop }: ClaimedJob,
): Promise<StepResult | null> {
  const { work } = job;
  const steps = capabilities.find(({ id }) => id === job.capability)?.steps;
  const now = world.clock.now();
  const isStopped =
    work.step !== 'asked' ||
    steps === undefined ||
    (await steps.cancel({ world, requestId: job.request_id, signal: stop }, work));
  const isOver = isStopped || now - (job.ended_at ?? now) > CANCEL_LIMIT_MS;
  return { kind: 'later', dueAt: isOver ? null : now + CANCEL_RETRY_MS };
}
