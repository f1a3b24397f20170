// Completes a job whose ending is stored in its row: captures or releases the hold, then publishes
// the result. Each step is idempotent, so a repetition after a crash has no further effect.
import { codes } from '../../../kernel/errors/codes.ts';
import { Fault } from '../../../kernel/errors/fault.ts';
import type { World } from '../../../kernel/world.ts';
import {
  endJob,
  type JobEnd,
  type JobEnding,
  type JobError,
  type JobRow,
} from '../../../store/gateway/gateway-jobs.ts';
import type { ProviderFailure } from '../../capabilities/capability.ts';
import { splitCharge } from '../../wallet/ledger/allocate-capture.ts';
import { chargeOf } from '../envelope.ts';
import { providerFault } from '../refusals.ts';
import type { EndedJob, JobDeps } from './job-deps.ts';
import { jobPath } from './jobs.ts';
import { readAllocations } from './stored-allocations.ts';

export const JSON_TYPE = 'application/json; charset=utf-8';
/** The status that the client received, regardless of the job's ending. */
const ACCEPTED_STATUS = 202;

/** Does nothing for a job without an ending. Can run concurrently, and again after a crash. */
export async function finishJob(deps: JobDeps, job: JobRow): Promise<void> {
  const { world, db, wallet, failpoint } = deps;
  const { ending, request_id: requestId } = job;
  if (ending === null || job.ended_at !== null) return;
  const resolution = await resolveHold(wallet, job, ending);
  await failpoint?.('resolved');
  const now = world.clock.now();
  // A task that the provider still runs is no longer needed, so it is canceled at once.
  const hasRunningTask = job.work.step === 'asked' && resolution.status !== 'succeeded';
  const end = { ...resolution, now, dueAt: hasRunningTask ? now : null };
  await endJob(db, job.id, end, async (tx) => deps.onEnd?.(tx, endedJob(job, end)));
  await failpoint?.('ended');
  const { capability } = job;
  world.log.info({ job: job.id, requestId, capability, status: resolution.status }, 'job ended');
}

function endedJob(job: JobRow, { status, now }: Pick<JobEnd, 'status' | 'now'>): EndedJob {
  const { id, request_id: requestId, account_id: accountId, livemode, capability } = job;
  return { id, requestId, accountId, livemode, capability, status, path: jobPath(id), now };
}

async function resolveHold(
  { capture, release }: JobDeps['wallet'],
  job: JobRow,
  ending: JobEnding,
) {
  const requestId = job.request_id;
  if (ending.kind === 'succeeded') {
    const captureResult = await capture({
      requestId,
      status: ACCEPTED_STATUS,
      contentType: JSON_TYPE,
      captured: BigInt(ending.captured),
      usage: ending.usage as object,
      body: Buffer.from(ending.body),
    });
    if (captureResult.kind === 'captured') {
      return { status: 'succeeded', result: ending.result, error: null } as const;
    }
    // Recovery has released the hold, because the job was idle for longer than its lifetime.
    return { status: 'expired', result: null, error: lateFailure } as const;
  }
  const error = ending.kind === 'canceled' ? null : ending.error;
  await release({ requestId, status: ACCEPTED_STATUS, code: error?.code ?? 'canceled' });
  return { status: ending.kind, result: null, error } as const;
}

const lateFailure: JobError = {
  code: 'upstream_timeout',
  message: 'The job was not finished in time. Nothing was charged.',
};

export const expiredFailure: JobEnding = { kind: 'expired', error: lateFailure };

/**
 * The ending of a successful job: its result, its charge and its stored response, which is the 202
 * with the final charge.
 */
export function successEnding(
  job: JobRow,
  { data, quantity }: { readonly data: object; readonly quantity: number },
  allocations: JobRow['allocations'] = job.allocations,
): JobEnding {
  const { unit, increment, unitPrice } = job.terms;
  const captured = BigInt(unitPrice) * BigInt(quantity);
  const usage = { unit, quantity, increment };
  const parsedAllocations = readAllocations(allocations);
  const acceptedBody = JSON.parse(job.accepted ?? '{}') as object;
  const body = JSON.stringify({
    ...acceptedBody,
    usage,
    charge: chargeOf(splitCharge(parsedAllocations, captured)),
  });
  return { kind: 'succeeded', result: data, captured: String(captured), usage, body };
}

export function failureEnding(
  world: World,
  job: JobRow,
  failure: ProviderFailure | Fault,
): JobEnding {
  const fault = failure instanceof Fault ? failure : providerFault(failure);
  const { code, message, internal, retryAfterSeconds, members } = fault;
  const fields = { job: job.id, requestId: job.request_id, code, internal };
  if (codes[code].status >= 500) world.log.warn(fields, 'job failed');
  return {
    kind: 'failed',
    error: {
      code,
      message,
      ...(typeof retryAfterSeconds === 'number' && { retryAfterSeconds }),
      ...(Object.keys(members).length > 0 && { members }),
    },
  };
}
