// Opens the jobs of a gateway in a World with accelerated time and the real adapters. A poll
// interval of seconds passes at once, and claims of dead processes end soon.
import { acceptJob } from '../../src/gateway/calls/jobs/accept-job.ts';
import type { JobPoint } from '../../src/gateway/calls/jobs/job-deps.ts';
import { type Job, type Jobs, jobPath } from '../../src/gateway/calls/jobs/jobs.ts';
import { openJobs } from '../../src/gateway/calls/jobs/open-jobs.ts';
import { priceOf, shippedPrices } from '../../src/gateway/calls/prices.ts';
import { openMediaStore } from '../../src/gateway/capabilities/media/open-media-store.ts';
import { openCapabilities } from '../../src/gateway/capabilities/open-capabilities.ts';
import type { ProvidersConfig } from '../../src/gateway/capabilities/providers-config.ts';
import { openSwitches, providerWorld } from '../../src/gateway/capabilities/switches.ts';
import { openWallet } from '../../src/gateway/wallet/ledger/open-wallet.ts';
import { timedIds } from '../../src/kernel/crypto/ids.ts';
import { systemRandom } from '../../src/kernel/crypto/random.ts';
import { requirePresent } from '../../src/kernel/errors/assert.ts';
import { openNet } from '../../src/kernel/net/open-net.ts';
import { openLog } from '../../src/kernel/observability/log.ts';
import type { Db } from '../../src/kernel/ports/db.ts';
import { type Clock, replayClock, runningClock } from '../../src/kernel/time/clock.ts';
import type { World } from '../../src/kernel/world.ts';
import { until } from './until.ts';

export type JobInput = {
  readonly capability: string;
  readonly input: unknown;
  readonly requestId: string;
  readonly livemode?: boolean;
};

export const jobsAccount = 'acc_jobs';

/**
 * Time runs `speed` times as fast. It stops during actions whose time limit would be too short on a
 * busy machine.
 */
type AcceleratedClock = Clock & { withStoppedClock<T>(work: () => Promise<T>): Promise<T> };

export type AcceleratedWorld = World & { readonly clock: AcceleratedClock };

function acceleratedClock(start: number, speed: number): AcceleratedClock {
  const { now, set, run } = replayClock(start);
  run(speed);
  let stopCount = 0;
  return {
    now,
    // Timers also run while the clock is stopped, so that pollers continue.
    sleep: (ms, signal) => runningClock().sleep(ms / speed, signal),
    withStoppedClock: async (work) => {
      stopCount += 1;
      set(now());
      try {
        return await work();
      } finally {
        stopCount -= 1;
        if (stopCount === 0) run(speed);
      }
    },
  };
}

/** A World `laterMs` after the present, in which time runs `speed` times as fast. */
export function acceleratedWorld(laterMs: number, speed: number): AcceleratedWorld {
  const clock = acceleratedClock(runningClock().now() + laterMs, speed);
  const random = systemRandom();
  const log = openLog({ level: 'silent', now: clock.now });
  // Requests take real time.
  const net = openNet({
    clock: runningClock(),
    privateHosts: [],
    politenessMs: 0,
    userAgent: 'ContentRadar/test',
  });
  return { clock, random, ids: timedIds(clock, random), net, log };
}

/** Speed of the clock that several concurrent processes share. */
const SHARED_SPEED = 15;
/**
 * Video providers use the machine's clock. The accelerated clock stays behind the machine's clock
 * for the first eight minutes.
 */
const BEHIND_MS = 7_200_000;

/**
 * For processes with a shared clock: `begunAt` is a time of the machine's clock, the same for all
 * processes.
 */
export function sharedWorld(begunAt: number): AcceleratedWorld {
  const sinceMs = runningClock().now() - begunAt;
  return acceleratedWorld(sinceMs * (SHARED_SPEED - 1) - BEHIND_MS, SHARED_SPEED);
}

export type AcceleratedJobs = {
  readonly jobs: Jobs;
  readonly media: ReturnType<typeof openMediaStore>;
  /** Returns the job's id, or the kind of the refusal. */
  acceptJob(job: JobInput): Promise<string>;
  /** The job after its end. */
  waitForEnd(id: string, livemode?: boolean): Promise<Job>;
  close(): Promise<void>;
};

export async function openAcceleratedJobs(
  world: AcceleratedWorld,
  db: Db,
  overrides: {
    readonly providers: ProvidersConfig;
    readonly dataDir: string;
    readonly failpoint?: (point: JobPoint) => void | Promise<void>;
  },
): Promise<AcceleratedJobs> {
  const wallet = await openWallet(world, db);
  const storeOptions = { dataDir: overrides.dataDir, siteUrl: () => 'http://127.0.0.1:4100' };
  const media = openMediaStore(world, { kind: 'folder' }, storeOptions);
  const switches = openSwitches(world, db);
  const capabilities = openCapabilities(providerWorld(world, switches), overrides.providers, media);
  const { failpoint } = overrides;
  const options = {
    wallet,
    capabilities,
    switches,
    lifeMs: 3_600_000,
    ...(failpoint && { failpoint }),
  };
  const jobs = openJobs(world, db, options);
  return {
    jobs,
    media,
    acceptJob: async ({ capability: id, input, requestId, livemode = true }) => {
      const capability = requirePresent(
        capabilities.find((capability) => capability.id === id),
        id,
      );
      const quote = capability.quote(capability.input.parse(input));
      const { sku, unit, quantity, increment } = quote;
      const request = {
        request: { requestId, knownLimits: {} },
        sentInput: input,
        increment,
        unitPrice: priceOf(shippedPrices, { sku, quantity: 1 }),
        authorizeRequest: {
          requestId,
          accountId: jobsAccount,
          livemode,
          keyId: 'key_jobs',
          capability: id,
          sku,
          unit,
          quantity,
          priceVersion: 1,
          amount: priceOf(shippedPrices, quote),
          maxCharge: null,
          budget: null,
          idempotency: null,
          quotas: { day: 1_000, month: 1_000 },
        },
      };
      // acceptJob fails after a minute of the World's clock, which is too short when accelerated.
      const response = await world.clock.withStoppedClock(() =>
        acceptJob({ world, wallet, jobs }, request),
      );
      if (!('status' in response)) return response.kind;
      return requirePresent(response.location, 'location').slice(jobPath('').length);
    },
    waitForEnd: (id, livemode = true) =>
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
