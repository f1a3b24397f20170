// Names the points at which a test injects a failure into the ledger. Production code passes no
// failpoint.

/**
 * `before`: the statement is not sent. `sent`: the statement is sent and not acknowledged.
 * `done`: the statement is committed, and its result has not reached a caller.
 */
export type FailpointName =
  | `${'authorize' | 'resolve' | 'adjust'}:${'before' | 'sent' | 'done'}`
  | `recover:${'claimed' | 'queried'}`;

export type Failpoint = (name: FailpointName) => void | Promise<void>;

export const failpointNames: readonly FailpointName[] = [
  'authorize:before',
  'authorize:sent',
  'authorize:done',
  'resolve:before',
  'resolve:sent',
  'resolve:done',
  'adjust:before',
  'adjust:sent',
  'adjust:done',
  'recover:claimed',
  'recover:queried',
];
