// A process that accepts and processes one job of a gateway. The test kills it with -9 at a given
// point.
import { providersSchema } from '../../src/gateway/capabilities/providers-config.ts';
import { openDb } from '../../src/store/platform/db.ts';
import { acceleratedWorld, openAcceleratedJobs } from '../support/accelerated-jobs.ts';
import { slowConnectOptions } from '../support/connect-timeout.ts';

const [connection = '', providers = '', dataDir = '', point = '', job = ''] = process.argv.slice(2);
const world = acceleratedWorld(0, 20);
const db = openDb(world.log, JSON.parse(connection), {
  applicationName: 'radar test jobs',
  ...slowConnectOptions,
});
const { acceptJob: startJob } = await openAcceleratedJobs(world, db, {
  providers: providersSchema.parse(JSON.parse(providers)),
  dataDir,
  failpoint: async (reachedPoint) => {
    if (reachedPoint !== point) return;
    process.kill(process.pid, 'SIGKILL');
    await new Promise(() => {});
  },
});
await startJob(JSON.parse(job));
