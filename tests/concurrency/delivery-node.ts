// Runs a worker's notification sender as a process. Processes with the same start time have the
// same clock.
import { openNet } from '../../src/kernel/net/open-net.ts';
import { runningClock } from '../../src/kernel/time/clock.ts';
import { openNotificationSender } from '../../src/notifications/open-sender.ts';
import { notificationContent } from '../../src/radar/subscriptions/notification-content.ts';
import { openSubscriptions } from '../../src/radar/subscriptions/open-subscriptions.ts';
import { openDb } from '../../src/store/platform/db.ts';
import { sharedWorld } from '../support/accelerated-jobs.ts';
import { slowConnectOptions } from '../support/connect-timeout.ts';

const [connection = '', begunAt = ''] = process.argv.slice(2);
const net = openNet({
  clock: runningClock(),
  privateHosts: ['127.0.0.1'],
  politenessMs: 0,
  userAgent: 'ContentRadar/test',
});
const world = { ...sharedWorld(Number(begunAt)), net };
const db = openDb(world.log, JSON.parse(connection), {
  applicationName: 'radar test deliveries',
  ...slowConnectOptions,
});
const site = { url: 'https://radar.example', wireItem: (item: object) => item };
openSubscriptions(world, db);
openNotificationSender(world, db, {
  smtp: null,
  mailsPerMinute: 60,
  content: (request) => notificationContent(db, site, request),
});
process.stdout.write('ready\n');
