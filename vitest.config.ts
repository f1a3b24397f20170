// Two projects: `parallel` (one database per file, any order) and `serial` (concurrency, kill -9,
// browsers, ports), because the second kind measures behaviour that a busy neighbour disturbs.
import { defineConfig } from 'vitest/config';
import { finalLineReporter } from './tests/support/final-line-reporter.ts';

const serial = [
  'tests/concurrency/**/*.test.ts',
  'tests/e2e/**/*.test.ts',
  'tests/browser/**/*.test.ts',
];

export default defineConfig({
  test: {
    reporters: ['default', finalLineReporter()],
    projects: [
      {
        test: {
          name: 'parallel',
          include: ['src/**/*.test.ts', 'tests/**/*.test.ts', 'demo/**/*.test.ts'],
          exclude: serial,
          pool: 'forks',
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'serial',
          include: serial,
          pool: 'forks',
          fileParallelism: false,
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
    ],
  },
});
