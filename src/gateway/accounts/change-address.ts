// Changes an account's e-mail address. A change requires the password and a link that is sent to
// the new address. The old address receives a notice while the change can still be cancelled.
// Without mail delivery the address changes at once.
//
// The link works only in a session of the account. Otherwise a stranger could enter the address of
// another person, whose click would give that person an account with the stranger's password.
import { createHmac } from 'node:crypto';
import { z } from 'zod';
import type { Db } from '../../kernel/ports/db.ts';
import { DAY_MS } from '../../kernel/time/durations.ts';
import type { World } from '../../kernel/world.ts';
import {
  consumeAddressToken,
  deleteMailTokens,
  findMailTokenOwner,
  findRequestedAddress,
  putMailToken,
} from '../../store/gateway/account-mail-tokens.ts';
import {
  type AccountRow,
  changeAccountEmail,
  findAccountRow,
  findAccountRowByEmail,
  isAddressTaken,
} from '../../store/gateway/accounts.ts';
import type { MailMessage, Outbox } from '../../store/gateway/outgoing-mails.ts';
import { takeAttempt } from '../../store/operators/sign-in-attempts.ts';
import { inTransaction } from '../../store/platform/db.ts';
import { readSharedSecret } from '../../store/platform/secrets.ts';
import type { PasswordCheck, Passwords } from './change-password.ts';
import type { MailSite } from './mail/mail-site.ts';
import {
  addressChangedMail,
  addressChangeRequestedMail,
  newAddressMail,
  takenAddressMail,
} from './mail/messages.ts';
import type { EventOrigin } from './security-events.ts';
import type { SecurityLog } from './security-log.ts';
import type { Session } from './session.ts';

/** Limit of mails that one account causes to new addresses: five, then one an hour. */
const CHANGE_RATE = { perSecond: 1 / 3_600, burst: 5 };

export type AddressChangeResult =
  /** A mail was queued, whether or not another account has the address. */
  | { readonly kind: 'mail_queued' }
  /** Without mail delivery: the address has been changed. */
  | { readonly kind: 'changed' }
  | { readonly kind: 'malformed' }
  | { readonly kind: 'same' }
  /** Another account has the address. Only returned without mail delivery. */
  | { readonly kind: 'address_taken' }
  | Exclude<PasswordCheck, { kind: 'right' }>;

export type AddressConfirmation =
  | { readonly kind: 'changed' }
  /** The link is unknown, used or expired. */
  | { readonly kind: 'no_link' }
  /** The browser has no session of the account. The link stays valid. */
  | { readonly kind: 'other_account' }
  /** Another account with this address has been created meanwhile. */
  | { readonly kind: 'address_taken' };

export type AddressChange = {
  request(
    session: Session,
    input: { readonly address: string; readonly password: string; readonly origin: EventOrigin },
  ): Promise<AddressChangeResult>;
  /** The requested address that is not confirmed yet. */
  pending(accountId: string): Promise<{ readonly address: string; readonly until: number } | null>;
  cancel(accountId: string): Promise<void>;
  /** `accountId`: the account of the browser's session; null: not signed in. */
  confirm(confirmation: {
    readonly token: string;
    readonly accountId: string | null;
    readonly origin: EventOrigin;
  }): Promise<AddressConfirmation>;
};

type AddressChangeDeps = {
  readonly site: MailSite;
  /** Null: mail delivery is not configured. */
  readonly outbox: Outbox | null;
  readonly passwords: Passwords;
  readonly securityLog: SecurityLog;
};

const addressShape = z.email().max(254);

export async function openAddressChange(
  world: World,
  db: Db,
  { site, outbox, passwords, securityLog }: AddressChangeDeps,
): Promise<AddressChange> {
  const secret = await readSharedSecret(world, db, 'mail links');
  const hashOf = (token: string) => createHmac('sha256', secret).update(token).digest();
  const now = () => world.clock.now();
  const mailFor = ({ language }: AccountRow, to: string) => ({
    to,
    site: site.name,
    language: language ?? site.language,
  });

  const enqueue = async (tx: Db, mail: MailMessage) => outbox?.enqueue(tx, mail, DAY_MS);
  const record = (tx: Db, accountId: string, kind: 'requested' | 'changed', origin: EventOrigin) =>
    securityLog.append(tx, { accountId, origin }, { kind: `address_${kind}`, subject: null });
  const sendRequestMails = (account: AccountRow, address: string, origin: EventOrigin) =>
    inTransaction(db, async (tx) => {
      await record(tx, account.id, 'requested', origin);
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
      // The owner of a taken address receives a notice instead of a link. The page shows the same
      // text in both cases.
      const mail =
        owner === null
          ? newAddressMail(mailFor(account, address), url)
          : takenAddressMail(mailFor(owner, address), signIn, reset);
      await enqueue(tx, mail);
      // An old address that was never confirmed may belong to a stranger, so it gets no notice.
      if (account.awaits_verification) return;
      await enqueue(
        tx,
        addressChangeRequestedMail(mailFor(account, account.email), { address, reset }),
      );
    });

  return {
    request: async (session, { address: formInput, password, origin }) => {
      const address = formInput.trim().toLowerCase();
      if (!addressShape.safeParse(address).success) return { kind: 'malformed' };
      const account = await findAccountRow(db, session.accountId);
      if (account === null) return { kind: 'wrong' };
      if (address === account.email) return { kind: 'same' };
      const passwordCheck = await passwords.check(session, password);
      if (passwordCheck.kind !== 'right') return passwordCheck;
      if (outbox === null) {
        return catchAddressConflict(
          inTransaction(db, async (tx): Promise<{ kind: 'changed' }> => {
            // Nothing confirms this address, so an account that awaits its operator still does.
            await changeAccountEmail(tx, account.id, { email: address, isConfirmed: false });
            await record(tx, account.id, 'changed', origin);
            return { kind: 'changed' };
          }),
        );
      }
      const key = `new address of ${account.id}`;
      const { isAllowed, waitMs } = await takeAttempt(db, now(), key, CHANGE_RATE);
      if (!isAllowed) return { kind: 'too_many', waitMs };
      await sendRequestMails(account, address, origin);
      return { kind: 'mail_queued' };
    },
    pending: (accountId) => findRequestedAddress(db, accountId, now()),
    cancel: (accountId) => deleteMailTokens(db, accountId, 'address'),
    confirm: ({ token, accountId, origin }) =>
      catchAddressConflict(
        inTransaction(db, async (tx): Promise<AddressConfirmation> => {
          const ownerId = await findMailTokenOwner(tx, 'address', hashOf(token), now());
          if (ownerId === null) return { kind: 'no_link' };
          if (ownerId !== accountId) return { kind: 'other_account' };
          const account = await findAccountRow(tx, ownerId, { lock: true });
          const request = await consumeAddressToken(tx, hashOf(token), now());
          if (request === null || account === null) return { kind: 'no_link' };
          const { address: email } = request;
          await changeAccountEmail(tx, account.id, { email, isConfirmed: true });
          await record(tx, account.id, 'changed', origin);
          // Links in mails to the old address must no longer give access to the account.
          await deleteMailTokens(tx, account.id);
          if (!account.awaits_verification) {
            await enqueue(tx, addressChangedMail(mailFor(account, account.email), request.address));
          }
          return { kind: 'changed' };
        }),
      ),
  };
}

async function catchAddressConflict<T>(
  change: Promise<T>,
): Promise<T | { readonly kind: 'address_taken' }> {
  try {
    return await change;
  } catch (error) {
    if (isAddressTaken(error)) return { kind: 'address_taken' };
    throw error;
  }
}
