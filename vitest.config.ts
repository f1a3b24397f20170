// Seven projects. `rules` and `pure` need no database. `parallel` has one database per file, in any
// order. Files of `pure` and `parallel` share a worker's modules, which hold no state; loading them
// for each file took more than half of the time. A run without a path runs these three.
//
// The other four start programs: `npm run proof -- programs` runs them, and so does a run with a
// path. `processes` (several processes, kill -9) runs three files at a time, because half of its
// time is waiting. `looks` (pages in a browser) runs at the same time and repeats a failed test
// once. `starts` installs and starts programs, and repeats a test once after a timeout. `serial` is
// last, one file at a time, because other load would disturb the times that it checks. Time limits
// only stop tests that hang, because a machine may be several times slower.
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
  'tests/store/embedded-postgres/**/*.test.ts',
  'tests/ledger/random-faults.test.ts',
];
/** Runs three files at a time, after the projects that need no processes. */
const lastGroup = { maxWorkers: 3, sequence: { groupOrder: 1 } };
const database = ['tests/support/database-server.ts'];
const setupFiles = ['tests/support/set-up.ts'];
const expect = { poll: { timeout: 180_000 } };
/** Times are milliseconds, long enough for a slow machine. */
const common = {
  short: { testTimeout: 300_000, hookTimeout: 300_000, expect, setupFiles },
  long: { testTimeout: 900_000, hookTimeout: 500_000, expect, setupFiles },
};

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
            ...common.long,
            hookTimeout: 900_000,
          },
        },
      ];

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
      ...common.long,
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
      ...common.long,
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
      ...common.long,
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
      ...common.long,
    },
  },
];

export default defineConfig({
  test: {
    // All cores are used, because the tests often wait for the database. More than eight workers
    // would only wait for each other, because all share its server.
    maxWorkers: Math.min(availableParallelism(), 8),
    reporters: ['default', finalLineReporter()],
    sequence: { sequencer: LongestFirst },
    teardownTimeout: 120_000,
    projects: [
      ...namedProofs,
      { test: { name: 'rules', include: rules, pool: 'forks', ...common.short } },
      {
        test: {
          name: 'pure',
          include: ['src/**/*.test.ts', 'demo/**/*.test.ts', 'bench/**/*.test.ts'],
          pool: 'threads',
          isolate: false,
          ...common.short,
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
          ...common.short,
        },
      },
      ...(hasPath ? programs : []),
    ],
  },
});
