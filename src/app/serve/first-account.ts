// The first start of a gateway creates an account with a key of each kind, for immediate use. The
// secrets are written to `first-run.json` before the account is committed.
import { addAccount } from '../../gateway/accounts/account.ts';
import { makeKey } from '../../gateway/keys/change-keys.ts';
import { assert } from '../../kernel/errors/assert.ts';
import type { Db } from '../../kernel/ports/db.ts';
import { hasAccounts } from '../../store/gateway/accounts.ts';
import { inTransaction } from '../../store/platform/db.ts';
import type { AppRun } from './run.ts';
import { writeFirstRun } from './write-first-run.ts';

const EMAIL = 'owner@radar.localhost';

const firstKeys = [
  { name: 'sk', kind: 'sk', livemode: true },
  { name: 'sk_test', kind: 'sk', livemode: false },
  { name: 'ak', kind: 'ak', livemode: true },
  { name: 'ak_test', kind: 'ak', livemode: false },
] as const;

export type FirstAccount = {
  readonly id: string;
  /** The account's part of `first-run.json`, with secrets. */
  readonly facts: Readonly<Record<string, string>>;
};

/** Null when an account exists, also an account that another node created. */
export async function makeFirstAccount(run: AppRun, db: Db): Promise<FirstAccount | null> {
  if (await hasAccounts(db)) return null;
  const { world } = run;
  return inTransaction(db, async (tx) => {
    const password = Buffer.from(world.random.bytes(15)).toString('base64url');
    const addedAccount = await addAccount(world, tx, {
      email: EMAIL,
      password,
      isPasswordChecked: true,
    });
    assert(addedAccount.kind !== 'invalid', 'the first account is well-formed');
    if (addedAccount.kind === 'address_taken') return null;
    const facts: Record<string, string> = { email: EMAIL, password };
    for (const { name, kind, livemode } of firstKeys) {
      const input = { accountId: addedAccount.id, kind, livemode, name: 'First run' };
      facts[name] = (await makeKey(world, tx, input)).text;
    }
    writeFirstRun(run, facts, { replacesValues: true });
    return { id: addedAccount.id, facts };
  });
}
