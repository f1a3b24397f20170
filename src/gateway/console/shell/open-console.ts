// `/console`, where customers help themselves: who asks comes first, then whether a form is one of
// ours, then the page.

import type { ClientResolver } from '../../../kernel/client-address/client-address.ts';
import { html } from '../../../kernel/html/html.ts';
import {
  type DeskDoor,
  type Entry,
  isVisitorForm,
  keepVisitor,
  noSuchPage,
  notAllowed,
  openDoor,
  readForm,
} from '../../../kernel/web/form-handler.ts';
import { type DeskAssets, failurePage, openDeskAssets } from '../../../kernel/web/form-page.ts';
import { KNOWN_BROWSER_SECONDS } from '../../../kernel/web/known-browser.ts';
import type { Language } from '../../../kernel/web/language.ts';
import { matchRoute } from '../../../kernel/web/match-route.ts';
import { deskPath } from '../../../kernel/web/return-path.ts';
import { sendFile, sendMoved, sendPage } from '../../../kernel/web/send-page.ts';
import { setAccountLanguage } from '../../accounts/account.ts';
import { type From, SESSION_MS, type Session } from '../../accounts/session.ts';
import { openVoucherRedeemer, type VoucherRedeemer } from '../../wallet/credits/voucher-codes.ts';
import { consoleWords } from '../messages/console.ts';
import type {
  ConsoleContext,
  ConsoleParts,
  OutsideAnswer,
  OutsideAsked,
  OutsideContext,
  OutsideRoute,
} from './console-context.ts';
import { framedConsole, framedDoor } from './layout.ts';
import { outsideRoutes } from './outside-routes.ts';
import { consoleRoutes } from './routes.ts';

type Console = ConsoleParts & { readonly assets: DeskAssets; readonly codes: VoucherRedeemer };

const BROWSER_COOKIE = 'gateway_browser';
const LANGUAGE_COOKIE = 'gateway_language';
const LANGUAGE_SECONDS = 365 * 24 * 3_600;
const HOME = '/console';

export function openConsole(parts: ConsoleParts, clients: ClientResolver): DeskDoor {
  const assets = openDeskAssets({
    'copy.js': new URL('../../../kernel/html/assets/copy.js', import.meta.url),
    'console.css': new URL('../assets/console.css', import.meta.url),
    'console.js': new URL('../assets/console.js', import.meta.url),
    'money.css': new URL('../assets/money.css', import.meta.url),
    'plot.css': new URL('../assets/plot.css', import.meta.url),
  });
  const desk: Console = { ...parts, assets, codes: openVoucherRedeemer(parts.world, parts.db) };
  const answer = openDoor({
    world: parts.world,
    clients,
    siteUrl: () => parts.site.url,
    cookies: { session: 'gateway_session', visitor: 'gateway_visitor' },
    enter: (entry) => enter(desk, entry),
    failurePage: (failure, asked) => {
      const context = spoken(desk, asked, null);
      return failurePage(context, failure, { href: HOME, label: context.words.toConsole });
    },
  });
  return { assets: assets.all, answer };
}

async function enter(desk: Console, entry: Entry): Promise<void> {
  const token = entry.cookies.session(entry.req);
  const session = token === null ? null : await desk.sessions.read(token);
  if (entry.pathname === `${HOME}/language`) return setLanguage(desk, entry, session);
  const outside = outsideRoutes.find(({ path }) => path === entry.pathname);
  if (outside !== undefined) return answerOutside(desk, entry, { route: outside, session });
  if (session !== null) return answerInside(desk, entry, session);
  if (entry.method === 'POST') return answerEnded(desk, entry);
  const to = deskPath(HOME, entry.req.url ?? null);
  const query = to === HOME ? '' : `?${new URLSearchParams({ to })}`;
  sendMoved(entry.res, `${HOME}/sign-in${query}`);
}

type Asking = Pick<Entry, 'req' | 'cookies'>;

