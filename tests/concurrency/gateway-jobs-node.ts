// Runs `radar serve --only gateway` in a World with accelerated time. Processes with the same start
// time have the same clock.

import { serve } from '../../src/app/serve.ts';
import { readConfig } from '../../src/config.ts';
import { openRobots } from '../../src/kernel/net/robots.ts';
import { openDatabase } from '../../src/store/platform/open-database.ts';
import { sharedWorld } from '../support/accelerated-jobs.ts';

const config = readConfig();
const world = sharedWorld(Number(process.argv[2]));
const robots = openRobots(world.net, world.clock, 'ContentRadar/test');
await serve(
  config,
  { world, robots },
  {
    parts: ['gateway'],
    openDatabase: () => openDatabase(world, { ...config, isDurable: true }),
    clockOffsetMs: 0,
    terminal: {
      isInteractive: false,
      out: (text) => {
        process.stdout.write(text);
      },
      note: (text) => {
        process.stderr.write(text);
      },
    },
    version: 'test',
  },
);
