// Handles the requests of an operator area: it checks the session and the form token, and then
// calls the page. The token of the sign-in form is bound to a cookie, which prevents login CSRF.
import { blockedClient } from '../client-address/client-address.ts';
import type { Networks } from '../client-address/networks.ts';
import { type PasswordProblem, passwordProblemText } from '../crypto/password-problem.ts';
import type { World } from '../world.ts';
import {
  type FormHandler,
  type FormHandlerOptions,
  type FormRequest,
  issueVisitorToken,
  isVisitorForm,
  methodNotAllowed,
  openFormHandler,
  readForm,
  readSessionForm,
} from './form-handler.ts';
import { type PageLayout, renderFailurePage } from './form-page.ts';
import type { FormTokens } from './form-token.ts';
import { KNOWN_BROWSER_SECONDS } from './known-browser.ts';
import { renderInvitationPage } from './operator-invitation.ts';
import { operatorMessages } from './operator-messages.ts';
import { renderOperatorSignIn, type SignInPage } from './operator-sign-in.ts';
import { toReturnPath } from './return-path.ts';
import {
  createSavedForm,
  type FieldTexts,
  readSavedForm,
  renderConfirmationPage,
} from './saved-form.ts';
import { sendFile, sendPage, sendRedirect } from './send-page.ts';

type Session = { readonly id: string; readonly name: string };

export type OperatorSignInResult =
  /** Both tokens are for cookies only. */
  | { readonly kind: 'signed_in'; readonly token: string; readonly browserToken: string }
  | { readonly kind: 'refused' }
  /** The password is right, and the operator has a second factor. */
  | { readonly kind: 'code_needed' }
  | { readonly kind: 'code_refused' }
  | { readonly kind: 'too_many'; readonly waitMs: number };

export type OperatorSignInInput = {
  readonly password: string;
  /** Empty: the operator that the first start created. */
  readonly name: string;
  /** A one-time code or a recovery code; absent or empty: none was entered. */
  readonly code?: string;
  readonly client: string;
  /** Absent or null: a browser that never signed in. */
  readonly browserToken?: string | null;
};

export type InvitationInput = {
  readonly token: string;
  readonly password: string;
  /** The client's address, for the audit log. */
  readonly address: string;
};

export type InvitationAcceptance =
  | { readonly kind: 'accepted'; readonly name: string }
  | {
      readonly kind: 'invalid';
      readonly name: string;
      readonly problems: readonly PasswordProblem[];
    }
  | { readonly kind: 'invalid_invitation' };

/** Characters of entered values; longer values cannot be valid and are cut. */
const MAX_LENGTHS = { token: 100, password: 1_000, name: 60, code: 60 } as const;
/** Both admin areas share this cookie, because they share the operators. */
const BROWSER_COOKIE = 'operator_browser';

export type AreaSessions<S extends Session> = FormTokens & {
  /**
   * `client` is the key of the client's address. `browserToken` identifies a browser that signed in
   * before.
   */
  signIn(input: OperatorSignInInput): Promise<OperatorSignInResult>;
  /** The session of a token, used from `address`; null when the token is unknown or expired. */
  read(token: string, address: string): Promise<S | null>;
  signOut(session: S): Promise<void>;
  /** The name of the invited operator; null: the invitation is not valid. */
  readInvitation(token: string): Promise<string | null>;
  acceptInvitation(input: InvitationInput): Promise<InvitationAcceptance>;
};

export type OperatorRequest = {
  readonly method: 'GET' | 'POST';
  readonly pathname: string;
  readonly query: URLSearchParams;
  /** Empty except for POST. */
  readonly form: URLSearchParams;
  /** The browser's `Accept-Language` header; empty when it is absent. */
  readonly acceptLanguage: string;
};

export type OperatorArea<S extends Session> = Omit<
  FormHandlerOptions,
  'handleRequest' | 'failurePage'
> & {
  readonly world: World;
  /** The path prefix of all its pages: `/admin`. */
  readonly path: string;
  readonly sessions: AreaSessions<S>;
  readonly sessionMs: number;
  readonly layout: PageLayout;
  readonly messages: { readonly toStart: string };
  /** Networks that may open the area; null: every network. */
  readonly networks: Networks | null;
  /** The sign-in page: the name of the area above the heading, and a link elsewhere. */
  readonly signInPage: {
    readonly label: string;
    readonly back: { readonly href: string; readonly label: string };
  };
  /** The sign-in by an address that works once; absent: there is none. */
  readonly oneTime?: {
    readonly path: string;
    /** Returns true only once for each issued token, and only for a permitted peer. */
    redeem(token: string, address: string): boolean;
    /** The token of a new session. */
    signIn(): Promise<string>;
  };
  /** Labels and texts of saved form fields, for the confirmation page after a sign-in. */
  readonly fieldTexts: FieldTexts;
  /** Paths whose forms contain an uploaded text, and the maximum size of these forms. */
  readonly largeForms?: { readonly paths: readonly string[]; readonly maxBytes: number };
  /** Handles a request of a signed-in operator. */
  handle(session: S, request: OperatorRequest): Promise<OperatorResponse>;
};

