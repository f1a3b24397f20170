// Jobs of a disabled capability wait until it is enabled again.
import { afterAll, expect, test } from 'vitest';
import { acceptJob } from '../../src/gateway/calls/jobs/accept-job.ts';
import { openJobs } from '../../src/gateway/calls/jobs/open-jobs.ts';
import { priceOf, shippedPrices } from '../../src/gateway/calls/prices.ts';
import type { Capability } from '../../src/gateway/capabilities/capability.ts';
import { openSwitches, setSwitch } from '../../src/gateway/capabilities/switches.ts';
import { openWallet } from '../../src/gateway/wallet/ledger/open-wallet.ts';
import { testCapability } from '../support/test-capability.ts';
import { openTestDatabase } from '../support/test-database.ts';
import { testWorld } from '../support/test-world.ts';
import { until } from '../support/until.ts';

const { world, clock } = testWorld();
const { db } = await openTestDatabase();
const paidCapability = testCapability({ id: 'paid', sku: 'social_data' });
const wallet = await openWallet(world, db);
/** The first attempt of the job fails, so the job waits before its second attempt. */
let failures = 0;
const jobs = openJobs(world, db, {
  wallet,
  capabilities: [paidCapability.capability as Capability],
  lifeMs: 3_600_000,
  switches: openSwitches(world, db),
  failpoint: (point) => {
    if (point !== 'claimed' || failures > 0) return;
    failures += 1;
    throw new Error('the first attempt fails');
  },
});
afterAll(async () => {
  await jobs.close();
  await wallet.close();
});

const owner = { accountId: 'acct_one', livemode: true };

test('a job waits while its capability is off, and runs once when it is on', async () => {
  const quote = { sku: 'social_data', quantity: 1 } as const;
  const accepted = await acceptJob(
    { world, wallet, jobs },
    {
      request: { requestId: 'req_one', knownLimits: {} },
      sentInput: { text: 'later' },
      increment: 'call',
      unitPrice: priceOf(shippedPrices, quote),
      authorizeRequest: {
        ...owner,
        requestId: 'req_one',
        keyId: 'key_one',
        capability: 'paid',
        ...quote,
        unit: 'per_call',
        priceVersion: 1,
        amount: priceOf(shippedPrices, quote),
        maxCharge: null,
        budget: null,
        idempotency: null,
        quotas: { day: 9, month: 9 },
      },
    },
  );
  const id = ('location' in accepted && accepted.location?.split('/').at(-1)) || '';
  const readStatus = async () => (await jobs.find({ ...owner, id }))?.status;
  await until(async () => failures > 0 || null);
  const change = { kind: 'capability', name: 'paid', reason: 'x', actor: 'Ada' } as const;
  await setSwitch(world, db, { ...change, isOff: true, version: 0 });
  const advanceSeconds = async (seconds: number) => {
    for (let second = 0; second < seconds; second += 1) {
      clock.advance(1_000);
      // Lets the poller for due jobs run.
      await jobs.find({ ...owner, id });
      await jobs.find({ ...owner, id });
    }
  };
  await advanceSeconds(30);
  expect([await readStatus(), paidCapability.runs]).toEqual(['queued', []]);
  await setSwitch(world, db, { ...change, isOff: false, version: 1 });
  await until(async () => {
    await advanceSeconds(1);
    return (await readStatus()) === 'succeeded' || null;
  });
  expect(paidCapability.runs).toEqual(['later']);
});
