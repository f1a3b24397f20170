// What reports say differently: figures that were superseded, and what stays contested.
import type { OwnedClaim } from './digest.ts';

export type Supersession = {
  readonly attribute: string;
  readonly was: readonly OwnedClaim[];
  readonly now: readonly OwnedClaim[];
};

export type Dispute = {
  readonly attribute: string;
  /** At least two, by the first report of each; claims of one side agree. */
  readonly sides: readonly (readonly OwnedClaim[])[];
};
