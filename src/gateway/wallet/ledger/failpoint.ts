// Points at which a test injects a failure into the ledger. Production code passes no failpoint.

/**
 * `before`: the statement is not sent. `sent`: the statement is sent and not acknowledged.
 * `done`: the statement is committed, and its result has not reached a caller.
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
