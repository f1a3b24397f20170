// Serves `/console`, the pages for customers. Each request passes three steps: identify the
// visitor, verify the form token, call the page.

import type { ClientResolver } from '../../../kernel/client-address/client-address.ts';
import { html } from '../../../kernel/html/html.ts';
import type { RateLimit } from '../../../kernel/rate-limit/gcra.ts';
import { DAY_MS } from '../../../kernel/time/durations.ts';
import {
  type FormHandler,
  type FormRequest,
  issueVisitorToken,
  isVisitorForm,
  methodNotAllowed,
  openFormHandler,
  pageNotFound,
  readForm,
} from '../../../kernel/web/form-handler.ts';
import { openFormAssets, renderFailurePage } from '../../../kernel/web/form-page.ts';
import { KNOWN_BROWSER_SECONDS } from '../../../kernel/web/known-browser.ts';
import type { Language } from '../../../kernel/web/language.ts';
import { matchRoute } from '../../../kernel/web/match-route.ts';
import { isRecentSignIn } from '../../../kernel/web/recent-sign-in.ts';
import { toReturnPath } from '../../../kernel/web/return-path.ts';
import {
  createSavedForm,
  readSavedForm,
  renderConfirmationPage,
} from '../../../kernel/web/saved-form.ts';
import { sendFile, sendPage, sendRedirect } from '../../../kernel/web/send-page.ts';
import { setAccountLanguage } from '../../accounts/account.ts';
import { SESSION_MS, type Session, type SessionOrigin } from '../../accounts/session.ts';
import { openVoucherRedeemer } from '../../wallet/credits/voucher-codes.ts';
import { openReliability } from '../../wallet/history/read-reliability.ts';
import { consoleMessages } from '../messages/console.ts';
import { moneyMessages } from '../messages/money.ts';
import { webhookMessages } from '../messages/webhooks.ts';
import type {
  ConsoleContext,
  ConsoleDeps,
  VisitorContext,
  VisitorRequest,
  VisitorResponse,
  VisitorRoute,
} from './console-context.ts';
import { renderConsolePage, renderVisitorPage } from './layout.ts';
import { consoleRoutes } from './routes.ts';
import { visitorRoutes } from './visitor-routes.ts';

type ConsoleApp = ConsoleDeps & Pick<VisitorContext, 'assets' | 'codes' | 'reliability'>;

const BROWSER_COOKIE = 'gateway_browser';
const SIGN_UP_COOKIE = 'gateway_sign_up';
const LANGUAGE_COOKIE = 'gateway_language';
const LANGUAGE_SECONDS = 365 * 24 * 3_600;
const HOME = '/console';

/** `rate`: limit of pages per client address; null: no limit. */
export function openConsole(
  deps: ConsoleDeps,
  { clients, rate }: { readonly clients: ClientResolver; readonly rate: RateLimit | null },
): FormHandler {
  const assets = openFormAssets({
    'copy.js': new URL('../../../kernel/html/assets/copy.js', import.meta.url),
    'console.css': new URL('../assets/console.css', import.meta.url),
    'console.js': new URL('../assets/console.js', import.meta.url),
    'proof-of-work.js': new URL('../assets/proof-of-work.js', import.meta.url),
    'money.css': new URL('../assets/money.css', import.meta.url),
    'plot.css': new URL('../assets/plot.css', import.meta.url),
  });
  const consoleApp: ConsoleApp = {
    ...deps,
    assets,
    codes: openVoucherRedeemer(deps.world, deps.db),
    reliability: openReliability(deps.world, deps.db),
  };
  const handle = openFormHandler({
    world: deps.world,
    clients,
    rate,
    siteUrl: () => deps.site.url,
    cookies: { session: 'gateway_session', visitor: 'gateway_visitor' },
    handleRequest: (request) => handleRequest(consoleApp, request),
    failurePage: (failure, request) => {
      const context = createLocalizedContext(consoleApp, request, null);
      return renderFailurePage(context, failure, { href: HOME, label: context.messages.toConsole });
    },
  });
  return { assets: assets.all, handle };
}

