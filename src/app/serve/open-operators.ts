// The operators of a process, for the admin areas of both products: the password and the sessions.
import type { Db } from '../../kernel/ports/db.ts';
import type { World } from '../../kernel/world.ts';
import { makeFirstPassword } from '../../operators/password.ts';
import { type OperatorSessions, openOperatorSessions } from '../../operators/sessions.ts';
import type { AppRun } from './run.ts';
import { writeFirstRun } from './write-first-run.ts';

export async function openOperators(run: AppRun, world: World, db: Db): Promise<OperatorSessions> {
  await makeFirstPassword(world, db, (password) =>
    writeFirstRun(run, { operator_password: password }, { newer: true }),
  );
  return openOperatorSessions(world, db);
}
