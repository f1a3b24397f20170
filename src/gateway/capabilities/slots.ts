// So many at once, the rest in line: for programs that would fight over the machine's cores.

export type Slots = {
  /** Runs `work` when there is room. */
  run<T>(work: () => Promise<T>): Promise<T>;
};

export function openSlots(count: number): Slots {
  let free = count;
  const waiting: (() => void)[] = [];
  return {
    run: async (work) => {
      if (free > 0) free -= 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      try {
        return await work();
      } finally {
        const next = waiting.shift();
        if (next) next();
        else free += 1;
      }
    },
  };
}