async function handleRequest(consoleApp: ConsoleApp, formRequest: FormRequest): Promise<void> {
  const isConsole = formRequest.pathname === HOME || formRequest.pathname.startsWith(`${HOME}/`);
  // The gateway also forwards page requests that match none of its routes.
  if (!isConsole) throw pageNotFound();
  const token = formRequest.cookies.session(formRequest.req);
  const session = token === null ? null : await consoleApp.sessions.read(token);
  if (formRequest.pathname === `${HOME}/language`)
    return setLanguage(consoleApp, formRequest, session);
  const visitorRoute = visitorRoutes.find(({ path }) => path === formRequest.pathname);
  if (visitorRoute !== undefined)
    return handleVisitor(consoleApp, formRequest, { route: visitorRoute, session });
  if (session !== null) return handleSession(consoleApp, formRequest, session);
  if (formRequest.method === 'POST') return handleEndedSession(consoleApp, formRequest);
  const to = toReturnPath(HOME, formRequest.req.url ?? null);
  const query = to === HOME ? '' : `?${new URLSearchParams({ to })}`;
  sendRedirect(formRequest.res, `${HOME}/sign-in${query}`);
}

type RequestCookies = Pick<FormRequest, 'req' | 'cookies'>;

function selectLanguage(
  { site }: ConsoleApp,
  { cookies, req }: RequestCookies,
  session: Session | null,
): Language {
  const chosenLanguage = session?.language ?? cookies.read(req, LANGUAGE_COOKIE);
  return chosenLanguage === 'en' || chosenLanguage === 'zh-CN' ? chosenLanguage : site.language;
}

function createLocalizedContext(
  consoleApp: ConsoleApp,
  formRequest: RequestCookies,
  session: Session | null,
) {
  const language = selectLanguage(consoleApp, formRequest, session);
  return {
    ...consoleApp,
    site: { ...consoleApp.site, language },
    messages: consoleMessages(language),
  };
}

const readSignUpToken = ({ req, cookies }: FormRequest): string =>
  cookies.read(req, SIGN_UP_COOKIE) ?? '';

const originOf = ({ address, client, req, cookies }: FormRequest): SessionOrigin => ({
  address,
  client,
  browserToken: cookies.read(req, BROWSER_COOKIE),
  agent: req.headers['user-agent'] ?? '',
});

function createSessionContext(
  consoleApp: ConsoleApp,
  formRequest: FormRequest,
  session: Session,
): ConsoleContext {
  const { accountId: id, email, awaitsVerification, livemode } = session;
  return {
    ...createLocalizedContext(consoleApp, formRequest, session),
    session,
    livemode,
    account: { id, email, awaitsVerification },
    formToken: consoleApp.tokens.formToken({ kind: 'session', id: session.id }),
  };
}

async function handleSession(
  consoleApp: ConsoleApp,
  formRequest: FormRequest,
  session: Session,
): Promise<void> {
  const { req, res, method, pathname, query, cookies } = formRequest;
  const { sessions, tokens } = consoleApp;
  const isPosted = method === 'POST';
  const form = isPosted ? await readForm(formRequest) : new URLSearchParams();
  const subject = { kind: 'session', id: session.id } as const;
  const hasValidToken = !isPosted || tokens.isFormToken(subject, form.get('token') ?? '');
  if (!hasValidToken) return sendExpiredFormPage(consoleApp, formRequest, session);
  if (isPosted && pathname === `${HOME}/sign-out`) {
    await sessions.signOut(session);
    res.appendHeader('set-cookie', cookies.clearSession());
    return sendRedirect(res, `${HOME}/sign-in`);
  }
  if (isPosted && pathname === `${HOME}/mode`) {
    await sessions.setMode(session, form.get('livemode') !== 'false');
    return sendRedirect(res, toReturnPath(HOME, form.get('to')));
  }
  const routeMatch = matchRoute(consoleRoutes, method, pathname);
  if (routeMatch.kind === 'unknown') throw pageNotFound();
  if (routeMatch.kind === 'method') throw methodNotAllowed();
  const context = createSessionContext(consoleApp, formRequest, session);
  const request = { params: routeMatch.params, query, form, from: originOf(formRequest) };
  const { isSensitive } = routeMatch.route;
  const needsSignIn = isPosted && !isRecentSignIn(session, consoleApp.world.clock.now());
  if (needsSignIn && (await isSensitive?.(context, request))) {
    return showSignInWithForm(consoleApp, formRequest, session, form);
  }
  const response = await routeMatch.route.handle(context, request);
  if (response.kind === 'moved') return sendRedirect(res, response.to);
  if (response.kind === 'file') return sendFile(res, response);
  for (const [name, value] of Object.entries(response.headers ?? {})) res.setHeader(name, value);
  // The mode and language switches return to a page, not to an address that only accepts forms.
  const path = isPosted ? findPage(pathname) : toReturnPath(HOME, req.url ?? null);
  sendPage(res, response.status ?? 200, renderConsolePage(context, { ...response, path, paths }));
}

