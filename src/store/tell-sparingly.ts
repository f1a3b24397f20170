// A queue asks its database many times a second: while that is away, the same complaint would fill
// a disk. Each is told once, and again only when it is still heard a minute later.

const SILENCE_MS = 60_000;

/** `tell` gets the complaint without pg-boss's note of which of its loops met it. */
export function tellSparingly(tell: (complaint: string) => void): (message: string) => void {
  const told = new Set<string>();
  return (message) => {
    const complaint = message.replace(/ \(Queue: [^)]*\)$/, '');
    if (told.has(complaint)) return;
    told.add(complaint);
    setTimeout(() => told.delete(complaint), SILENCE_MS).unref();
    tell(complaint);
  };
}
