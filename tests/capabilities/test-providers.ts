// Opens the demonstration's upstream servers, for tests of capabilities over real HTTP. The tests
// get a World with a running clock, and contexts that record adjusted holds and progress.
import { openUpstream, type Upstream } from '../../demo/upstream/open-upstream.ts';
import type { Outcome, RunContext } from '../../src/gateway/capabilities/capability.ts';
import {
  type ProvidersConfig,
  providersSchema,
} from '../../src/gateway/capabilities/providers-config.ts';
import { timedIds } from '../../src/kernel/crypto/ids.ts';
import { seededRandom } from '../../src/kernel/crypto/random.ts';
import { openNet } from '../../src/kernel/net/open-net.ts';
import { openLog } from '../../src/kernel/observability/log.ts';
import { runningClock } from '../../src/kernel/time/clock.ts';
import type { World } from '../../src/kernel/world.ts';

export type TestProviders = {
  readonly world: World;
  readonly upstream: Upstream;
  /** The upstream's configuration, with changes. */
  config(changes?: Partial<Record<keyof ProvidersConfig, unknown>>): ProvidersConfig;
  close(): Promise<void>;
};

/** Only the private addresses of the configuration are permitted. */
export async function openTestProviders(): Promise<TestProviders> {
  const clock = runningClock();
  const random = seededRandom(7);
  const log = openLog({ level: 'silent', now: clock.now });
  const net = openNet({ clock, privateHosts: [], politenessMs: 0, userAgent: 'ContentRadar/test' });
  const world: World = { clock, random, ids: timedIds(clock, random), net, log };
  const upstream = await openUpstream();
  return {
    world,
    upstream,
    config: (changes = {}) => providersSchema.parse({ ...upstream.config, ...changes }),
    close: async () => {
      await net.close();
      await upstream.close();
    },
  };
}

export type TestCall = {
  readonly context: RunContext;
  readonly adjustedQuantities: number[];
  readonly progress: number[];
};

export function testCall(world: World, changes: Partial<RunContext> = {}): TestCall {
  const adjustedQuantities: number[] = [];
  const progress: number[] = [];
  return {
    adjustedQuantities,
    progress,
    context: {
      world,
      requestId: 'req_test',
      accountId: 'acct_test',
      livemode: true,
      signal: new AbortController().signal,
      adjustHold: async (quantity) => {
        adjustedQuantities.push(quantity);
        return 'held';
      },
      progress: (share) => progress.push(share),
      ...changes,
    },
  };
}

/** The data of a completed call. */
export function dataOf(outcome: Outcome): Readonly<Record<string, unknown>> {
  if (outcome.kind !== 'done') throw new Error(`not done: ${JSON.stringify(outcome)}`);
  return outcome.data as Readonly<Record<string, unknown>>;
}
