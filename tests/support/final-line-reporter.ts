// The last line of a test run, alone and always of one form, for people and machines that only read
// that: `12 passed, 0 failed, 1 skipped`.
import type { Reporter, SerializedError, TestModule } from 'vitest/node';

export type Counts = { readonly passed: number; readonly failed: number; readonly skipped: number };

/** Prints the line after the other reporters have said theirs. */
export function finalLineReporter(print = (line: string) => void process.stdout.write(line)) {
  return {
    onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]) {
      const { passed, failed, skipped } = countOf(modules, unhandled.length);
      print(`\n${passed} passed, ${failed} failed, ${skipped} skipped\n`);
    },
  } satisfies Reporter;
}

/** A file that could not be loaded and an error outside of any test are failures too. */
function countOf(modules: readonly TestModule[], unhandledErrors: number): Counts {
  const states = modules.flatMap((module) =>
    [...module.children.allTests()].map((test) => test.result().state),
  );
  const count = (...wanted: string[]) => states.filter((state) => wanted.includes(state)).length;
  const unloaded = modules.filter((module) => module.errors().length > 0).length;
  return {
    passed: count('passed'),
    failed: count('failed', 'pending') + unloaded + unhandledErrors,
    skipped: count('skipped'),
  };
}
