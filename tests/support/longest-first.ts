// Starts long test files first, because a long file that starts last delays the end of the run.
// Vitest has durations only of earlier runs on the same machine; in a fresh clone it sorts by size.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take fifteen seconds or more on a slow machine, the longest first. */
const longest = [
  'tests/e2e/npm.test.ts',
  'tests/e2e/demo.test.ts',
  'tests/e2e/backup.test.ts',
  'tests/concurrency/embedded-postgres.test.ts',
  'tests/concurrency/killed-model-requests.test.ts',
  'tests/concurrency/killed-worker.test.ts',
  'tests/e2e/serve.test.ts',
  'tests/e2e/deploy.test.ts',
  'tests/browser/gateway-admin-walk.test.ts',
  'tests/browser/console-walk.test.ts',
  'tests/store/embedded-postgres/places.test.ts',
  'tests/ledger/random-faults.test.ts',
  'tests/store/backup/hostile.test.ts',
  'tests/store/backup/round-trip.test.ts',
  'tests/ledger/model.test.ts',
  'tests/capabilities/transcribe.test.ts',
  'tests/ledger/recovery.test.ts',
  'tests/publication/digest-demo.test.ts',
  'tests/gateway/capabilities/fuzz.test.ts',
  'tests/fetch/replay.test.ts',
  'tests/selected-sync/sync.test.ts',
  'tests/enrichment/model-throughput.test.ts',
];

const root = join(import.meta.dirname, '../..');
const ranks = new Map(longest.map((path, rank) => [join(root, path), rank]));

const rankOf = ({ moduleId }: TestSpecification) => ranks.get(moduleId) ?? longest.length;

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const removedFiles = [...ranks.keys()].filter((path) => !existsSync(path));
    if (removedFiles.length > 0)
      throw new Error(
        `Remove missing files from ${import.meta.filename}: ${removedFiles.join(', ')}`,
      );
    const groupOf = ({ project }: TestSpecification) => project.config.sequence.groupOrder;
    const groups = Map.groupBy(await super.sort(files), groupOf);
    return [...groups.values()].flatMap((group) => group.sort((a, b) => rankOf(a) - rankOf(b)));
  }
}
