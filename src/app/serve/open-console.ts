// Opens the gateway's console for a process that serves it, with its sign-up rules, its mail
// delivery, and the dependencies of its pages.
import type { Config } from '../../config.ts';
import { openAddressChange } from '../../gateway/accounts/change-address.ts';
import { openPasswords } from '../../gateway/accounts/change-password.ts';
import { openMailer } from '../../gateway/accounts/mail/mailer.ts';
import { openMailLinks } from '../../gateway/accounts/mail-links.ts';
import { openAccountFactor } from '../../gateway/accounts/second-factor.ts';
import { openSecurityLog } from '../../gateway/accounts/security-log.ts';
import { openSessions } from '../../gateway/accounts/session.ts';
import { openSignIn } from '../../gateway/accounts/sign-in.ts';
import { openSignUp, type SignUpRules } from '../../gateway/accounts/sign-up.ts';
import { openSignUpBrowsers } from '../../gateway/accounts/sign-up-browser.ts';
import type { ConsoleDeps } from '../../gateway/console/shell/console-context.ts';
import { openConsole as openConsoleHandler } from '../../gateway/console/shell/open-console.ts';
import type { ClientResolver } from '../../kernel/client-address/client-address.ts';
import type { SmtpConfig } from '../../kernel/net/smtp.ts';
import type { Db } from '../../kernel/ports/db.ts';
import type { RateLimit } from '../../kernel/rate-limit/gcra.ts';
import type { FormHandler } from '../../kernel/web/form-handler.ts';
import { openFormTokens } from '../../kernel/web/form-token.ts';
import { openKnownBrowsers } from '../../kernel/web/known-browser.ts';
import type { World } from '../../kernel/world.ts';
import { openOutbox } from '../../store/gateway/outgoing-mails.ts';
import { readSharedSecret } from '../../store/platform/secrets.ts';
import { isLocalOnly, type ReachableConfig } from './reach.ts';

type OpenedDep = 'world' | 'db' | 'tokens' | 'sessions' | 'signIn' | 'signUp' | 'links' | 'inbox';
type OpenedAccountDep = 'secondFactor' | 'passwords' | 'addressChange' | 'securityLog';
type ConsoleInputs = Omit<ConsoleDeps, OpenedDep | OpenedAccountDep | 'browsers'>;

export type ConsoleOptions = {
  /** Absent: no mail is sent. */
  readonly smtp?: SmtpConfig | undefined;
  readonly rules: SignUpRules;
  /** How long a session may be idle; null or absent: without a limit. */
  readonly idleMs?: number | null;
  readonly clients: ClientResolver;
  /** Limit of pages per client address; null or absent: no limit. */
  readonly rate?: RateLimit | null;
  /** Components that the process closes at its end. The mailer is added to them. */
  readonly components: { name: string; close: () => Promise<void> }[];
};

export async function openConsole(
  world: World,
  db: Db,
  inputs: ConsoleInputs,
  { smtp, rules, clients, components, idleMs = null, rate = null }: ConsoleOptions,
): Promise<FormHandler> {
  const outbox = smtp === undefined ? null : await openOutbox(world, db);
  if (smtp !== undefined && outbox !== null) {
    components.push({ name: 'mailer', close: openMailer(world, db, outbox, smtp).close });
  }
  const { site } = inputs;
  const inbox = smtp?.inboxUrl ?? null;
  const mailDeps = outbox === null ? null : { site, outbox };
  const securityLog = openSecurityLog(world, db, mailDeps);
  const signUpBrowsers = await openSignUpBrowsers(world, db);
  const links =
    mailDeps && (await openMailLinks(world, db, { ...mailDeps, securityLog, signUpBrowsers }));
  const browsers = openKnownBrowsers(world, await readSharedSecret(world, db, 'known browsers'));
  const sessions = await openSessions(world, db, { browsers, securityLog, idleMs });
  const secondFactor = await openAccountFactor(world, db);
  const passwords = openPasswords(world, db, securityLog);
  const deps: ConsoleDeps = {
    ...inputs,
    world,
    db,
    sessions,
    links,
    inbox,
    secondFactor,
    tokens: openFormTokens(world, await readSharedSecret(world, db, 'account forms')),
    signIn: await openSignIn(world, db, { sessions, secondFactor, browsers, securityLog }),
    signUp: await openSignUp(world, db, { sessions, links, rules, signUpBrowsers }),
    passwords,
    browsers,
    securityLog,
    addressChange: await openAddressChange(world, db, { site, outbox, passwords, securityLog }),
  };
  return openConsoleHandler(deps, { clients, rate });
}

export function signUpRules(config: ReachableConfig & Pick<Config, 'file'>): SignUpRules {
  const { signup, newPerNetwork, signupProofBits } = config.file.accounts;
  const isLocal = isLocalOnly(config);
  return {
    access: signup ?? (isLocal ? 'open' : 'closed'),
    newPerNetwork,
    needsConfirmation: !isLocal,
    proofBits: signupProofBits,
  };
}
