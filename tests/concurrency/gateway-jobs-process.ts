// A process with a gateway's jobs. It accepts one job and processes it up to a given point, where
// it is killed -9.
import { providersSchema } from '../../src/gateway/capabilities/providers-config.ts';
import { openDb } from '../../src/store/platform/db.ts';
import { slowConnectOptions } from '../support/connect-timeout.ts';
import { acceleratedWorld, openHurriedJobs } from '../support/immediate-jobs.ts';

const [connection = '', providers = '', dataDir = '', point = '', job = ''] = process.argv.slice(2);
const world = acceleratedWorld(0, 20);
const db = openDb(world.log, JSON.parse(connection), {
  applicationName: 'radar test jobs',
  ...slowConnectOptions,
});
const { acceptJob: promise } = await openHurriedJobs(world, db, {
  providers: providersSchema.parse(JSON.parse(providers)),
  dataDir,
  failpoint: async (reached) => {
    if (reached !== point) return;
    process.kill(process.pid, 'SIGKILL');
    await new Promise(() => {});
  },
});
await promise(JSON.parse(job));