export type OperatorResponse =
  | { readonly kind: 'page'; readonly status: number; readonly document: string }
  | { readonly kind: 'moved'; readonly to: string }
  /** The session is too old for this form: the operator signs in again and confirms it. */
  | { readonly kind: 'sign_in_again' }
  | TextDownload;

/** A text to download; `name` contains only ASCII letters. */
export type TextDownload = {
  readonly kind: 'file';
  readonly name: string;
  readonly type: string;
  /** A whole text, or a stream of its parts. */
  readonly text: string | AsyncIterable<string>;
};

export function openOperatorArea<S extends Session>(area: OperatorArea<S>): FormHandler['handle'] {
  const homeLink = { href: area.path, label: area.messages.toStart };
  return openFormHandler({
    ...area,
    handleRequest: (request) => handleFormRequest(area, request),
    failurePage: (failure) => renderFailurePage(area.layout, failure, homeLink),
  });
}

async function handleFormRequest<S extends Session>(
  area: OperatorArea<S>,
  formRequest: FormRequest,
): Promise<void> {
  const { req, res, method, pathname, query, cookies } = formRequest;
  const { path, sessions } = area;
  if (area.networks !== null && !area.networks.has(formRequest.address)) throw blockedClient();
  const sessionToken = cookies.session(req);
  const session =
    sessionToken === null ? null : await sessions.read(sessionToken, formRequest.address);
  if (pathname === `${path}/sign-in`) return signIn(area, formRequest, session);
  if (pathname === `${path}/invitation`) return acceptInvitation(area, formRequest);
  if (session === null && (await signInOnce(area, formRequest))) return;
  if (session === null) {
    if (method === 'POST') return showExpiredSession(area, formRequest);
    const returnTo = toReturnPath(path, req.url ?? null);
    return sendRedirect(
      res,
      `${path}/sign-in${returnTo === path ? '' : `?${new URLSearchParams({ to: returnTo })}`}`,
    );
  }
  const isPost = method === 'POST';
  const form = isPost
    ? await readSessionForm(
        formRequest,
        sessions,
        session.id,
        area.largeForms?.paths.includes(pathname) ? area.largeForms.maxBytes : undefined,
      )
    : new URLSearchParams();
  if (pathname === `${path}/sign-out`) {
    if (!isPost) throw methodNotAllowed();
    await sessions.signOut(session);
    res.appendHeader('set-cookie', cookies.clearSession());
    return sendRedirect(res, `${path}/sign-in`);
  }
  const acceptLanguage = req.headers['accept-language'] ?? '';
  const response = await area.handle(session, { method, pathname, query, form, acceptLanguage });
  if (response.kind === 'sign_in_again') return showRecentSignIn(area, formRequest, session, form);
  if (response.kind === 'moved') sendRedirect(res, response.to);
  else if (response.kind === 'file') await sendFile(res, response);
  else sendPage(res, response.status, response.document);
}

/**
 * Signs in by a one-time address, or shows why the address is not valid. Returns false for other
 * addresses.
 */
async function signInOnce<S extends Session>(
  area: OperatorArea<S>,
  formRequest: FormRequest,
): Promise<boolean> {
  const { oneTime, sessionMs } = area;
  const { req, res, pathname, query, cookies } = formRequest;
  const token = query.get('once');
  if (oneTime === undefined || token === null || pathname !== oneTime.path) return false;
  if (!oneTime.redeem(token, req.socket.remoteAddress ?? '')) {
    showSignIn(area, formRequest, 401, { to: oneTime.path, problem: 'one_time_link' });
    return true;
  }
  res.appendHeader('set-cookie', cookies.setSession(await oneTime.signIn(), sessionMs / 1000));
  sendRedirect(res, oneTime.path);
  return true;
}

/** Handles a form without a session; the entered values are kept. */
async function showExpiredSession<S extends Session>(
  area: OperatorArea<S>,
  formRequest: FormRequest,
): Promise<void> {
  const { path } = area;
  const isSignOut = formRequest.pathname === `${path}/sign-out`;
  const actionPath = toReturnPath(path, formRequest.pathname);
  const savedForm = isSignOut ? null : createSavedForm(actionPath, await readForm(formRequest));
  return showSignIn(area, formRequest, 401, { problem: 'ended', savedForm });
}

/** Handles a form that requires a recent sign-in; the operator confirms it afterwards. */
async function showRecentSignIn<S extends Session>(
  area: OperatorArea<S>,
  formRequest: FormRequest,
  { name }: S,
  form: URLSearchParams,
): Promise<void> {
  const savedForm = createSavedForm(toReturnPath(area.path, formRequest.pathname), form);
  return showSignIn(area, formRequest, 401, { problem: 'sign_in_too_old', name, savedForm });
}

