// Creates accounts by sign-up, which is open, by invitation, or closed. With mail delivery, the
// response does not show whether the address has an account; only the mail to the address shows it.
//
// An open sign-up on a public installation requires a proof of work. Without a proof, few sign-ups
// are accepted, and their mail is delayed.
import { z } from 'zod';
import { verifyPassword } from '../../kernel/crypto/password.ts';
import { type PasswordProblem, passwordProblems } from '../../kernel/crypto/password-problem.ts';
import {
  openProofOfWork,
  type ProofOfWork,
  type WorkProof,
} from '../../kernel/crypto/proof-of-work.ts';
import type { Db } from '../../kernel/ports/db.ts';
import { DAY_MS, MINUTE_MS } from '../../kernel/time/durations.ts';
import type { World } from '../../kernel/world.ts';
import { lockInvite, markInviteUsed } from '../../store/gateway/account-invites.ts';
import {
  countSignUps,
  findAccountRow,
  findAccountRowByEmail,
} from '../../store/gateway/accounts.ts';
import { takeAttempt, takeAttempts } from '../../store/operators/sign-in-attempts.ts';
import { inTransaction } from '../../store/platform/db.ts';
import { readSharedSecret } from '../../store/platform/secrets.ts';
import { addAccount } from './account.ts';
import { openInviteHash } from './invites.ts';
import type { MailLinks } from './mail-links.ts';
import type { SessionOrigin, Sessions } from './session.ts';
import type { SignUpBrowsers } from './sign-up-browser.ts';

export type SignUpRules = {
  readonly access: 'open' | 'invite' | 'closed';
  /** Limit of new accounts per network in 24 hours. */
  readonly newPerNetwork: number;
  /** Each new address must be confirmed: without mail delivery, by an operator. */
  readonly needsConfirmation: boolean;
  /**
   * Difficulty of the proof of work, as the number of leading zero bits; 0: no proof is required.
   */
  readonly proofBits: number;
};

export type SignUpRequest = {
  readonly email: string;
  readonly password: string;
  /** Required when sign-up is by invitation. */
  readonly invite: string;
  readonly language: 'en' | 'zh-CN';
  readonly from: SessionOrigin;
  /** An empty `number` means that the browser ran no script. */
  readonly proof: WorkProof;
};

export type SignUpErrors = {
  readonly email?: 'malformed';
  readonly password?: readonly PasswordProblem[];
  readonly invite?: 'unknown';
};

export type SignUpResult =
  /** Without mail delivery: the account has been created. `token` is the value of the cookie. */
  | { readonly kind: 'signed_in'; readonly token: string }
  /**
   * A mail was queued, whether or not the address has an account. `isLate`: the mail is sent later.
   * `browserToken`: the cookie value with which this browser confirms the address.
   */
  | { readonly kind: 'mail_queued'; readonly isLate: boolean; readonly browserToken: string }
  /** The proof is wrong, expired or used, or it is missing on an installation without mail. */
  | { readonly kind: 'no_proof'; readonly isMissing: boolean }
  | { readonly kind: 'invalid'; readonly errors: SignUpErrors }
  /** Another account has the address. Only returned without mail delivery. */
  | { readonly kind: 'address_taken' }
  | { readonly kind: 'closed' }
  /** The network, or all networks together, exceeded the limit of sign-ups. */
  | { readonly kind: 'too_many'; readonly waitMs: number };

export type SignUp = {
  readonly rules: SignUpRules;
  /** The challenge for a form; null: no proof is required. */
  challenge(): string | null;
  make(request: SignUpRequest): Promise<SignUpResult>;
};

/**
 * Limit of sign-ups from all networks. Each password hash takes 19 MiB of memory and tens of
 * milliseconds of processor time.
 */
const RATE_OF_ALL_NETWORKS = { perSecond: 2, burst: 40 };

/** Sign-ups without a proof, of all networks together: ten at once, then one a minute. */
const RATE_WITHOUT_PROOF = { perSecond: 1 / 60, burst: 10 };
/** The delay of mails after a sign-up without a proof. */
export const LATE_MAIL_MS = 10 * MINUTE_MS;

type SignUpDeps = {
  readonly rules: SignUpRules;
  readonly sessions: Sessions;
  /** Null: mail delivery is not configured. */
  readonly links: MailLinks | null;
  readonly signUpBrowsers: SignUpBrowsers;
};

