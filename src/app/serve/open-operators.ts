// Opens the operators' access to the admin areas of both products: the first owner, the sessions,
// and the networks that may open the areas.
import { type Networks, readNetworks } from '../../kernel/client-address/networks.ts';
import type { Db } from '../../kernel/ports/db.ts';
import { MINUTE_MS } from '../../kernel/time/durations.ts';
import type { World } from '../../kernel/world.ts';
import { createFirstOwner } from '../../operators/operators.ts';
import { type OperatorSessions, openOperatorSessions } from '../../operators/sessions.ts';
import { isLocalOnly } from './reach.ts';
import type { AppRun } from './run.ts';
import { writeFirstRun } from './write-first-run.ts';

export type OperatorAccess = {
  readonly sessions: OperatorSessions;
  /** Networks that may open the admin areas; null: every network. */
  readonly networks: Networks | null;
};

/** Throws a Fault that names an invalid network. */
export async function openOperators(run: AppRun, world: World, db: Db): Promise<OperatorAccess> {
  const { networks, idleMinutes } = run.config.file.admin;
  const allowedNetworks = networks.length === 0 ? null : readNetworks(networks, 'admin.networks');
  await createFirstOwner(world, db, (password) =>
    writeFirstRun(run, { operator_password: password }, { replacesValues: true }),
  );
  const isPublic = !isLocalOnly(run.config);
  const idleMs = idleMinutes === 0 ? null : idleMinutes * MINUTE_MS;
  const sessions = await openOperatorSessions(world, db, { isPublic, idleMs });
  return { sessions, networks: allowedNetworks };
}
