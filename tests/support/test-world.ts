// Defines a World for tests. Only the test moves its clock, its randomness has a fixed seed, its
// network may reach loopback, and a test can read its log.

import { timedIds } from '../../src/kernel/crypto/ids.ts';
import { seededRandom } from '../../src/kernel/crypto/random.ts';
import { openNet } from '../../src/kernel/net/open-net.ts';
import { openRobots, type Robots } from '../../src/kernel/net/robots.ts';
import { openLog } from '../../src/kernel/observability/log.ts';
import { type ManualClock, manualClock } from '../../src/kernel/time/clock.ts';
import type { World } from '../../src/kernel/world.ts';

export type TestWorld = {
  readonly world: World;
  readonly clock: ManualClock;
  readonly robots: Robots;
  /** Lines of the log. */
  readonly logged: string[];
};

export const TEST_NOW = Date.parse('2026-08-22T12:00:00.000Z');

export function testWorld(seed = 1, start = TEST_NOW): TestWorld {
  const clock = manualClock(start);
  const random = seededRandom(seed);
  const logged: string[] = [];
  const log = openLog({ level: 'debug', now: clock.now, write: (line) => logged.push(line) });
  const net = openNet({
    clock,
    privateHosts: ['127.0.0.1', 'localhost', '[::1]'],
    politenessMs: 0,
    userAgent: 'ContentRadar/test',
  });
  const world = { clock, random, ids: timedIds(clock, random), net, log };
  return { world, clock, robots: openRobots(net, clock, 'ContentRadar/test'), logged };
}