export async function openSignUp(
  world: World,
  db: Db,
  { rules, sessions, links, signUpBrowsers }: SignUpDeps,
): Promise<SignUp> {
  const hashOf = await openInviteHash(world, db);
  const secret = await readSharedSecret(world, db, 'sign-up proofs');
  const proofs = openProofOfWork(world, { secret, bits: rules.proofBits });
  // An invitation replaces the proof.
  const needsProof = rules.access === 'open' && rules.needsConfirmation && rules.proofBits > 0;
  // Failed attempts count as well; otherwise the count would show which addresses have accounts.
  const rateOfNetwork = { perSecond: rules.newPerNetwork / 86_400, burst: rules.newPerNetwork };

  const takeSignUpAttempt = (client: string): Promise<number> =>
    takeAttempts(db, world.clock.now(), [
      ['sign-up all', RATE_OF_ALL_NETWORKS],
      [`sign-up client ${client}`, rateOfNetwork],
    ]);

  type AccountCreation =
    | { kind: 'added'; id: string }
    | { kind: 'address_taken' | 'full' | 'no_invite' }
    /**
     * An account with this unconfirmed address exists. `isSamePassword`: the sign-up has the same
     * password as the account.
     */
    | { kind: 'unconfirmed'; id: string; isSamePassword: boolean };
  const createAccount = ({
    email,
    password,
    invite,
    language,
    from,
  }: SignUpRequest): Promise<AccountCreation> =>
    inTransaction(db, async (tx): Promise<AccountCreation> => {
      const now = world.clock.now();
      const code = rules.access === 'invite' ? await lockInvite(tx, hashOf(invite), now) : null;
      if (rules.access === 'invite' && code === null) return { kind: 'no_invite' };
      const recentSignUps = await countSignUps(tx, from.client, now - DAY_MS);
      if (recentSignUps >= rules.newPerNetwork) return { kind: 'full' };
      const address = email.trim().toLowerCase();
      const holder = links === null ? null : await findAccountRowByEmail(tx, address);
      if (holder?.awaits_verification) {
        // The creation of an account also computes one password hash, so both cases take the same
        // time.
        const isSamePassword = await verifyPassword(holder.password_hash, password);
        return { kind: 'unconfirmed', id: holder.id, isSamePassword };
      }
      const awaitsVerification = links !== null || rules.needsConfirmation;
      const newAccount = {
        email,
        password,
        language,
        network: from.client,
        awaitsVerification,
        isPasswordChecked: true,
      };
      const addedAccount = await addAccount(world, tx, newAccount);
      if (addedAccount.kind !== 'added') return { kind: 'address_taken' };
      if (code !== null) await markInviteUsed(tx, code, addedAccount.id, now);
      return addedAccount;
    });

  return {
    rules,
    challenge: () => (needsProof ? proofs.issue() : null),
    make: async (request) => {
      if (rules.access === 'closed') return { kind: 'closed' };
      const errors = await errorsOf(request);
      if (Object.keys(errors).length > 0) return { kind: 'invalid', errors };
      const waitMs = await takeSignUpAttempt(request.from.client);
      if (waitMs > 0) return { kind: 'too_many', waitMs };
      // Without mail, a sign-up without a proof is refused.
      const isMissing = request.proof.number === '';
      if (needsProof && isMissing && links === null) return { kind: 'no_proof', isMissing };
      const admission = needsProof ? await admit(world, db, proofs, request.proof) : 'admitted';
      if (admission === 'invalid') return { kind: 'no_proof', isMissing: false };
      if (typeof admission === 'object') return { kind: 'too_many', ...admission };
      const isLate = admission === 'late';
      const delayMs = isLate ? LATE_MAIL_MS : 0;
      // All cases read one account, so they take the same time.
      const mailQueued = async (accountId: string | null): Promise<SignUpResult> => {
        const account = await findAccountRow(db, accountId ?? '');
        return { kind: 'mail_queued', isLate, browserToken: signUpBrowsers.issue(account) };
      };
      const result = await createAccount(request);
      switch (result.kind) {
        case 'no_invite':
          return { kind: 'invalid', errors: { invite: 'unknown' } };
        case 'full':
          return { kind: 'too_many', waitMs: DAY_MS };
        case 'address_taken':
          if (links === null) return { kind: 'address_taken' };
          await links.sendAddressTaken(request.email.trim().toLowerCase(), delayMs);
          return mailQueued(null);
        case 'unconfirmed': {
          const { id, isSamePassword } = result;
          if (isSamePassword) await links?.sendVerification(id, delayMs);
          else await links?.contestAccount(id, delayMs);
          return mailQueued(isSamePassword ? id : null);
        }
        case 'added':
          if (links === null) {
            const token = await sessions.begin(result.id, request.from, {
              livemode: false,
              isFirst: true,
            });
            return { kind: 'signed_in', token };
          }
          await links.sendVerification(result.id, delayMs);
          return mailQueued(result.id);
      }
    },
  };
}

type Admission = 'admitted' | 'late' | 'invalid' | { readonly waitMs: number };

/** `late`: no proof, so the mail is delayed. `waitMs`: too many sign-ups without a proof. */
async function admit(
  world: World,
  db: Db,
  proofs: ProofOfWork,
  proof: WorkProof,
): Promise<Admission> {
  const now = world.clock.now();
  if (proof.number === '') {
    const { isAllowed, waitMs } = await takeAttempt(
      db,
      now,
      'sign-up no proof',
      RATE_WITHOUT_PROOF,
    );
    return isAllowed ? 'late' : { waitMs };
  }
  const proofCheck = proofs.check(proof);
  if (proofCheck.kind !== 'valid') return 'invalid';
  // The stored attempt allows one use of the proof over all nodes, until the challenge expires.
  const singleUse = { perSecond: 1000 / (proofCheck.endsAt - now), burst: 1 };
  const singleAttempt = await takeAttempt(db, now, `sign-up proof ${proofCheck.nonce}`, singleUse);
  return singleAttempt.isAllowed ? 'admitted' : 'invalid';
}

const emailShape = z.email().max(254);

async function errorsOf({ email, password }: SignUpRequest): Promise<SignUpErrors> {
  const problems = await passwordProblems(password, email);
  return {
    ...(!emailShape.safeParse(email.trim().toLowerCase()).success && { email: 'malformed' }),
    ...(problems.length > 0 && { password: problems }),
  };
}
