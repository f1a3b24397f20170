// Applies changes of the second factor by the account's owner. One transaction writes each change
// and its entry in the security log.
import type { SecondFactor } from '../../kernel/crypto/second-factor.ts';
import type { World } from '../../kernel/world.ts';
import { deleteSessions } from '../../store/gateway/account-sessions.ts';
import { openAccountFactor } from './second-factor.ts';
import type { EventOrigin } from './security-events.ts';
import type { SecurityLog } from './security-log.ts';
import type { Session } from './session.ts';

type FactorChange<T> = {
  readonly kind: 'factor_on' | 'factor_off' | 'recovery_codes_renewed';
  readonly origin: EventOrigin;
  /** `isChanged` false: nothing was changed. */
  readonly work: (
    factor: SecondFactor,
  ) => Promise<{ readonly outcome: T; readonly isChanged: boolean }>;
};

/**
 * Switching the factor on or off ends the other sessions, because they began with the old factor.
 * New recovery codes end none.
 */
export function changeFactor<T>(
  world: World,
  securityLog: SecurityLog,
  { accountId, id }: Session,
  { kind, origin, work }: FactorChange<T>,
): Promise<T> {
  return securityLog.record<T>({ accountId, origin }, async (tx) => {
    const { outcome, isChanged } = await work(await openAccountFactor(world, tx));
    if (!isChanged) return { outcome, event: null };
    if (kind !== 'recovery_codes_renewed')
      await deleteSessions(tx, { accountId, exceptSession: id });
    return { outcome, event: { kind, subject: null } };
  });
}
