// Reads the size and seed of the random proofs. They are short in every test run, and full under
// `npm run proof`. The seed is printed, so a failure can be repeated: RADAR_SEED=… npm test.

/** `short` in CI, `full` under `npm run proof`. */
export function proofSize(short: number, full: number): number {
  return process.env.RADAR_PROOF === 'full' ? full : short;
}

/** The parts of a proof to run: all from 1 to `count`, or the parts named in RADAR_PARTS. */
export function proofParts(
  count: number,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): readonly number[] {
  const { RADAR_PROOF: size, RADAR_PARTS: range } = environment;
  const all = Array.from({ length: count }, (_, index) => index + 1);
  if (size !== 'full' || range === undefined) return all;
  const [, from, to = from] = /^(\d+)(?:-(\d+))?$/.exec(range) ?? [];
  const parts = all.filter((part) => part >= Number(from) && part <= Number(to));
  if (parts.length > 0) return parts;
  throw new Error(`RADAR_PARTS is a number or a range within 1-${count}, like 3-7`);
}

/** The seed in RADAR_SEED; without it, a fixed seed in tests and a random seed in proofs. */
export function proofSeed(): number {
  const seed = Number(process.env.RADAR_SEED);
  if (Number.isInteger(seed) && seed > 0) return seed;
  return process.env.RADAR_PROOF === 'full' ? (Date.now() % 2_147_483_646) + 1 : 42;
}
