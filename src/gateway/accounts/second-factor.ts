// Opens the second factor of accounts, which is stored in the database.
import { openSecondFactor, type SecondFactor } from '../../kernel/crypto/second-factor.ts';
import type { Db } from '../../kernel/ports/db.ts';
import type { World } from '../../kernel/world.ts';
import {
  consumeRecoveryCode,
  countRecoveryCodes,
  replaceRecoveryCodes,
} from '../../store/gateway/account-recovery-codes.ts';
import {
  consumeTotpStep,
  findAccountRow,
  lockAccount,
  updateAccount,
} from '../../store/gateway/accounts.ts';
import { attemptLimit } from '../../store/operators/sign-in-attempts.ts';
import { inTransaction } from '../../store/platform/db.ts';
import { readSharedSecret } from '../../store/platform/secrets.ts';

export async function openAccountFactor(world: World, db: Db): Promise<SecondFactor> {
  const key = await readSharedSecret(world, db, 'one-time codes');
  const store = {
    secretOf: async (id: string) => (await findAccountRow(db, id))?.totp_secret ?? null,
    switchOn: (
      id: string,
      factor: { secret: Uint8Array; step: number; codes: readonly Uint8Array[] },
    ) =>
      inTransaction(db, async (tx) => {
        const account = await findAccountRow(tx, id, { lock: true });
        if (account === null || account.totp_secret !== null) return false;
        const totp = { totp_secret: Buffer.from(factor.secret), totp_step: factor.step };
        await updateAccount(tx, id, totp);
        await replaceRecoveryCodes(tx, id, factor.codes);
        return true;
      }),
    switchOff: (id: string) =>
      inTransaction(db, async (tx) => {
        await updateAccount(tx, id, { totp_secret: null, totp_step: null });
        await replaceRecoveryCodes(tx, id, []);
      }),
    replaceCodes: (id: string, hashes: readonly Uint8Array[]) =>
      inTransaction(db, async (tx) => {
        // The lock serializes two renewals, so that only the codes of one of them stay valid.
        await lockAccount(tx, id);
        await replaceRecoveryCodes(tx, id, hashes);
      }),
    countCodes: (id: string) => countRecoveryCodes(db, id),
    consumeRecoveryCode: (id: string, hash: Uint8Array) => consumeRecoveryCode(db, id, hash),
    consumeStep: (id: string, step: number) => consumeTotpStep(db, id, step),
  };
  return openSecondFactor(world, key, store, attemptLimit(world, db));
}
