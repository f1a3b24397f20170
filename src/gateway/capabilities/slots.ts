// Concurrency limits for programs that would otherwise compete for the machine's cores. Waiting
// work is started in turn by owner, so one account's long line does not delay another account.

export type Slots = {
  /** Runs `work` when a slot is free and the owner's turn has come. */
  run<T>(owner: string, work: () => Promise<T>): Promise<T>;
};

/** An owner holds at most `perOwner` of the slots. */
export function openSlots(count: number, perOwner = count): Slots {
  let free = count;
  const held = new Map<string, number>();
  /** In the order of the next turn: an owner who is served moves to the end. */
  const waiting = new Map<string, (() => void)[]>();

  function startNext(): void {
    for (const [owner, line] of waiting) {
      if (free === 0) return;
      const holds = held.get(owner) ?? 0;
      if (holds >= perOwner) continue;
      waiting.delete(owner);
      const [start, ...rest] = line;
      if (rest.length > 0) waiting.set(owner, rest);
      held.set(owner, holds + 1);
      free -= 1;
      start?.();
    }
  }

  function release(owner: string): void {
    const holds = (held.get(owner) ?? 1) - 1;
    if (holds === 0) held.delete(owner);
    else held.set(owner, holds);
    free += 1;
    startNext();
  }

  return {
    run: async (owner, work) => {
      await new Promise<void>((resolve) => {
        waiting.set(owner, [...(waiting.get(owner) ?? []), resolve]);
        startNext();
      });
      try {
        return await work();
      } finally {
        release(owner);
      }
    },
  };
}
