// Opens the second factor of operators, with their secrets and recovery codes in the database.
import { openSecondFactor, type SecondFactor } from '../kernel/crypto/second-factor.ts';
import type { Db } from '../kernel/ports/db.ts';
import type { World } from '../kernel/world.ts';
import {
  consumeOperatorCode,
  consumeOperatorStep,
  countOperatorCodes,
  deleteOperatorFactor,
  findOperatorRow,
  insertOperatorFactor,
  lockOperator,
  replaceOperatorCodes,
} from '../store/operators/operators.ts';
import { attemptLimit } from '../store/operators/sign-in-attempts.ts';
import { inTransaction } from '../store/platform/db.ts';
import { readSharedSecret } from '../store/platform/secrets.ts';

export async function openOperatorFactor(world: World, db: Db): Promise<SecondFactor> {
  const key = await readSharedSecret(world, db, 'operator one-time codes');
  return openSecondFactor(
    world,
    key,
    {
      secretOf: async (id) => (await findOperatorRow(db, id))?.totp_secret ?? null,
      switchOn: (id, factor) => insertOperatorFactor(db, id, factor),
      switchOff: (id) => deleteOperatorFactor(db, id),
      replaceCodes: (id, hashes) =>
        inTransaction(db, async (tx) => {
          // The lock serializes two renewals, so that only the codes of one of them stay valid.
          await lockOperator(tx, id);
          await replaceOperatorCodes(tx, id, hashes);
        }),
      countCodes: (id) => countOperatorCodes(db, id),
      consumeRecoveryCode: (id, hash) => consumeOperatorCode(db, id, hash),
      consumeStep: (id, step) => consumeOperatorStep(db, id, step),
    },
    attemptLimit(world, db),
  );
}
