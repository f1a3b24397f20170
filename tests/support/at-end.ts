// Releases what the tests of a file open: servers, folders, databases. Vitest ignores a call of
// `afterAll` in a running test, so every test run left six PostgreSQL servers and 20 folders.
import { afterAll } from 'vitest';

const releases: (() => unknown)[] = [];

/** Runs `release` at the end of the test file, the newest first. Tests and hooks can call it. */
export function atEnd(release: () => unknown): void {
  releases.push(release);
}

/** A setup file of every project that uses `atEnd` calls this. */
export function releaseAtEnd(): void {
  afterAll(async () => {
    const errors: unknown[] = [];
    for (const release of releases.splice(0).reverse()) {
      try {
        await release();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw new AggregateError(errors, 'a test file released not everything');
  });
}