const paths = consoleRoutes.filter((route) => route.method === 'GET').map(({ path }) => path);
const isPagePath = (path: string) => matchRoute(consoleRoutes, 'GET', path).kind === 'route';

/** Finds the nearest page at or above an address that only accepts forms. */
function findPage(pathname: string): string {
  const segments = pathname.split('/');
  while (segments.length > 2 && !isPagePath(segments.join('/'))) segments.pop();
  return segments.join('/');
}

/** Finds the page that contained the form: the Referer header, if it is a console page. */
function findFormPage({ req, pathname }: FormRequest): string {
  const { referer } = req.headers;
  if (referer !== undefined && URL.canParse(referer)) {
    const { pathname: path, search } = new URL(referer);
    if (isPagePath(path)) return toReturnPath(HOME, `${path}${search}`);
  }
  return findPage(pathname);
}

/**
 * Refuses a form whose token belongs to another session. Nothing is changed, and the page shows a
 * link back to the form.
 */
function sendExpiredFormPage(
  consoleApp: ConsoleApp,
  formRequest: FormRequest,
  session: Session,
): void {
  const context = createSessionContext(consoleApp, formRequest, session);
  const { messages } = context;
  const to = findFormPage(formRequest);
  const body = html`<h1>${messages.staleTitle}</h1><p class="explains">${messages.staleAbout}</p>
<p class="more"><a class="button" href="${to}" data-kept>${messages.staleBack}</a></p>`;
  const page = { title: messages.staleTitle, body, path: to, paths };
  sendPage(formRequest.res, 403, renderConsolePage(context, page));
}

function createVisitorContext(
  consoleApp: ConsoleApp,
  formRequest: FormRequest,
  session: Session | null,
): VisitorContext {
  const { tokens } = consoleApp;
  return {
    ...createLocalizedContext(consoleApp, formRequest, session),
    formToken: tokens.formToken({ kind: 'visitor', id: issueVisitorToken(formRequest, tokens) }),
  };
}

async function handleVisitor(
  consoleApp: ConsoleApp,
  formRequest: FormRequest,
  { route, session }: { readonly route: VisitorRoute; readonly session: Session | null },
): Promise<void> {
  const { method, query } = formRequest;
  const isPosted = method === 'POST';
  if (isPosted && route.post === undefined) throw methodNotAllowed();
  const form = isPosted ? await readForm(formRequest) : new URLSearchParams();
  const hasValidToken = !isPosted || isVisitorForm(formRequest, consoleApp.tokens, form);
  const context = createVisitorContext(consoleApp, formRequest, session);
  const request: VisitorRequest = {
    query,
    form,
    from: originOf(formRequest),
    accountId: session?.accountId ?? null,
    livemode: session?.livemode ?? true,
    signUpToken: readSignUpToken(formRequest),
    savedForm: readSavedForm(form, (at) => toReturnPath(HOME, at)),
    notice: hasValidToken ? null : 'stale',
  };
  if (isPosted && hasValidToken && route.post !== undefined) {
    return sendVisitorResponse(
      consoleApp,
      formRequest,
      context,
      session,
      await route.post(context, request),
    );
  }
  const response = await route.show(context, request);
  const responseWithStatus =
    hasValidToken || response.kind !== 'page' ? response : { ...response, status: 403 };
  await sendVisitorResponse(consoleApp, formRequest, context, session, responseWithStatus);
}

/**
 * Shows the sign-in page without the form, because the browser's script restores the typed text.
 */
const handleEndedSession = (consoleApp: ConsoleApp, formRequest: FormRequest): Promise<void> =>
  showSignIn(consoleApp, formRequest, null, { notice: 'ended', savedForm: null, email: '' });

/** Shows the sign-in page with the form, which the user confirms after the sign-in. */
const showSignInWithForm = (
  consoleApp: ConsoleApp,
  formRequest: FormRequest,
  session: Session,
  form: URLSearchParams,
): Promise<void> => {
  const savedForm = createSavedForm(toReturnPath(HOME, formRequest.pathname), form);
  return showSignIn(consoleApp, formRequest, session, {
    notice: 'sign_in_too_old',
    savedForm,
    email: session.email,
  });
};