async function acceptInvitation<S extends Session>(
  area: OperatorArea<S>,
  formRequest: FormRequest,
): Promise<void> {
  const { res, method, query } = formRequest;
  const { sessions, layout, path } = area;
  const messages = operatorMessages(layout.site.language);
  const form = method === 'POST' ? await readForm(formRequest) : null;
  const token = ((form ?? query).get('invitation') ?? '').slice(0, MAX_LENGTHS.token);
  const showPage = async (status: number, problem: string | null) => {
    const name = await sessions.readInvitation(token);
    const visitor = issueVisitorToken(formRequest, sessions);
    const formToken = sessions.formToken({ kind: 'visitor', id: visitor });
    const page = { token, name, problem, formToken, path, label: area.signInPage.label };
    sendPage(res, name === null ? 404 : status, renderInvitationPage(layout, page));
  };
  if (form === null) return showPage(200, null);
  if (!isVisitorForm(formRequest, sessions, form))
    return showPage(403, messages.signInProblems.stale);
  const password = (form.get('password') ?? '').slice(0, MAX_LENGTHS.password);
  if (password !== form.get('again')) return showPage(422, messages.passwordsDiffer);
  const acceptance = await sessions.acceptInvitation({
    token,
    password,
    address: formRequest.address,
  });
  if (acceptance.kind === 'invalid_invitation') return showPage(404, null);
  if (acceptance.kind === 'invalid') {
    return showPage(422, passwordProblemText(acceptance.problems, layout.site.language));
  }
  return showSignIn(area, formRequest, 200, {
    name: acceptance.name,
    notice: messages.invitationAccepted,
  });
}

async function signIn<S extends Session>(
  area: OperatorArea<S>,
  formRequest: FormRequest,
  session: S | null,
): Promise<void> {
  const { res, cookies, client } = formRequest;
  const returnTo = toReturnPath(area.path, formRequest.query.get('to'));
  if (formRequest.method !== 'POST') {
    if (session !== null) return sendRedirect(res, returnTo);
    return showSignIn(area, formRequest, 200, { to: returnTo });
  }
  const form = await readForm(formRequest);
  const formInput = {
    to: toReturnPath(area.path, form.get('to')),
    name: (form.get('name') ?? '').slice(0, MAX_LENGTHS.name),
    savedForm: readSavedForm(form, (at) => toReturnPath(area.path, at)),
  };
  if (!isVisitorForm(formRequest, area.sessions, form)) {
    return showSignIn(area, formRequest, 403, { ...formInput, problem: 'stale' });
  }
  const password = (form.get('password') ?? '').slice(0, MAX_LENGTHS.password);
  const result = await area.sessions.signIn({
    password,
    name: formInput.name,
    code: (form.get('code') ?? '').slice(0, MAX_LENGTHS.code),
    client,
    browserToken: cookies.read(formRequest.req, BROWSER_COOKIE),
  });
  if (result.kind === 'too_many') {
    const waitSeconds = Math.max(1, Math.ceil(result.waitMs / 1000));
    res.setHeader('retry-after', String(waitSeconds));
    return showSignIn(area, formRequest, 429, { ...formInput, problem: 'too_many', waitSeconds });
  }
  if (result.kind === 'code_needed') {
    return showSignIn(area, formRequest, 401, { ...formInput, problem: 'code_needed' });
  }
  if (result.kind === 'code_refused') {
    area.world.log.warn({ client }, 'a wrong one-time code in the operator area');
    return showSignIn(area, formRequest, 401, { ...formInput, problem: 'code_wrong' });
  }
  if (result.kind === 'refused') {
    area.world.log.warn({ client }, 'a wrong name or password in the operator area');
    return showSignIn(area, formRequest, 401, { ...formInput, problem: 'wrong' });
  }
  area.world.log.info({ client, operator: formInput.name }, 'an operator signed in');
  if (session !== null) await area.sessions.signOut(session);
  res.appendHeader('set-cookie', cookies.setSession(result.token, area.sessionMs / 1000));
  const browserCookie = cookies.setCookie(
    BROWSER_COOKIE,
    result.browserToken,
    KNOWN_BROWSER_SECONDS,
  );
  res.appendHeader('set-cookie', browserCookie);
  const newSession =
    formInput.savedForm === null
      ? null
      : await area.sessions.read(result.token, formRequest.address);
  if (formInput.savedForm === null || newSession === null) return sendRedirect(res, formInput.to);
  const formToken = area.sessions.formToken({ kind: 'session', id: newSession.id });
  const options = { formToken, path: area.path, ...area.fieldTexts };
  sendPage(res, 200, renderConfirmationPage(area.layout, formInput.savedForm, options));
}

function showSignIn<S extends Session>(
  area: OperatorArea<S>,
  formRequest: FormRequest,
  status: number,
  page: Partial<SignInPage>,
): void {
  const visitor = issueVisitorToken(formRequest, area.sessions);
  const options = { to: area.path, name: '', problem: null, savedForm: null, ...page, visitor };
  const formToken = area.sessions.formToken({ kind: 'visitor', id: visitor });
  const document = renderOperatorSignIn(area.layout, { ...options, ...area.signInPage, formToken });
  sendPage(formRequest.res, status, document);
}
