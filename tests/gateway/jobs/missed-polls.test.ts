// Polls of a provider's task without a usable response, and how many of these end the job.
import { afterAll, expect, test } from 'vitest';
import type { JobDeps } from '../../../src/gateway/calls/jobs/job-deps.ts';
import { stepJob } from '../../../src/gateway/calls/jobs/step-job.ts';
import type { Steps, TaskStatus } from '../../../src/gateway/capabilities/capability.ts';
import { unavailable, upstreamError } from '../../../src/gateway/capabilities/provider-failures.ts';
import { openSwitches } from '../../../src/gateway/capabilities/switches.ts';
import { openWallet } from '../../../src/gateway/wallet/ledger/open-wallet.ts';
import { requirePresent } from '../../../src/kernel/errors/assert.ts';
import { HOUR_MS, MINUTE_MS } from '../../../src/kernel/time/durations.ts';
import {
  advanceJob,
  claimJobs,
  confirmJob,
  findJobRow,
  insertJob,
} from '../../../src/store/gateway/gateway-jobs.ts';
import { testCapability } from '../../support/test-capability.ts';
import { openTestDatabase } from '../../support/test-database.ts';
import { testWorld } from '../../support/test-world.ts';

const { world, clock } = testWorld();
const { db } = await openTestDatabase();
const wallet = await openWallet(world, db);
afterAll(() => wallet.close());
const { capability } = testCapability({ id: 'paid', sku: null });
const accountId = 'acct_polls';
const switches = openSwitches(world, db);

/** Polls a task as often as there are statuses. Returns the kind of each step's result. */
async function pollTask(statuses: readonly TaskStatus[]): Promise<readonly string[]> {
  const owner = { accountId, livemode: true };
  const id = `job_${world.ids.next()}`;
  const now = clock.now();
  await insertJob(db, {
    ...owner,
    id,
    requestId: `req_${world.ids.next()}`,
    capability: capability.id,
    input: { text: 'a video' },
    terms: { sku: null, unit: 'per_call', increment: 'call', unitPrice: '0', maxCharge: null },
    idempotency: null,
    now,
    expiresAt: now + HOUR_MS,
    dueAt: now,
  });
  await confirmJob(db, id, { body: '{}', allocations: [], now });
  const claimed = { id, claim: id };
  await claimJobs(db, { now, until: now + MINUTE_MS, claim: id, max: 1 });
  const work = { step: 'asked', provider: 'p', taskId: id, polls: 0, misses: 0 } as const;
  await advanceJob(db, claimed, { now, work, task: id });
  const remaining = [...statuses];
  const steps: Pick<Steps, 'check'> = {
    check: async () => requirePresent(remaining.shift(), 'a status'),
  };
  const deps: JobDeps = { world, db, wallet, switches, capabilities: [capability] };
  const signal = new AbortController().signal;
  const resultKinds: string[] = [];
  while (remaining.length > 0) {
    const job = requirePresent(await findJobRow(db, owner, 'id', id), id);
    const claimedJob = { job, claimed, stop: signal, claimLost: signal };
    resultKinds.push((await stepJob(deps, claimedJob, capability, steps as Steps)).kind);
  }
  return resultKinds;
}

const busyPoll: TaskStatus = { kind: 'missed', failure: unavailable('busy', 1) };
const invalidPoll: TaskStatus = { kind: 'missed', failure: upstreamError('no JSON') };
const repeat = (status: TaskStatus, count: number) => Array.from({ length: count }, () => status);

test('ten consecutive invalid responses end the job', async () => {
  const kinds = await pollTask(repeat(invalidPoll, 10));
  expect(kinds).toEqual([...Array.from({ length: 9 }, () => 'later'), 'ending']);
});

test('polls of an unavailable provider do not count as invalid responses', async () => {
  const statuses = [...repeat(busyPoll, 20), ...repeat(invalidPoll, 9), busyPoll];
  expect(new Set(await pollTask(statuses))).toEqual(new Set(['later']));
  expect((await pollTask([...statuses, invalidPoll])).at(-1)).toBe('ending');
});

test('a valid response between invalid responses starts the count again', async () => {
  const statuses = [...repeat(invalidPoll, 9), { kind: 'queued' } as const];
  expect(new Set(await pollTask([...statuses, ...statuses]))).toEqual(new Set(['later']));
});
