// A process that assigns waiting items on each command, like one of several workers without
// coordination. It replies with one line per command.
import { createInterface } from 'node:readline';
import { timedIds } from '../../src/kernel/crypto/ids.ts';
import { systemRandom } from '../../src/kernel/crypto/random.ts';
import { openNet } from '../../src/kernel/net/open-net.ts';
import { openLog } from '../../src/kernel/observability/log.ts';
import { runningClock } from '../../src/kernel/time/clock.ts';
import { openStoryService } from '../../src/radar/stories/sync/story-service.ts';
import { openDb } from '../../src/store/platform/db.ts';
import { slowConnectOptions } from '../support/connect-timeout.ts';

const [connection = '', name = '', now = ''] = process.argv.slice(2);
const clock = runningClock(Number(now) - Date.now());
const random = systemRandom();
const log = openLog({ level: 'error', now: clock.now });
const net = openNet({ clock, privateHosts: [], politenessMs: 0, userAgent: 'ContentRadar/test' });
const world = { clock, random, ids: timedIds(clock, random), net, log };
const db = openDb(log, JSON.parse(connection), { applicationName: name, ...slowConnectOptions });
const service = openStoryService(world, db, { editorial: 'editorial' });

process.stdout.write('ready\n');
for await (const _line of createInterface({ input: process.stdin })) {
  const assignedCount = await service.assign(new AbortController().signal);
  process.stdout.write(`${JSON.stringify({ assigned: assignedCount })}\n`);
}
process.exit(0);
