// Dependencies, requests and responses of the console pages.

import type { RefreshingValue } from '../../../kernel/concurrency/refreshing-value.ts';
import type { SecondFactor } from '../../../kernel/crypto/second-factor.ts';
import type { Html } from '../../../kernel/html/html.ts';
import type { Db } from '../../../kernel/ports/db.ts';
import type { FormAssets } from '../../../kernel/web/form-page.ts';
import type { FormTokens } from '../../../kernel/web/form-token.ts';
import type { KnownBrowsers } from '../../../kernel/web/known-browser.ts';
import type { Language } from '../../../kernel/web/language.ts';
import type { TextDownload } from '../../../kernel/web/operator-area.ts';
import type { SavedForm } from '../../../kernel/web/saved-form.ts';
import type { World } from '../../../kernel/world.ts';
import type { AddressChange } from '../../accounts/change-address.ts';
import type { Passwords } from '../../accounts/change-password.ts';
import type { AccountDeletion } from '../../accounts/delete-account.ts';
import type { MailLinks } from '../../accounts/mail-links.ts';
import type { SecurityLog } from '../../accounts/security-log.ts';
import type { Session, SessionOrigin, Sessions } from '../../accounts/session.ts';
import type { SignIn } from '../../accounts/sign-in.ts';
import type { SignUp } from '../../accounts/sign-up.ts';
import type { LimitSettings } from '../../calls/admit.ts';
import type { CallDeps } from '../../calls/call.ts';
import type { CapabilityStatus } from '../../calls/catalog.ts';
import type { Capability } from '../../capabilities/capability.ts';
import type { VoucherRedeemer } from '../../wallet/credits/voucher-codes.ts';
import type { Reliability } from '../../wallet/history/read-reliability.ts';
import type { TopUps } from '../../wallet/top-ups/open-top-ups.ts';
import type { ConsoleMessages } from '../messages/console.ts';

export type ConsoleSite = {
  /** Address of the gateway, absolute, without a trailing slash. */
  readonly url: string;
  readonly relayUrl: string;
  readonly radarUrl: string;
  readonly name: string;
  /** The installation's language. In the context of a page: the reader's language. */
  readonly language: Language;
};

export type ConsoleDeps = {
  readonly world: World;
  readonly db: Db;
  readonly site: ConsoleSite;
  readonly calls: CallDeps;
  readonly capabilities: readonly Capability[];
  readonly limits: LimitSettings;
  readonly topUps: TopUps;
  /** The chat relay; absent: not configured. */
  readonly chat?: CapabilityStatus;
  readonly tokens: FormTokens;
  readonly sessions: Sessions;
  readonly browsers: KnownBrowsers;
  readonly signIn: SignIn;
  readonly signUp: SignUp;
  /** null: mail delivery is not configured. */
  readonly links: MailLinks | null;
  /** Page with the mails of a demonstration; null: mails go to real mailboxes. */
  readonly inbox: string | null;
  readonly secondFactor: SecondFactor;
  readonly passwords: Passwords;
  readonly securityLog: SecurityLog;
  readonly addressChange: AddressChange;
  readonly deletion: AccountDeletion;
};

/** Context of a page for a visitor who is not signed in. */
export type VisitorContext = ConsoleDeps & {
  readonly assets: FormAssets;
  readonly codes: VoucherRedeemer;
  readonly reliability: RefreshingValue<Reliability>;
  readonly messages: ConsoleMessages;
  /** Token for every form of this visitor. */
  readonly formToken: string;
};

/** Context of a page for a signed-in account. */
export type ConsoleContext = VisitorContext & {
  readonly session: Session;
  readonly account: {
    readonly id: string;
    readonly email: string;
    /** True: live keys and the allowance need a confirmed address first. */
    readonly awaitsVerification: boolean;
  };
  /** Whether the console shows live mode; the switch in the header changes it. */
  readonly livemode: boolean;
};

export type ConsoleRequest = {
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Form fields; empty for a GET. */
  readonly form: URLSearchParams;
  readonly from: SessionOrigin;
};

type ConsolePageResponse = {
  readonly kind: 'page';
  /** 200 when absent. */
  readonly status?: number;
  readonly title: string;
  readonly body: Html;
  readonly headers?: Readonly<Record<string, string>>;
};

/** Redirects after an action, so that a reload does not repeat it. */
type RedirectResponse = { readonly kind: 'moved'; readonly to: string };

export type ConsoleResponse = ConsolePageResponse | RedirectResponse | TextDownload;

export type ConsoleRoute = {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly handle: (context: ConsoleContext, request: ConsoleRequest) => Promise<ConsoleResponse>;
  /** Whether the form requires a sign-in within the last ten minutes; absent: no. */
  readonly isSensitive?: (context: ConsoleContext, request: ConsoleRequest) => Promise<boolean>;
};

/** `form`: earlier input, when the page is shown again. */
export type VisitorRequest = Omit<ConsoleRequest, 'params'> & {
  /** The reason why a form was not processed and is shown again. */
  readonly notice: 'stale' | 'ended' | 'sign_in_too_old' | null;
  /** The account of the browser's session; null: not signed in. */
  readonly accountId: string | null;
  /** The mode of the browser's session; live without a session. */
  readonly livemode: boolean;
  /** The cookie of a sign-up in this browser; empty: none. */
  readonly signUpToken: string;
  /** A submitted form that is confirmed after a new sign-in; null: none is saved. */
  readonly savedForm: SavedForm | null;
};

export type VisitorResponse =
  | ConsolePageResponse
  | RedirectResponse
  /** `browserToken`: the value of the cookie of this sign-up. */
  | { readonly kind: 'signed_up'; readonly browserToken: string; readonly to: string }
  /** `token`: the value of the session cookie. */
  | {
      readonly kind: 'signed_in';
      readonly token: string;
      readonly to: string;
      readonly savedForm?: SavedForm | null;
    };

export type VisitorRoute = {
  readonly path: string;
  show(context: VisitorContext, request: VisitorRequest): Promise<VisitorResponse>;
  /** Absent: the page accepts no form. */
  post?(context: VisitorContext, request: VisitorRequest): Promise<VisitorResponse>;
};
