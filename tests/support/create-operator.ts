// Creates an operator with a password, without the page of the invitation.
import type { Db } from '../../src/kernel/ports/db.ts';
import type { World } from '../../src/kernel/world.ts';
import {
  acceptOperatorInvitation,
  findOperatorAccount,
  inviteOperator,
} from '../../src/operators/operators.ts';
import type { OperatorRole } from '../../src/operators/roles.ts';

/** Does nothing when an operator has that name. */
export async function createOperator(
  world: World,
  db: Db,
  {
    name,
    role,
    password,
  }: { readonly name: string; readonly role: OperatorRole; password: string },
): Promise<void> {
  if ((await findOperatorAccount(db, name)) !== null) return;
  const by = { name, operatorId: null, address: null };
  const invited = await inviteOperator(world, db, { name, role, by });
  if (invited.kind !== 'invited') throw new Error(invited.problem);
  const { kind } = await acceptOperatorInvitation(world, db, {
    token: invited.token,
    password,
    address: '127.0.0.1',
  });
  if (kind !== 'accepted') throw new Error(kind);
}
