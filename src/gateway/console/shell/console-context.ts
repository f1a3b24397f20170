// What every page of the console is made with: the house's rooms, and whoever asks.

import type { Html } from '../../../kernel/html/html.ts';
import type { Db } from '../../../kernel/ports/db.ts';
import type { DeskAssets } from '../../../kernel/web/form-page.ts';
import type { FormTokens } from '../../../kernel/web/form-token.ts';
import type { KnownBrowsers } from '../../../kernel/web/known-browser.ts';
import type { Language } from '../../../kernel/web/language.ts';
import type { World } from '../../../kernel/world.ts';
import type { AddressChange } from '../../accounts/change-address.ts';
import type { Passwords } from '../../accounts/change-password.ts';
import type { MailLinks } from '../../accounts/mail-links.ts';
import type { SecondFactor } from '../../accounts/second-factor.ts';
import type { From, Session, Sessions } from '../../accounts/session.ts';
import type { SignIn } from '../../accounts/sign-in.ts';
import type { SignUp } from '../../accounts/sign-up.ts';
import type { LimitSettings } from '../../calls/admit.ts';
import type { CallParts } from '../../calls/call.ts';
import type { Standing } from '../../calls/catalog.ts';
import type { Capability } from '../../capabilities/capability.ts';
import type { VoucherRedeemer } from '../../wallet/credits/voucher-codes.ts';
import type { TopUps } from '../../wallet/top-ups/open-top-ups.ts';
import type { ConsoleWords } from '../messages/console.ts';

export type ConsoleSite = {
  /** The gateway's, absolute, without a trailing slash. */
  readonly url: string;
  readonly relayUrl: string;
  readonly radarUrl: string;
  readonly name: string;
  /** The installation's; in a page's context, the reader's. */
  readonly language: Language;
};

export type ConsoleParts = {
  readonly world: World;
  readonly db: Db;
  readonly site: ConsoleSite;
  readonly calls: CallParts;
  readonly capabilities: readonly Capability[];
  readonly limits: LimitSettings;
  readonly topUps: TopUps;
  /** Of the chat relay; absent: there is none. */
  readonly chat?: Standing;
  readonly tokens: FormTokens;
  readonly sessions: Sessions;
  readonly browsers: KnownBrowsers;
  readonly signIn: SignIn;
  readonly signUp: SignUp;
  /** null: no mail is sent here. */
  readonly links: MailLinks | null;
  /** A page on which the mails of a demonstration are read; null: they go to their mailboxes. */
  readonly inbox: string | null;
  readonly secondFactor: SecondFactor;
  readonly passwords: Passwords;
  readonly addressChange: AddressChange;
};

/** For whoever is not signed in. */
export type OutsideContext = ConsoleParts & {
  readonly assets: DeskAssets;
  readonly codes: VoucherRedeemer;
  readonly words: ConsoleWords;
  /** For every form of this visitor. */
  readonly formToken: string;
};

/** For whoever is. */
export type ConsoleContext = OutsideContext & {
  readonly session: Session;
  readonly account: {
    readonly id: string;
    readonly email: string;
    /** Its address is to be confirmed before live keys and the allowance. */
    readonly awaitsVerification: boolean;
  };
  /** Which of the account's two books is shown: the switch in the header. */
  readonly livemode: boolean;
};

export type ConsoleAsked = {
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Empty unless it was posted. */
  readonly form: URLSearchParams;
  readonly from: From;
};

type PageAnswer = {
  readonly kind: 'page';
  /** 200 when absent. */
  readonly status?: number;
  readonly title: string;
  readonly body: Html;
  readonly headers?: Readonly<Record<string, string>>;
};

/** After something was done, and so that a reload does not do it again. */
type MovedAnswer = { readonly kind: 'moved'; readonly to: string };

export type ConsoleAnswer =
  | PageAnswer
  | MovedAnswer
  /** To be kept, as `name`. */
  | { readonly kind: 'file'; readonly name: string; readonly type: string; readonly text: string };

export type ConsoleRoute = {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly answer: (context: ConsoleContext, asked: ConsoleAsked) => Promise<ConsoleAnswer>;
};

/** `form`: what was typed before, when the page is shown again. */
export type OutsideAsked = Omit<ConsoleAsked, 'params'> & {
  /** Why it is shown again without anything's having been done. */
  readonly notice: 'stale' | 'ended' | null;
  readonly isSignedIn: boolean;
};

export type OutsideAnswer =
  | PageAnswer
  | MovedAnswer
  /** `token`: for the cookie. */
  | { readonly kind: 'signed_in'; readonly token: string; readonly to: string };

export type OutsideRoute = {
  readonly path: string;
  show(context: OutsideContext, asked: OutsideAsked): Promise<OutsideAnswer>;
  /** Absent: nothing can be sent there. */
  post?(context: OutsideContext, asked: OutsideAsked): Promise<OutsideAnswer>;
};