function languageOf(
  { site }: Console,
  { cookies, req }: Asking,
  session: Session | null,
): Language {
  const chosen = session?.language ?? cookies.read(req, LANGUAGE_COOKIE);
  return chosen === 'en' || chosen === 'zh-CN' ? chosen : site.language;
}

function spoken(desk: Console, entry: Asking, session: Session | null) {
  const language = languageOf(desk, entry, session);
  return { ...desk, site: { ...desk.site, language }, words: consoleWords(language) };
}

const fromOf = ({ client, req, cookies }: Entry): From => ({
  client,
  browserToken: cookies.read(req, BROWSER_COOKIE),
  agent: req.headers['user-agent'] ?? '',
});

function insideContext(desk: Console, entry: Entry, session: Session): ConsoleContext {
  const { accountId: id, email, awaitsVerification, livemode } = session;
  return {
    ...spoken(desk, entry, session),
    session,
    livemode,
    account: { id, email, awaitsVerification },
    formToken: desk.tokens.formToken(session.id),
  };
}

async function answerInside(desk: Console, entry: Entry, session: Session): Promise<void> {
  const { req, res, method, pathname, query, cookies } = entry;
  const { sessions, tokens } = desk;
  const isPosted = method === 'POST';
  const form = isPosted ? await readForm(entry) : new URLSearchParams();
  const isOurs = !isPosted || tokens.isFormToken(session.id, form.get('token') ?? '');
  if (!isOurs) return sendStale(desk, entry, session);
  if (isPosted && pathname === `${HOME}/sign-out`) {
    await sessions.signOut(session);
    res.appendHeader('set-cookie', cookies.forgetSession());
    return sendMoved(res, `${HOME}/sign-in`);
  }
  if (isPosted && pathname === `${HOME}/mode`) {
    await sessions.setMode(session, form.get('livemode') !== 'false');
    return sendMoved(res, deskPath(HOME, form.get('to')));
  }
  const matched = matchRoute(consoleRoutes, method, pathname);
  if (matched.kind === 'unknown') throw noSuchPage();
  if (matched.kind === 'method') throw notAllowed();
  const context = insideContext(desk, entry, session);
  const asked = { params: matched.params, query, form, from: fromOf(entry) };
  const answer = await matched.route.answer(context, asked);
  if (answer.kind === 'moved') return sendMoved(res, answer.to);
  if (answer.kind === 'file') return sendFile(res, answer);
  for (const [name, value] of Object.entries(answer.headers ?? {})) res.setHeader(name, value);
  // Where a form was sent is no place to come back to; the page that it stood on is.
  const path = isPosted ? pageOf(pathname) : deskPath(HOME, req.url ?? null);
  sendPage(res, answer.status ?? 200, framedConsole(context, { ...answer, path, paths }));
}

const paths = consoleRoutes.filter((route) => route.method === 'GET').map(({ path }) => path);
const isPage = (path: string) => matchRoute(consoleRoutes, 'GET', path).kind === 'route';

/** The nearest page at or above an address that only takes forms. */
function pageOf(pathname: string): string {
  const parts = pathname.split('/');
  while (parts.length > 2 && !isPage(parts.join('/'))) parts.pop();
  return parts.join('/');
}

/** The page that a form stood on, as the browser says, if that is one of ours. */
function formPageOf({ req, pathname }: Entry): string {
  const { referer } = req.headers;
  if (referer !== undefined && URL.canParse(referer)) {
    const { pathname: path, search } = new URL(referer);
    if (isPage(path)) return deskPath(HOME, `${path}${search}`);
  }
  return pageOf(pathname);
}

/** A form of another session, or of none: nothing is done, and the way back is shown. */
function sendStale(desk: Console, entry: Entry, session: Session): void {
  const context = insideContext(desk, entry, session);
  const { words } = context;
  const to = formPageOf(entry);
  const body = html`<h1>${words.staleTitle}</h1><p class="explains">${words.staleAbout}</p>
<p class="more"><a class="button" href="${to}" data-kept>${words.staleBack}</a></p>`;
  const framed = { title: words.staleTitle, body, path: to, paths };
  sendPage(entry.res, 403, framedConsole(context, framed));
}