async function showSignIn(
  consoleApp: ConsoleApp,
  formRequest: FormRequest,
  session: Session | null,
  {
    notice,
    savedForm,
    email,
  }: Pick<VisitorRequest, 'notice' | 'savedForm'> & { readonly email: string },
): Promise<void> {
  const route = visitorRoutes.find(({ path }) => path === `${HOME}/sign-in`);
  if (route === undefined) throw pageNotFound();
  const context = createVisitorContext(consoleApp, formRequest, session);
  const response = await route.show(context, {
    query: new URLSearchParams({ to: findFormPage(formRequest) }),
    form: new URLSearchParams({ email }),
    from: originOf(formRequest),
    accountId: session?.accountId ?? null,
    livemode: session?.livemode ?? true,
    signUpToken: readSignUpToken(formRequest),
    notice,
    savedForm,
  });
  const responseWithStatus = response.kind === 'page' ? { ...response, status: 401 } : response;
  const pageRequest = { ...formRequest, pathname: route.path };
  await sendVisitorResponse(consoleApp, pageRequest, context, session, responseWithStatus);
}

async function sendVisitorResponse(
  consoleApp: ConsoleApp,
  { req, res, cookies, pathname }: FormRequest,
  context: VisitorContext,
  session: Session | null,
  response: VisitorResponse,
): Promise<void> {
  if (response.kind === 'moved') return sendRedirect(res, response.to);
  if (response.kind === 'signed_up') {
    const { browserToken, to } = response;
    res.appendHeader('set-cookie', cookies.setCookie(SIGN_UP_COOKIE, browserToken, DAY_MS / 1000));
    return sendRedirect(res, to);
  }
  if (response.kind === 'signed_in') {
    // A new sign-in ends the previous session of this browser.
    if (session !== null) await consoleApp.sessions.signOut(session);
    res.appendHeader('set-cookie', cookies.setSession(response.token, SESSION_MS / 1000));
    const newSession = await consoleApp.sessions.read(response.token);
    if (newSession !== null) {
      const token = consoleApp.browsers.issue(newSession.accountId);
      const browserCookie = cookies.setCookie(BROWSER_COOKIE, token, KNOWN_BROWSER_SECONDS);
      res.appendHeader('set-cookie', browserCookie);
    }
    const savedForm = response.savedForm ?? null;
    // A form of one account is not submitted for another account.
    const isSameAccount = newSession !== null && session?.accountId === newSession.accountId;
    if (savedForm === null || !isSameAccount) return sendRedirect(res, response.to);
    const formToken = consoleApp.tokens.formToken({ kind: 'session', id: newSession.id });
    const fieldTexts = { labels: savedFormLabels(context), choices: savedFormChoices(context) };
    return sendPage(
      res,
      200,
      renderConfirmationPage(context, savedForm, { formToken, path: response.to, ...fieldTexts }),
    );
  }
  for (const [name, value] of Object.entries(response.headers ?? {})) res.setHeader(name, value);
  const path = req.method === 'POST' ? pathname : toReturnPath(HOME, req.url ?? null);
  sendPage(res, response.status ?? 200, renderVisitorPage(context, { ...response, path }));
}

const savedFormLabels = ({ messages, site }: VisitorContext): Readonly<Record<string, string>> => ({
  address: messages.address,
  url: webhookMessages(site.language).url,
  event: webhookMessages(site.language).events,
  name: messages.keyName,
  kind: messages.key,
  scope: messages.keyScopes,
  networks: messages.networks,
  budget: messages.budget,
  period: messages.per,
  expires: messages.expires,
  overlap: messages.overlap,
});

const savedFormChoices = ({ messages, site }: VisitorContext) => ({
  kind: messages.kindNames,
  event: webhookMessages(site.language).eventNames,
  scope: moneyMessages(site.language).names,
  expires: messages.expiresChoices,
  period: messages.periods,
  overlap: messages.overlaps,
});

async function setLanguage(
  consoleApp: ConsoleApp,
  formRequest: FormRequest,
  session: Session | null,
): Promise<void> {
  if (formRequest.method !== 'POST') throw methodNotAllowed();
  const { res, cookies } = formRequest;
  const form = await readForm(formRequest);
  const { tokens } = consoleApp;
  const token = form.get('token') ?? '';
  const hasValidToken =
    (session !== null && tokens.isFormToken({ kind: 'session', id: session.id }, token)) ||
    isVisitorForm(formRequest, tokens, form);
  const language = form.get('language') === 'zh-CN' ? 'zh-CN' : 'en';
  if (hasValidToken) {
    if (session !== null) await setAccountLanguage(consoleApp.db, session.accountId, language);
    res.appendHeader('set-cookie', cookies.setCookie(LANGUAGE_COOKIE, language, LANGUAGE_SECONDS));
  }
  sendRedirect(res, toReturnPath(HOME, form.get('to')));
}
