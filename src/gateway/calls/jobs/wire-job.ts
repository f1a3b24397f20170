// Converts a job to its response body. Source: the capability contract, "Job".

import { codes } from '../../../kernel/errors/codes.ts';
import { toWireTime } from '../../../kernel/time/calendar.ts';
import { type Job, jobPath } from './jobs.ts';

export function toWireJob(job: Job) {
  return {
    id: job.id,
    capability: job.capability,
    // In the 202 response, a job that is being accepted has the status `queued`.
    status: job.status === 'accepting' ? 'queued' : job.status,
    created_at: toWireTime(job.createdAt),
    updated_at: toWireTime(job.updatedAt),
    progress: job.progress,
    result: job.result,
    ...(job.isResultExpired && { result_expired: true }),
    error: problemOf(job),
  };
}

/** The problem that a synchronous call would return (RFC 9457). */
function problemOf({ id, requestId, error }: Job): object | null {
  if (error === null) return null;
  const knownCode = Object.hasOwn(codes, error.code) ? (error.code as keyof typeof codes) : null;
  const { status, title } = codes[knownCode ?? 'temporarily_unavailable'];
  const { retryAfterSeconds } = error;
  return {
    type: `/problems/${error.code.replaceAll('_', '-')}`,
    title,
    status,
    detail: error.message,
    instance: jobPath(id),
    code: error.code,
    request_id: requestId,
    ...(retryAfterSeconds !== undefined && { retry_after: retryAfterSeconds }),
    ...error.members,
  };
}
