// Assertions of impossible states. A failed assertion is a defect of this program, never a user's
// mistake.

export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`assertion failed: ${message}`);
}

/** Ends an exhaustive match. The compiler proves that this call is never reached. */
export function unreachable(value: never): never {
  throw new Error(`assertion failed: unhandled case ${JSON.stringify(value)}`);
}

/** Returns a value that must exist. */
export function requirePresent<T>(value: T | null | undefined, name: string): T {
  assert(value !== null && value !== undefined, `${name} is missing`);
  return value;
}
