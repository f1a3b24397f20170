// Operators' pins in memory, indexed for the checks that the engine makes before each decision.
import type { Pin } from './story-item.ts';

export type Pins = ReturnType<typeof openPins>;

export function openPins(initial: readonly Pin[]) {
  const standAlone = new Set<string>();
  const linked = new Map<string, Set<string>>();
  const forbidden = new Map<string, Set<string>>();
  let size = 0;
  const change = (pin: Pin, operation: 'add' | 'delete'): void => {
    size += operation === 'add' ? 1 : -1;
    if (pin.kind === 'stand-alone') {
      standAlone[operation](pin.item);
      return;
    }
    const pairs = pin.kind === 'must-link' ? linked : forbidden;
    for (const [item, other] of [pin.items, [pin.items[1], pin.items[0]] as const]) {
      const others = pairs.get(item) ?? new Set();
      others[operation](other);
      pairs.set(item, others);
    }
  };
  const add = (pin: Pin): void => change(pin, 'add');
  for (const pin of initial) add(pin);
  return {
    add,
    remove: (pin: Pin): void => change(pin, 'delete'),
    isStandAlone: (itemId: string) => standAlone.has(itemId),
    /** Items that must be in the same story as this one. */
    linkedWith: (itemId: string): readonly string[] => [...(linked.get(itemId) ?? [])],
    /** Whether a pin separates an item of one list from an item of the other. */
    isForbidden(a: Iterable<string>, b: Iterable<string>): boolean {
      const otherItems = new Set(b);
      for (const item of a) {
        for (const other of forbidden.get(item) ?? []) if (otherItems.has(other)) return true;
      }
      return false;
    },
    get size(): number {
      return size;
    },
  };
}
