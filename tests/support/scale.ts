// How large the random proofs are: short in every test run, full size under `npm run proof`, and
// with which seed. The seed is printed, so a failure can be run again: RADAR_SEED=… npm test.

/** `short` in CI, `full` under `npm run proof`. */
export function proofSize(short: number, full: number): number {
  return process.env.RADAR_PROOF === 'full' ? full : short;
}

/** A given seed, else a fixed one in tests and a random one in proofs. */
export function proofSeed(): number {
  const given = Number(process.env.RADAR_SEED);
  if (Number.isInteger(given) && given > 0) return given;
  return process.env.RADAR_PROOF === 'full' ? (Date.now() % 2_147_483_646) + 1 : 42;
}
