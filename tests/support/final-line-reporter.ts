// Writes the last line of a test run, always in one form, for people and programs: `12 passed, 0
// failed, 1 skipped`. The tests that passed only on a second try are listed above it.
import type { Reporter, SerializedError, TestCase, TestModule } from 'vitest/node';

export type Counts = { readonly passed: number; readonly failed: number; readonly skipped: number };

/** Prints the line after the output of the other reporters. */
export function finalLineReporter(print = (line: string) => void process.stdout.write(line)) {
  return {
    onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]) {
      for (const description of describeFlakyTests(modules)) print(`\n${description}\n`);
      const { passed, failed, skipped } = countResults(modules, unhandled.length);
      print(`\n${passed} passed, ${failed} failed, ${skipped} skipped\n`);
    },
  } satisfies Reporter;
}

/** Files that cannot be loaded and errors outside of tests are failures too. */
function countResults(modules: readonly TestModule[], unhandledErrors: number): Counts {
  const states = modules.flatMap((module) =>
    [...module.children.allTests()].map((test) => test.result().state),
  );
  const count = (...names: string[]) => states.filter((state) => names.includes(state)).length;
  const unloadableFiles = modules.filter((module) => module.errors().length > 0).length;
  return {
    passed: count('passed'),
    failed: count('failed', 'pending') + unloadableFiles + unhandledErrors,
    skipped: count('skipped'),
  };
}

function describeFlakyTests(modules: readonly TestModule[]): readonly string[] {
  const tests = modules.flatMap((module) => [...module.children.allTests()]);
  return tests.filter((test) => test.diagnostic()?.flaky).map(describeFlaky);
}

/** The name of the test, then its failures and their differences, one on each line. */
function describeFlaky(test: TestCase): string {
  const name = `flaky: ${test.module.relativeModuleId} > ${test.fullName}`;
  const errors = test.result().errors ?? [];
  return [name, ...errors.flatMap(({ stack, message, diff }) => [stack ?? message, diff])]
    .filter((text) => text !== undefined)
    .join('\n');
}
