// Recognizes the browser that signed up, by a cookie that is bound to the account and its password.
// Only this browser and sessions of the account confirm the address and keep the password.
import type { Db } from '../../kernel/ports/db.ts';
import { openKnownBrowsers } from '../../kernel/web/known-browser.ts';
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
  const browsers = openKnownBrowsers(world, await readSharedSecret(world, db, 'sign-up browsers'));
  return {
    issue: (account) => browsers.issue(subjectOf(account)),
    isOf: (account, token) => browsers.read(subjectOf(account), token) !== null,
  };
}
