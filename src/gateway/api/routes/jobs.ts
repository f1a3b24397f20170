// GET and DELETE /api/v1/jobs/{id}: how a job stands, to any key of its account and mode, at once
// or when its state changes; and called off, by a key that could have asked for it.
import { z } from 'zod';
import { Fault } from '../../../kernel/errors/fault.ts';
import type { Job } from '../../calls/jobs/jobs.ts';
import { wireJob } from '../../calls/jobs/wire-job.ts';
import { refuseOtherKeys } from '../../calls/make-call.ts';
import type { Key } from '../../keys/key.ts';
import type { GatewayContext } from '../context.ts';
import { type Answer, type Asked, privateJson } from '../http-response.ts';
import { noParameters, readQuery, wholeNumberWithin } from '../read-query.ts';
import { admitReader } from './admit-reader.ts';

export const jobQuery = z.strictObject({ wait: wholeNumberWithin(1, 60).optional() });

export async function answerJob(context: GatewayContext, asked: Asked): Promise<Answer> {
  const { key } = await admitReader(context, asked);
  const { wait = 0 } = readQuery(asked.query, jobQuery);
  const job = await findJob(context, asked, key);
  const isOver = !['queued', 'running'].includes(job.status);
  if (wait === 0 || isOver) return privateJson(wireJob(job));
  await context.calls.jobs.awaitChange(job, wait * 1000);
  return privateJson(wireJob(await findJob(context, asked, key)));
}

export async function cancelJob(context: GatewayContext, asked: Asked): Promise<Answer> {
  const { key } = await admitReader(context, asked);
  readQuery(asked.query, noParameters);
  const job = await findJob(context, asked, key);
  const capability = context.capabilities.find(({ id }) => id === job.capability);
  if (capability !== undefined) refuseOtherKeys(key, capability);
  await context.calls.jobs.cancel(job.id);
  return privateJson(wireJob(await findJob(context, asked, key)));
}

async function findJob({ calls }: GatewayContext, { params }: Asked, key: Key): Promise<Job> {
  const { accountId, livemode } = key;
  const job = await calls.jobs.find({ accountId, livemode, id: params.id ?? '' });
  if (job === null) throw new Fault('not_found', 'There is no such job.');
  return job;
}
