// Turns a call into a job: stores the job, authorizes its price with the idempotency key, and
// returns a 202. If the process ends before it has accepted the job, a worker later releases the
// hold.
import { Fault } from '../../../kernel/errors/fault.ts';
import { splitCharge } from '../../wallet/ledger/allocate-capture.ts';
import type { AuthorizeRequest, AuthorizeResult } from '../../wallet/ledger/wallet.ts';
import type { CallDeps, CallRequest, CallResponse } from '../call.ts';
import { envelopeOf } from '../envelope.ts';
import { releaseHold } from '../run-on-hold.ts';
import { JSON_TYPE } from './complete-job.ts';
import { jobPath } from './jobs.ts';
import { toWireJob } from './wire-job.ts';

/** Time after a job's deadline before recovery resolves its hold. */
const RECOVERY_DELAY_MS = 15 * 60_000;

export type JobRequest = {
  readonly request: Pick<CallRequest, 'requestId' | 'knownLimits'>;
  /** The input as sent, without `max_charge` and without members that are null. */
  readonly sentInput: unknown;
  readonly authorizeRequest: Omit<AuthorizeRequest, 'deadlineAt'>;
  readonly increment: 'call' | 'second';
  readonly unitPrice: bigint;
};

/** Returns the wallet's refusal, if the wallet refuses the hold. */
export async function acceptJob(
  { world, wallet, jobs }: Pick<CallDeps, 'world' | 'wallet' | 'jobs'>,
  { request, sentInput, authorizeRequest, increment, unitPrice }: JobRequest,
): Promise<CallResponse | Exclude<AuthorizeResult, { kind: 'authorized' }>> {
  const { requestId } = request;
  const { accountId, livemode, capability, idempotency, sku, quantity, maxCharge } =
    authorizeRequest;
  const unit: 'per_call' | 'per_minute' =
    authorizeRequest.unit === 'per_minute' ? 'per_minute' : 'per_call';
  const job = await jobs.begin({
    requestId,
    accountId,
    livemode,
    capability,
    idempotency,
    input: sentInput,
    terms: {
      sku,
      unit,
      increment,
      unitPrice: String(unitPrice),
      maxCharge: maxCharge === null ? null : String(maxCharge),
    },
  });
  const deadlineAt = job.createdAt + jobs.lifeMs + RECOVERY_DELAY_MS;
  const authorization = await wallet.authorize({ ...authorizeRequest, deadlineAt });
  if ('quotas' in authorization) request.knownLimits.quotaUse = authorization.quotas;
  if (authorization.kind !== 'authorized') {
    await jobs.drop(job.id);
    return authorization;
  }
  const usage = { unit, quantity, increment };
  const split = splitCharge(authorization.allocations, authorizeRequest.amount);
  const body = envelopeOf({ requestId, livemode, data: toWireJob(job), usage, split });
  try {
    const isAccepted = await jobs.accept(job.id, body.toString(), authorization.allocations);
    if (!isAccepted) throw abandonedFault();
  } catch (error) {
    // After a database error it is unknown whether the job was accepted. A worker then resolves the
    // job's hold.
    if (!(error instanceof Fault)) throw error;
    await releaseHold({ world, wallet }, requestId, error);
    throw error;
  }
  const location = jobPath(job.id);
  return { status: 202, contentType: JSON_TYPE, body, location, isReplay: false };
}

const abandonedFault = () =>
  new Fault('temporarily_unavailable', 'The job could not be accepted in time. Try again.', {
    internal: 'accepting the job took longer than its time limit',
    retryAfterSeconds: 1,
  });
