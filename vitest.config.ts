// Five projects. `rules` and `pure` need no database. `parallel` has one database per file, in any
// order. Files of `pure` and `parallel` share a worker's modules, which hold no state: loading them
// anew for each file took more than half of the time.
// `processes` (several processes, kill -9, browsers) comes after them, three files at a time: each
// starts a handful of processes, and half of the time it waits for one.
// `serial` comes last and one file at a time: it promises times, which a busy neighbour disturbs.
import { defineConfig } from 'vitest/config';
import { finalLineReporter } from './tests/support/final-line-reporter.ts';
import { LongestFirst } from './tests/support/longest-first.ts';

const rules = ['tests/architecture/**/*.test.ts', 'tests/architecture.test.ts'];
const serial = ['database-away', 'edition-clock', 'quick-answers', 'withdrawal'].map(
  (name) => `tests/concurrency/${name}.test.ts`,
);
const processes = [
  'tests/concurrency/**/*.test.ts',
  'tests/e2e/**/*.test.ts',
  'tests/browser/**/*.test.ts',
];
const database = ['tests/support/database-server.ts'];

export default defineConfig({
  test: {
    // Vitest leaves a core free; half of what these tests wait for is the database's work anyway.
    maxWorkers: '100%',
    reporters: ['default', finalLineReporter()],
    sequence: { sequencer: LongestFirst },
    projects: [
      { test: { name: 'rules', include: rules, pool: 'forks', testTimeout: 60_000 } },
      {
        test: {
          name: 'pure',
          include: ['src/**/*.test.ts', 'demo/**/*.test.ts'],
          pool: 'threads',
          isolate: false,
          testTimeout: 30_000,
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
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'processes',
          include: processes,
          exclude: serial,
          globalSetup: database,
          pool: 'forks',
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
      {
        test: {
          name: 'serial',
          include: serial,
          globalSetup: database,
          pool: 'forks',
          fileParallelism: false,
          sequence: { groupOrder: 2 },
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
    ],
  },
});
