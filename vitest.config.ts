// Seven projects. `rules` and `pure` need no database. `parallel` has one database per file, in any
// order. Files of `pure` and `parallel` share a worker's modules, which hold no state; loading them
// for each file took more than half of the time. A run without a path runs these three.
//
// The other four start programs: `npm run proof -- programs` runs them, and so does a run with a
// path. `processes` (several processes, kill -9) runs three files at a time, since half of its time
// is waiting. `looks` runs beside it: pages in a browser, which may try a second time. `starts`
// installs and starts programs, and may try again after a timeout. `serial` is last, one file at a
// time, since a busy neighbour would disturb the times that it checks. Limits stop tests that hang
// and measure nothing, since a machine may be several times slower.
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { finalLineReporter } from './tests/support/final-line-reporter.ts';
import { LongestFirst } from './tests/support/longest-first.ts';

const rules = ['tests/architecture/**/*.test.ts', 'tests/architecture.test.ts'];
const serial = ['database-outage', 'read-model-clock', 'fast-path', 'withdrawal'].map(
  (name) => `tests/concurrency/${name}.test.ts`,
);
const browserTests = ['tests/browser/**/*.test.ts'];
/** Their steps start or install programs; none of them kills a process or counts money. */
const starts = ['launcher', 'npm', 'deploy'].map((name) => `tests/e2e/${name}.test.ts`);
/** Messages of errors whose cause is a time limit. */
const OUT_OF_TIME = /timed? ?out|in time|ETIMEDOUT/i;
const processes = [
  'tests/concurrency/**/*.test.ts',
  'tests/e2e/**/*.test.ts',
  'tests/browser/**/*.test.ts',
];
/** Three of them at a time, after those that need no processes. */
const lastGroup = { maxWorkers: 3, sequence: { groupOrder: 1 } };
const database = ['tests/support/database-server.ts'];
/** Proofs that run only by their names, such as `npm run proof -- clients`. */
const namedProofs =
  process.env.RADAR_NAMED_PROOFS === undefined
    ? []
    : [
        {
          test: {
            name: 'named',
            include: ['tests/**/*.proof.ts'],
            globalSetup: database,
            pool: 'forks' as const,
            fileParallelism: false,
            testTimeout: 900_000,
            hookTimeout: 900_000,
          },
        },
      ];
/** Milliseconds. What is waited for is an event: `expect.poll` gives up when its test does. */
const patience = {
  short: { testTimeout: 300_000, hookTimeout: 300_000, expect: { poll: { timeout: 180_000 } } },
  long: { testTimeout: 900_000, hookTimeout: 500_000, expect: { poll: { timeout: 180_000 } } },
};

/** Whether the command names a file or folder. */
const hasPath = process.argv.slice(2).some((word) => word !== 'run' && !word.startsWith('-'));
/** Tests that start programs. */
const programs = [
  {
    test: {
      name: 'processes',
      include: processes,
      exclude: [...serial, ...browserTests, ...starts],
      globalSetup: database,
      pool: 'forks' as const,
      ...lastGroup,
      ...patience.long,
    },
  },
  {
    test: {
      name: 'looks',
      include: browserTests,
      globalSetup: database,
      pool: 'forks' as const,
      retry: 1,
      ...lastGroup,
      ...patience.long,
    },
  },
  {
    test: {
      name: 'starts',
      include: starts,
      globalSetup: database,
      pool: 'forks' as const,
      retry: { count: 1, condition: OUT_OF_TIME },
      ...lastGroup,
      ...patience.long,
    },
  },
  {
    test: {
      name: 'serial',
      include: serial,
      globalSetup: database,
      pool: 'forks' as const,
      fileParallelism: false,
      sequence: { groupOrder: 2 },
      ...patience.long,
    },
  },
];

export default defineConfig({
  test: {
    // Vitest leaves a core free; half of what these tests wait for is the database's work anyway.
    // On many cores that one database, and its connections, are what there is too little of.
    maxWorkers: Math.min(availableParallelism(), 8),
    reporters: ['default', finalLineReporter()],
    sequence: { sequencer: LongestFirst },
    teardownTimeout: 120_000,
    projects: [
      ...namedProofs,
      { test: { name: 'rules', include: rules, pool: 'forks', ...patience.short } },
      {
        test: {
          name: 'pure',
          include: ['src/**/*.test.ts', 'demo/**/*.test.ts', 'bench/**/*.test.ts'],
          pool: 'threads',
          isolate: false,
          ...patience.short,
        },
      },
      {
        test: {
          name: 'parallel',
          include: ['tests/**/*.test.ts'],
          exclude: [...rules, ...processes],
          globalSetup: database,
          pool: 'forks',
          isolate: false,
          ...patience.short,
        },
      },
      ...(hasPath ? programs : []),
    ],
  },
});
