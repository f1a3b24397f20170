// Makes one real call to a capability without an account, so that operators can test their keys.
// The report lists the fields of the result that have a value and those that are empty.
import type { World } from '../../kernel/world.ts';
import type { Capability } from './capability.ts';

export type CapabilityCheck = {
  /** All providers of the capability. */
  readonly providers: readonly string[];
  readonly durationMs: number;
  /** Paths of the result with a value in at least one place: `results[].title`. */
  readonly filled: readonly string[];
  /** Paths of the result that are null or empty in every place. */
  readonly empty: readonly string[];
  /** The paths in `empty` of lists without an element; the fields of their elements are unknown. */
  readonly emptyLists: readonly string[];
  /** The SKU and quantity that a customer would be charged for. */
  readonly billed: {
    readonly sku: string | null;
    readonly quantity: number;
    readonly unit: string;
  };
  /**
   * Null: the call succeeded. `detail` names the provider and the field with an unexpected form.
   */
  readonly failure: { readonly code: string; readonly detail: string } | null;
};

const DEADLINE_MS = 600_000;

/** `input` as the capability's schema parsed it. */
export async function checkCapability(
  world: World,
  capability: Capability,
  input: unknown,
): Promise<CapabilityCheck> {
  const startedAt = world.clock.now();
  const { sku, unit, quantity } = capability.quote(input);
  let measuredQuantity = quantity;
  const outcome = await capability.run(
    {
      world,
      requestId: `check_${world.ids.next()}`,
      accountId: 'check',
      livemode: true,
      signal: AbortSignal.timeout(DEADLINE_MS),
      adjustHold: async (exactQuantity) => {
        measuredQuantity = exactQuantity;
        return 'held';
      },
      progress: () => {},
    },
    input,
  );
  const paths = outcome.kind === 'done' ? pathsOf(outcome.data) : new Map<string, PathState>();
  const pathsIn = (...states: readonly PathState[]) =>
    [...paths].filter(([, state]) => states.includes(state)).map(([path]) => path);
  return {
    providers: capability.health().providers.map(({ name }) => name),
    durationMs: world.clock.now() - startedAt,
    filled: pathsIn('filled'),
    empty: pathsIn('null', 'empty list'),
    emptyLists: pathsIn('empty list'),
    billed: { sku, quantity: outcome.kind === 'done' ? outcome.quantity : 0, unit },
    failure:
      outcome.kind === 'failed'
        ? { code: outcome.code, detail: outcome.internal ?? outcome.message }
        : null,
  };

  function pathsOf(data: object): ReadonlyMap<string, PathState> {
    const states = new Map<string, PathState>();
    collectPaths(data, '', states);
    // For a metered capability the measured quantity is part of the result.
    if (measuredQuantity !== quantity) states.set('(measured quantity)', 'filled');
    return states;
  }
}

type PathState = 'filled' | 'null' | 'empty list';

/** Elements of one list share a path. The path is filled when one of them has a value. */
function collectPaths(value: unknown, path: string, states: Map<string, PathState>): void {
  if (Array.isArray(value) && value.length > 0) {
    for (const element of value) collectPaths(element, `${path}[]`, states);
    return;
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    for (const [name, inner] of Object.entries(value)) {
      collectPaths(inner, path === '' ? name : `${path}.${name}`, states);
    }
    return;
  }
  if (states.get(path) === 'filled') return;
  if (Array.isArray(value)) states.set(path, 'empty list');
  else states.set(path, value === null || value === '' ? 'null' : 'filled');
}
