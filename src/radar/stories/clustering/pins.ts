// An editor's pins, as the checks that the engine makes before each decision.
import type { Pin } from './story-item.ts';

export type Pins = {
  add(pin: Pin): void;
  remove(pin: Pin): void;
  isStandAlone(itemId: string): boolean;
  /** Items that must be in the same story as this one. */
  linkedWith(itemId: string): readonly string[];
  /** Whether a pin separates an item of one list from an item of the other. */
  isForbidden(a: Iterable<string>, b: Iterable<string>): boolean;
  readonly size: number;
};

export function openPins(initial: readonly Pin[]): Pins {
  const standAlone = new Set<string>();
  const linked = new Map<string, string[]>();
  const forbidden = new Map<string, Set<string>>();
  let size = 0;
  const add = (pin: Pin): void => {
    size += 1;
    if (pin.kind === 'stand-alone') {
      standAlone.add(pin.item);
      return;
    }
    for (const [item, other] of [pin.items, [pin.items[1], pin.items[0]] as const]) {
      if (pin.kind === 'must-link') linked.set(item, [...(linked.get(item) ?? []), other]);
      else forbidden.set(item, (forbidden.get(item) ?? new Set()).add(other));
    }
  };
  for (const pin of initial) add(pin);
  const remove = (pin: Pin): void => {
    size -= 1;
    if (pin.kind === 'stand-alone') {
      standAlone.delete(pin.item);
      return;
    }
    for (const [item, other] of [pin.items, [pin.items[1], pin.items[0]] as const]) {
      if (pin.kind === 'cannot-link') forbidden.get(item)?.delete(other);
      else
        linked.set(
          item,
          (linked.get(item) ?? []).filter((id) => id !== other),
        );
    }
  };
  return {
    add,
    remove,
    isStandAlone: (itemId) => standAlone.has(itemId),
    linkedWith: (itemId) => linked.get(itemId) ?? [],
    isForbidden(a, b) {
      if (forbidden.size === 0) return false;
      const otherItems = new Set(b);
      for (const item of a) {
        for (const other of forbidden.get(item) ?? []) if (otherItems.has(other)) return true;
      }
      return false;
    },
    get size() {
      return size;
    },
  };
}
