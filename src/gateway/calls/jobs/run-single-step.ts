// Runs a job in the same way as a synchronous call: jobs of capabilities without steps, and all
// jobs in test mode. After a crash a repeatable capability runs again. A live capability with
// expensive side effects does not run again, because its first run may have succeeded.
import { Fault, messageOf } from '../../../kernel/errors/fault.ts';
import { advanceJob } from '../../../store/gateway/gateway-jobs.ts';
import type { Capability } from '../../capabilities/capability.ts';
import { upstreamError } from '../../capabilities/provider-failures.ts';
import { deadlineMsOf, type Hold, runOnHold } from '../run-on-hold.ts';
import { expiredFailure, failureEnding, successEnding } from './complete-job.ts';
import {
  type ClaimedJob,
  type JobDeps,
  type StepResult,
  stepResultAfterWrite,
} from './job-deps.ts';
import { readAllocations, toJobAllocations } from './stored-allocations.ts';

export async function runSingleStepJob(
  deps: JobDeps,
  claimedJob: ClaimedJob,
  capability: Capability,
): Promise<StepResult> {
  const { world, db } = deps;
  const { job, claimed, stop } = claimedJob;
  const now = world.clock.now();
  const isRepeatable = !job.livemode || capability.isRepeatable !== false;
  if (job.work.step === 'asking' && !isRepeatable) {
    return { kind: 'ending', ending: failureEnding(world, job, unknownOutcome) };
  }
  const work = { step: 'asking', provider: null, at: now, tried: [], rounds: 0 } as const;
  const writeResult = await advanceJob(db, claimed, { now, work, status: 'running' });
  const refusal = stepResultAfterWrite(world, writeResult);
  if (refusal !== null) return refusal;
  await deps.failpoint?.('asking');
  const hold = holdOf(claimedJob, capability);
  try {
    const runResult = await runOnHold(deps, hold, {
      timeoutMs: Math.min(deadlineMsOf(capability), job.expires_at - now),
      ...(isRepeatable && { signal: stop }),
      progress: openProgressWriter(deps, claimedJob),
    });
    const allocations = toJobAllocations(hold.allocations);
    await deps.failpoint?.('answered');
    return { kind: 'ending', ending: successEnding(job, runResult, allocations) };
  } catch (error) {
    if (stop.aborted && isRepeatable) return { kind: 'later', dueAt: now };
    if (world.clock.now() >= job.expires_at) return { kind: 'ending', ending: expiredFailure };
    if (!(error instanceof Fault)) {
      world.log.error(
        { job: job.id, error: messageOf(error) },
        'a job failed with an unexpected error',
      );
    }
    const failure = error instanceof Fault ? error : unexpectedFailure();
    return { kind: 'ending', ending: failureEnding(world, job, failure) };
  }
}

const unknownOutcome = {
  ...upstreamError('its process ended during the request to the provider'),
  message: 'It is not known what the provider did. Nothing was charged.',
};

const unexpectedFailure = () =>
  new Fault(
    'temporarily_unavailable',
    'The job failed unexpectedly and was not charged. Start a new job.',
    { retryAfterSeconds: 5 },
  );

function holdOf({ job }: ClaimedJob, capability: Capability): Hold {
  const { terms, allocations } = job;
  return {
    requestId: job.request_id,
    accountId: job.account_id,
    livemode: job.livemode,
    capability,
    input: capability.input.parse(job.input),
    unitPrice: BigInt(terms.unitPrice),
    maxCharge: terms.maxCharge === null ? null : BigInt(terms.maxCharge),
    allocations: readAllocations(allocations),
    isHeld: true,
  };
}

/** Writes the latest progress, one write at a time. Intermediate values may be lost. */
function openProgressWriter({ world, db }: JobDeps, { claimed, stop }: ClaimedJob) {
  let isWriting = false;
  return (share: number) => {
    if (isWriting || stop.aborted) return;
    isWriting = true;
    const progress = Math.min(1, Math.max(0, share));
    advanceJob(db, claimed, { now: world.clock.now(), progress })
      .catch((error) => world.log.debug({ error: messageOf(error) }, 'progress not written'))
      .finally(() => {
        isWriting = false;
      });
  };
}
