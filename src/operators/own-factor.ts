// Changes an operator's own second factor. Each change and its audit row are one transaction.
import type { SecondFactor } from '../kernel/crypto/second-factor.ts';
import type { Db } from '../kernel/ports/db.ts';
import type { World } from '../kernel/world.ts';
import { deleteOperatorSessions } from '../store/operators/operator-sessions.ts';
import { withAudit } from './audit-log.ts';
import { openOperatorFactor } from './second-factor.ts';
import type { OperatorSession } from './sessions.ts';

/** A change ends the operator's other sessions, because they began with the old factor. */
export function changeOwnFactor<T>(
  world: World,
  db: Db,
  session: OperatorSession,
  change: {
    readonly action: 'factor_on' | 'factor_off' | 'recovery_codes';
    /** `isChanged` false: no audit row is stored, and no session ends. */
    readonly work: (
      factor: SecondFactor,
    ) => Promise<{ readonly outcome: T; readonly isChanged: boolean }>;
  },
): Promise<T> {
  return withAudit<T>(world, db, session, async (tx) => {
    const { outcome, isChanged } = await change.work(await openOperatorFactor(world, tx));
    if (!isChanged) return { outcome, entry: null };
    await deleteOperatorSessions(tx, session.operatorId, session.id);
    const { action } = change;
    const entry = {
      action,
      kind: 'operator',
      subject: session.name,
      before: { totp: session.hasTotp },
      after: { totp: action !== 'factor_off' },
      note: null,
    };
    return { outcome, entry };
  });
}
