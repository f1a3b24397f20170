// Places at which a test may let the ledger fail. Nothing in production sets one: they are given
// as a parameter, by tests alone.

/**
 * `before`: nothing was asked yet. `sent`: the statement is on its way, its answer not awaited.
 * `done`: it is committed, and nobody has heard of it.
 */
export type FailpointName =
  | `${'open' | 'resolve' | 'remeasure'}:${'before' | 'sent' | 'done'}`
  | `recover:${'claimed' | 'asked'}`;

export type Failpoint = (name: FailpointName) => void | Promise<void>;

export const failpointNames: readonly FailpointName[] = [
  'open:before',
  'open:sent',
  'open:done',
  'resolve:before',
  'resolve:sent',
  'resolve:done',
  'remeasure:before',
  'remeasure:sent',
  'remeasure:done',
  'recover:claimed',
  'recover:asked',
];
