// The jobs of a gateway in a World whose time goes many times as fast, with the real adapters: what
// is polled every few seconds is polled at once, and the claims of the dead end soon.
import { acceptJob } from '../../src/gateway/calls/jobs/accept-job.ts';
import type { JobPoint } from '../../src/gateway/calls/jobs/job-parts.ts';
import { type Job, type Jobs, jobPath } from '../../src/gateway/calls/jobs/jobs.ts';
import { openJobs } from '../../src/gateway/calls/jobs/open-jobs.ts';
import { priceOf, shippedPrices } from '../../src/gateway/calls/prices.ts';
import { openMediaStore } from '../../src/gateway/capabilities/media/open-media-store.ts';
import { openCapabilities } from '../../src/gateway/capabilities/open-capabilities.ts';
import type { ProvidersConfig } from '../../src/gateway/capabilities/providers-config.ts';
import { openSwitches, providerWorld } from '../../src/gateway/capabilities/switches.ts';
import { openWallet } from '../../src/gateway/wallet/open-wallet.ts';
import { present } from '../../src/kernel/assert.ts';
import { pacedClock, runningClock } from '../../src/kernel/clock.ts';
import type { Db } from '../../src/kernel/db.ts';
import { timedIds } from '../../src/kernel/ids.ts';
import { openLog } from '../../src/kernel/log.ts';
import { openNet } from '../../src/kernel/net/open-net.ts';
import { systemRandom } from '../../src/kernel/random.ts';
import type { World } from '../../src/kernel/world.ts';
import { until } from './until.ts';

export type JobWish = {
  readonly capability: string;
  readonly input: unknown;
  readonly requestId: string;
  readonly livemode?: boolean;
};

export const jobsAccount = 'acc_jobs';

/** A World `laterMs` after the present, where time goes `speed` times as fast. */
export function hurriedWorld(laterMs: number, speed: number): World {
  const clock = pacedClock(runningClock().now() + laterMs);
  clock.run(speed);
  const random = systemRandom();
  const log = openLog({ level: 'silent', now: clock.now });
  // Requests take the time they take.
  const net = openNet({
    ...{ clock: runningClock(), privateHosts: [], politenessMs: 0 },
    userAgent: 'ContentRadar/test',
  });
  return { clock, random, ids: timedIds(clock, random), net, log };
}

export type HurriedJobs = {
  readonly jobs: Jobs;
  readonly media: ReturnType<typeof openMediaStore>;
  /** What the 202 says, or what the wallet has against it. */
  promise(wish: JobWish): Promise<string>;
  /** The job once it has ended. */
  ended(id: string, livemode?: boolean): Promise<Job>;
  close(): Promise<void>;
};

export async function openHurriedJobs(
  world: World,
  db: Db,
  given: {
    readonly providers: ProvidersConfig;
    readonly dataDir: string;
    readonly failpoint?: (point: JobPoint) => void | Promise<void>;
  },
): Promise<HurriedJobs> {
  const wallet = await openWallet(world, db);
  const place = { dataDir: given.dataDir, siteUrl: () => 'http://127.0.0.1:4100' };
  const media = openMediaStore(world, { kind: 'folder' }, place);
  const switches = openSwitches(world, db);
  const capabilities = openCapabilities(providerWorld(world, switches), given.providers, media);
  const { failpoint } = given;
  const options = {
    wallet,
    capabilities,
    switches,
    lifeMs: 3_600_000,
    ...(failpoint && { failpoint }),
  };
  const jobs = openJobs(world, db, options);
  return {
    ...{ jobs, media },
    promise: async ({ capability: id, input, requestId, livemode = true }) => {
      const capability = present(
        capabilities.find((one) => one.id === id),
        id,
      );
      const quote = capability.quote(capability.input.parse(input));
      const { sku, unit, quantity, increment } = quote;
      const answer = await acceptJob(
        { world, wallet, jobs },
        {
          request: { requestId, notes: {} },
          ...{ sent: input, increment, unitPrice: priceOf(shippedPrices, { sku, quantity: 1 }) },
          opening: {
            ...{ requestId, accountId: jobsAccount, livemode, keyId: 'key_jobs', capability: id },
            ...{
              sku,
              unit,
              quantity,
              priceVersion: 1,
              amount: priceOf(shippedPrices, quote),
              maxCharge: null,
            },
            ...{ budget: null, idempotency: null, quotas: { day: 1_000, month: 1_000 } },
          },
        },
      );
      if (!('status' in answer)) return answer.kind;
      return present(answer.location, 'location').slice(jobPath('').length);
    },
    ended: (id, livemode = true) =>
      until(async () => {
        const job = await jobs.find({ accountId: jobsAccount, livemode, id });
        return job === null || ['queued', 'running'].includes(job.status) ? null : job;
      }),
    close: async () => {
      await jobs.close();
      await wallet.close();
      await world.net.close();
    },
  };
}
