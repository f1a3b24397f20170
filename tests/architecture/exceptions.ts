// The list of exceptions: one per file and rule, each with its reason. An exception without a
// finding fails the test, so the list stays minimal.
import type { Finding, Rule } from './rule.ts';

export type Exception = {
  /** The name of the rule. */
  readonly rule: string;
  /** A file, or a folder with a final slash. */
  readonly path: string;
  /** Part of the finding; absent: all findings of the rule in the file. */
  readonly what?: string;
  readonly because: string;
};

export const exceptions: readonly Exception[] = [
  {
    rule: 'the World is passed in',
    path: 'src/store/embedded-postgres/',
    what: 'imports from node:timers/promises',
    because: 'it waits for a process of the operating system, which has no World clock',
  },
  ...['src/radar/pages/assets/', 'src/radar/admin/assets/'].map((path) => ({
    rule: 'the World is passed in',
    path,
    because: 'it runs in a browser, where there is no World',
  })),
  {
    rule: 'the World is passed in',
    path: 'src/gateway/console/assets/proof-of-work.js',
    because: 'it runs in a reader’s browser, where there is no World',
  },
  {
    rule: 'a module does not import another module',
    path: 'src/radar/language/',
    what: 'imports editorial/',
    because: 'its patterns are constant data of editorial/, and its functions are pure',
  },
  {
    rule: 'a module does not import another module',
    path: 'src/radar/publication/digest/',
    because:
      'its rules are constant data of editorial/, and enrichment and digest split sentences ' +
      'equally: pure functions, no rows of another module',
  },
  {
    rule: 'a module does not import another module',
    path: 'src/radar/publication/documents/read-claims.ts',
    what: 'imports src/radar/enrichment/injection/',
    because: 'one pure function removes instructions from the texts of items and of stories',
  },
  {
    rule: 'only the store uses the database',
    path: 'bench/ledger/single-caller.ts',
    what: 'holds an SQL statement',
    because: 'its baselines are statements without the ledger, on separate tables',
  },
  ...['kysely', 'holds an SQL statement'].map((what) => ({
    rule: 'only the store uses the database',
    path: 'bench/worker/read-database.ts',
    what,
    because: 'it measures the tables of all modules, and its baseline is a plain statement',
  })),
  ...['bench/story-start.ts', 'bench/growth/fill-ledger.ts'].flatMap((path) =>
    ['kysely', 'holds an SQL statement'].map((what) => ({
      rule: 'only the store uses the database',
      path,
      what,
      because: 'it fills a database with very many rows, which no module does',
    })),
  ),
  {
    rule: 'one file writes each table',
    path: 'src/store/backup/restore-backup.ts',
    what: 'whose name cannot be read',
    because: 'a restore fills every table of an empty database from the archive',
  },
  ...['migrations/', 'src/store/radar/sources/duplicate-groups.ts'].map((path) => ({
    rule: 'one file writes each table',
    path,
    what: 'duplicate_keys is written by migrations/ and',
    because: 'a view with a trigger serves programs of the former release',
  })),
  {
    rule: 'private words in identifiers',
    path: 'src/store/schema/',
    because: 'columns keep their names, because nodes of two releases share a database',
  },
  ...['src/cli/program-values.ts', 'src/cli/serve/serve.ts'].map((path) => ({
    rule: 'failures are Faults',
    path,
    what: 'InvalidArgumentError',
    because: 'commander reports the invalid option together with its usage',
  })),
];

/** Whether an exception covers this finding. */
export function isCovered(exception: Exception, rule: Rule, finding: Finding): boolean {
  const { path } = exception;
  return (
    exception.rule === rule.name &&
    (path.endsWith('/') ? finding.path.startsWith(path) : finding.path === path) &&
    finding.what.includes(exception.what ?? '')
  );
}
