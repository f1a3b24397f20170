// GET /api/v1/jobs lists jobs; GET and DELETE /api/v1/jobs/{id} read and cancel a job. Any key of
// the account and mode can read a job, immediately or at its next state change. Only a key that may
// call the capability can cancel a job.

import { z } from 'zod';
import { Fault } from '../../../kernel/errors/fault.ts';
import { wholeNumber, wholeNumberWithin } from '../../../kernel/http/whole-number.ts';
import type { Job } from '../../calls/jobs/jobs.ts';
import { toWireJob } from '../../calls/jobs/wire-job.ts';
import { requireKeyForCapability } from '../../calls/make-call.ts';
import type { Key } from '../../keys/key.ts';
import type { GatewayContext } from '../context.ts';
import { type ApiRequest, type GatewayResponse, privateJson } from '../http-response.ts';
import { noParameters, readQuery } from '../read-query.ts';
import { admitReader } from './admit-reader.ts';

export const jobQuery = z.strictObject({ wait: wholeNumberWithin(1, 60).optional() });

export async function handleJob(
  context: GatewayContext,
  request: ApiRequest,
): Promise<GatewayResponse> {
  const { key } = await admitReader(context, request);
  const { wait = 0 } = readQuery(request.query, jobQuery);
  const job = await findJob(context, request, key);
  const isOver = !['queued', 'running'].includes(job.status);
  if (wait === 0 || isOver) return privateJson(toWireJob(job));
  await context.calls.jobs.awaitChange(job, wait * 1000);
  return privateJson(toWireJob(await findJob(context, request, key)));
}

export const jobsQuery = z.strictObject({
  cursor: z.string().min(1).max(200).optional(),
  limit: wholeNumber(1, 100, 20),
});

export async function handleJobs(
  context: GatewayContext,
  request: ApiRequest,
): Promise<GatewayResponse> {
  const { accountId, livemode } = (await admitReader(context, request)).key;
  const { cursor = null, limit } = readQuery(request.query, jobsQuery);
  const page = await context.calls.jobs.list({ accountId, livemode, cursor, limit });
  if (page === null) {
    throw new Fault(
      'invalid_request',
      'The query parameter "cursor" is invalid: send next_cursor unchanged.',
    );
  }
  return privateJson({
    jobs: page.jobs.map(toWireJob),
    has_more: page.nextCursor !== null,
    next_cursor: page.nextCursor,
  });
}

export async function cancelJob(
  context: GatewayContext,
  request: ApiRequest,
): Promise<GatewayResponse> {
  const { key } = await admitReader(context, request);
  readQuery(request.query, noParameters);
  const job = await findJob(context, request, key);
  const capability = context.capabilities.find(({ id }) => id === job.capability);
  if (capability !== undefined) requireKeyForCapability(key, capability);
  await context.calls.jobs.cancel(job.id);
  return privateJson(toWireJob(await findJob(context, request, key)));
}

async function findJob({ calls }: GatewayContext, { params }: ApiRequest, key: Key): Promise<Job> {
  const { accountId, livemode } = key;
  const job = await calls.jobs.find({ accountId, livemode, id: params.id ?? '' });
  if (job === null) throw new Fault('not_found', 'There is no such job.');
  return job;
}