function outsideContext(desk: Console, entry: Entry, session: Session | null): OutsideContext {
  const { tokens } = desk;
  return {
    ...spoken(desk, entry, session),
    formToken: tokens.formToken(keepVisitor(entry, tokens)),
  };
}

async function answerOutside(
  desk: Console,
  entry: Entry,
  { route, session }: { readonly route: OutsideRoute; readonly session: Session | null },
): Promise<void> {
  const { method, query } = entry;
  const isPosted = method === 'POST';
  if (isPosted && route.post === undefined) throw notAllowed();
  const form = isPosted ? await readForm(entry) : new URLSearchParams();
  const isOurs = !isPosted || isVisitorForm(entry, desk.tokens, form);
  const context = outsideContext(desk, entry, session);
  const asked: OutsideAsked = {
    query,
    form,
    from: fromOf(entry),
    isSignedIn: session !== null,
    notice: isOurs ? null : 'stale',
  };
  if (isPosted && isOurs && route.post !== undefined) {
    return sendOutside(desk, entry, context, session, await route.post(context, asked));
  }
  const answer = await route.show(context, asked);
  const refused = isOurs || answer.kind !== 'page' ? answer : { ...answer, status: 403 };
  await sendOutside(desk, entry, context, session, refused);
}

async function answerEnded(desk: Console, entry: Entry): Promise<void> {
  const route = outsideRoutes.find(({ path }) => path === `${HOME}/sign-in`);
  if (route === undefined) throw noSuchPage();
  const context = outsideContext(desk, entry, null);
  // Back to where the form stood, whose script gives back what was typed.
  const query = new URLSearchParams({ to: formPageOf(entry) });
  const form = new URLSearchParams();
  const asked = { query, form, from: fromOf(entry), isSignedIn: false, notice: 'ended' } as const;
  const answer = await route.show(context, asked);
  const refused = answer.kind === 'page' ? { ...answer, status: 401 } : answer;
  await sendOutside(desk, { ...entry, pathname: route.path }, context, null, refused);
}

async function sendOutside(
  desk: Console,
  { req, res, cookies, pathname }: Entry,
  context: OutsideContext,
  session: Session | null,
  answer: OutsideAnswer,
): Promise<void> {
  if (answer.kind === 'moved') return sendMoved(res, answer.to);
  if (answer.kind === 'signed_in') {
    // Whoever was signed in on this browser before is not any more.
    if (session !== null) await desk.sessions.signOut(session);
    res.appendHeader('set-cookie', cookies.keepSession(answer.token, SESSION_MS / 1000));
    const begun = await desk.sessions.read(answer.token);
    if (begun !== null) {
      const token = desk.browsers.issue(begun.accountId);
      const known = cookies.keep(BROWSER_COOKIE, token, KNOWN_BROWSER_SECONDS);
      res.appendHeader('set-cookie', known);
    }
    return sendMoved(res, answer.to);
  }
  for (const [name, value] of Object.entries(answer.headers ?? {})) res.setHeader(name, value);
  const path = req.method === 'POST' ? pathname : deskPath(HOME, req.url ?? null);
  sendPage(res, answer.status ?? 200, framedDoor(context, { ...answer, path }));
}

async function setLanguage(desk: Console, entry: Entry, session: Session | null): Promise<void> {
  if (entry.method !== 'POST') throw notAllowed();
  const { res, cookies } = entry;
  const form = await readForm(entry);
  const { tokens } = desk;
  const token = form.get('token') ?? '';
  const isOurs =
    (session !== null && tokens.isFormToken(session.id, token)) ||
    isVisitorForm(entry, tokens, form);
  const language = form.get('language') === 'zh-CN' ? 'zh-CN' : 'en';
  if (isOurs) {
    if (session !== null) await setAccountLanguage(desk.db, session.accountId, language);
    res.appendHeader('set-cookie', cookies.keep(LANGUAGE_COOKIE, language, LANGUAGE_SECONDS));
  }
  sendMoved(res, deskPath(HOME, form.get('to')));
}
