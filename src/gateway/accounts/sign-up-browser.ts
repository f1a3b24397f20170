// Recognizes the browser that signed up, by a cookie that is bound to the account and its password.
// Only this browser and sessions of the account confirm the address and keep the password.
import { openTokenSigner } from '../../kernel/crypto/token-signer.ts';
import type { Db } from '../../kernel/ports/db.ts';
import type { World } from '../../kernel/world.ts';
import type { AccountRow } from '../../store/gateway/accounts.ts';
import { readSharedSecret } from '../../store/platform/secrets.ts';

type NewAccount = Pick<AccountRow, 'id' | 'password_hash'>;

export type SignUpBrowsers = {
  /** Returns a cookie value. `account` null: the value looks the same and matches no account. */
  issue(account: NewAccount | null): string;
  /** Whether the browser with this cookie chose the account's present password at its sign-up. */
  isOf(account: NewAccount, token: string): boolean;
};

const subjectOf = (account: NewAccount | null): string =>
  account === null ? '' : `${account.id}\n${account.password_hash}`;

export async function openSignUpBrowsers(world: World, db: Db): Promise<SignUpBrowsers> {
  const signer = openTokenSigner(await readSharedSecret(world, db, 'sign-up browsers'), 'sign-up');
  const nextId = () => Buffer.from(world.random.bytes(16)).toString('base64url');
  return {
    issue: (account) => signer.sign(nextId(), subjectOf(account)),
    isOf: (account, token) => signer.read(token, subjectOf(account)) !== null,
  };
}
