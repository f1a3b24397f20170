// Another e-mail address for an account: asked for with the password, written to the new address,
// told to the old one while it can still be stopped, and changed once the link is opened. Where no
// mail is sent nobody can be asked, so it changes at once.
import { createHmac } from 'node:crypto';
import { z } from 'zod';
import type { Db } from '../../kernel/ports/db.ts';
import { DAY_MS } from '../../kernel/time/durations.ts';
import type { World } from '../../kernel/world.ts';
import {
  dropMailTokens,
  findAskedAddress,
  putMailToken,
  takeAddressToken,
} from '../../store/gateway/account-mail-tokens.ts';
import {
  type AccountRow,
  changeAccountEmail,
  findAccountRow,
  findAccountRowByEmail,
  isAddressTaken,
} from '../../store/gateway/accounts.ts';
import type { Letter, Outbox } from '../../store/gateway/outgoing-mails.ts';
import { takeTry } from '../../store/operators/sign-in-attempts.ts';
import { inTransaction } from '../../store/platform/db.ts';
import { sharedSecret } from '../../store/platform/secrets.ts';
import type { PasswordCheck, Passwords } from './change-password.ts';
import { addressLetter, leavingLetter, leftLetter, takenLetter } from './mail/messages.ts';
import type { MailSite } from './mail-links.ts';
import type { Session } from './session.ts';

/** Letters that one account has written to addresses of its choice: five, then one in an hour. */
const ASKED = { perSecond: 1 / 3_600, burst: 5 };

export type AddressAsked =
  /** A letter is on its way there, whatever it says. */
  | { readonly kind: 'written' }
  /** No mail is sent here: it is the account's from now on. */
  | { readonly kind: 'changed' }
  | { readonly kind: 'malformed' }
  | { readonly kind: 'same' }
  /** Only where no mail is sent. */
  | { readonly kind: 'taken' }
  | Exclude<PasswordCheck, { kind: 'right' }>;

export type AddressConfirmed =
  | { readonly kind: 'changed' }
  | { readonly kind: 'no_link' }
  /** Another account has been made with it meanwhile. */
  | { readonly kind: 'taken' };

export type AddressChange = {
  ask(
    session: Session,
    asked: { readonly address: string; readonly password: string },
  ): Promise<AddressAsked>;
  /** What was asked for and is not confirmed yet. */
  asked(accountId: string): Promise<{ readonly address: string; readonly until: number } | null>;
  cancel(accountId: string): Promise<void>;
  confirm(token: string): Promise<AddressConfirmed>;
};

type Parts = {
  readonly site: MailSite;
  /** null: no mail is sent here. */
  readonly outbox: Outbox | null;
  readonly passwords: Passwords;
};

const addressShape = z.email().max(254);

export async function openAddressChange(
  world: World,
  db: Db,
  { site, outbox, passwords }: Parts,
): Promise<AddressChange> {
  const secret = await sharedSecret(world, db, 'mail links');
  const hashOf = (token: string) => createHmac('sha256', secret).update(token).digest();
  const now = () => world.clock.now();
  const about = ({ language }: AccountRow, to: string) => ({
    to,
    site: site.name,
    language: language ?? site.language,
  });

  const tell = async (tx: Db, letter: Letter) => outbox?.put(tx, letter, DAY_MS);
  const write = (account: AccountRow, address: string) =>
    inTransaction(db, async (tx) => {
      const token = Buffer.from(world.random.bytes(32)).toString('base64url');
      await putMailToken(tx, {
        hash: hashOf(token),
        account_id: account.id,
        purpose: 'address',
        address,
        created_at: now(),
        expires_at: now() + DAY_MS,
      });
      const reset = `${site.url}/console/reset`;
      const owner = await findAccountRowByEmail(tx, address);
      const signIn = `${site.url}/console/sign-in`;
      const url = `${site.url}/console/new-address?token=${token}`;
      // Whoever has an account of that address is told so; the page says the same as to others.
      const letter =
        owner === null
          ? addressLetter(about(account, address), url)
          : takenLetter(about(owner, address), signIn, reset);
      await tell(tx, letter);
      // An address that was never confirmed may be a stranger's.
      if (account.awaits_verification) return;
      await tell(tx, leavingLetter(about(account, account.email), { address, reset }));
    });

  return {
    ask: async (session, { address: typed, password }) => {
      const address = typed.trim().toLowerCase();
      if (!addressShape.safeParse(address).success) return { kind: 'malformed' };
      const account = await findAccountRow(db, session.accountId);
      if (account === null) return { kind: 'wrong' };
      if (address === account.email) return { kind: 'same' };
      const checked = await passwords.check(session, password);
      if (checked.kind !== 'right') return checked;
      if (outbox === null) return changeAtOnce(db, account.id, address);
      const key = `new address of ${account.id}`;
      const { isAllowed, waitMs } = await takeTry(db, now(), key, ASKED);
      if (!isAllowed) return { kind: 'too_many', waitMs };
      await write(account, address);
      return { kind: 'written' };
    },
    asked: (accountId) => findAskedAddress(db, accountId, now()),
    cancel: (accountId) => dropMailTokens(db, accountId, 'address'),
    confirm: (token) =>
      orTaken(
        inTransaction(db, async (tx): Promise<AddressConfirmed> => {
          const taken = await takeAddressToken(tx, hashOf(token), now());
          const account = taken && (await findAccountRow(tx, taken.accountId, { lock: true }));
          if (taken === null || account === null) return { kind: 'no_link' };
          await changeAccountEmail(tx, account.id, taken.address);
          // A link that went to the old address opens the account no more.
          await dropMailTokens(tx, account.id);
          if (!account.awaits_verification) {
            await tell(tx, leftLetter(about(account, account.email), taken.address));
          }
          return { kind: 'changed' };
        }),
      ),
  };
}

const changeAtOnce = (db: Db, accountId: string, address: string) =>
  orTaken(
    inTransaction(db, async (tx): Promise<{ kind: 'changed' }> => {
      await changeAccountEmail(tx, accountId, address);
      return { kind: 'changed' };
    }),
  );

async function orTaken<T>(changed: Promise<T>): Promise<T | { readonly kind: 'taken' }> {
  try {
    return await changed;
  } catch (error) {
    if (isAddressTaken(error)) return { kind: 'taken' };
    throw error;
  }
}
