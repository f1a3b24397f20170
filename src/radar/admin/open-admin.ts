// `/admin`, the operators' desk: who asks comes first, then whether a form is one of ours, then the
// page. Nothing of it is ever cached or found by search engines.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { clientKey } from '../../kernel/client/address.ts';
import { clientAddresses } from '../../kernel/client/client-address.ts';
import { readNetworks } from '../../kernel/client/networks.ts';
import { codes } from '../../kernel/codes.ts';
import { Fault, messageOf } from '../../kernel/fault.ts';
import { type Asset, type Assets, openAssets } from '../../kernel/html/assets.ts';
import { html } from '../../kernel/html/html.ts';
import { pageSecurity } from '../../kernel/html/page.ts';
import { readFormBody } from '../../kernel/read-form-body.ts';
import { type OperatorSession, SESSION_MS } from '../operators/sessions.ts';
import type { AdminContext, DeskContext } from './admin-context.ts';
import { deskCookies } from './cookies.ts';
import { bare, framedDesk } from './frame.ts';
import { matchRoute } from './routes.ts';
import { deskPath, type SignInPage, signInPage } from './sign-in.ts';
import { adminWords } from './words.ts';

export type AdminDoor = {
  readonly assets: readonly Asset[];
  /** Answers every request below `/admin`. */
  answer(req: IncomingMessage, res: ServerResponse): Promise<void>;
};

const kernelAssets = new URL('../../kernel/html/assets/', import.meta.url);
const FORM = { maxBytes: 256 * 1024, tooLarge: 'This form is too large.' };

type Desk = AdminContext & {
  readonly assets: Assets;
  readonly clientOf: (req: IncomingMessage) => string;
};

/** `trustProxy`: networks of proxies whose forwarding headers are believed. */
export function openAdmin(given: AdminContext, trustProxy: readonly string[]): AdminDoor {
  const assets = openAssets({
    'serif.woff2': new URL(
      import.meta.resolve(
        '@fontsource-variable/source-serif-4/files/source-serif-4-latin-wght-normal.woff2',
      ),
    ),
    'icon.svg': new URL('icon.svg', kernelAssets),
    'page.css': new URL('page.css', kernelAssets),
    'admin.css': new URL('assets/admin.css', import.meta.url),
    'admin.js': new URL('assets/admin.js', import.meta.url),
  });
  const trusted = readNetworks(trustProxy, 'TRUST_PROXY');
  const clientOf = ({ socket, headers }: IncomingMessage) =>
    clientKey(clientAddresses(socket.remoteAddress ?? '', headers, trusted).at(-1) ?? '');
  const desk: Desk = { ...given, assets, clientOf };
  return {
    assets: assets.all,
    answer: async (req, res) => {
      try {
        await enter(desk, req, res);
      } catch (error) {
        sendFailure(desk, res, error);
      }
    },
  };
}

async function enter(desk: Desk, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(req.url ?? '/', 'http://desk.invalid');
  const method = req.method === 'HEAD' ? 'GET' : (req.method ?? 'GET');
  if (method !== 'GET' && method !== 'POST') throw notAllowed();
  if (method === 'POST') refuseOtherSites(req);
  const cookies = deskCookies(desk.site.url);
  const token = cookies.session(req);
  const session = token === null ? null : await desk.sessions.read(token);
  if (pathname === '/admin/sign-in') return signIn(desk, req, res, { session, searchParams });
  if (session === null) {
    if (method === 'POST') return showSignIn(desk, req, res, 401, { problem: 'ended' });
    const to = deskPath(req.url ?? null);
    const query = to === '/admin' ? '' : `?${new URLSearchParams({ to })}`;
    return move(res, `/admin/sign-in${query}`);
  }
  const form = method === 'POST' ? await readFormBody(req, FORM) : new URLSearchParams();
  if (method === 'POST' && !desk.sessions.isFormToken(session.id, form.get('token') ?? '')) {
    throw new Fault('forbidden', 'This form is not from a page of this session. Load it again.');
  }
  if (pathname === '/admin/sign-out') {
    if (method !== 'POST') throw notAllowed();
    await desk.sessions.signOut(session);
    res.setHeader('set-cookie', cookies.forgetSession());
    return move(res, '/admin/sign-in');
  }
  const context = { ...desk, session, formToken: desk.sessions.formToken(session.id) };
  await answerRoute(context, res, { method, pathname, query: searchParams, form });
}

async function answerRoute(
  context: DeskContext,
  res: ServerResponse,
  asked: { method: string; pathname: string; query: URLSearchParams; form: URLSearchParams },
): Promise<void> {
  const matched = matchRoute(asked.method, asked.pathname);
  if (matched.kind === 'unknown') throw new Fault('not_found', 'There is no such page.');
  if (matched.kind === 'method') throw notAllowed();
  const { query, form } = asked;
  const answer = await matched.route.answer(context, { params: matched.params, query, form });
  if (answer.kind === 'moved') return move(res, answer.to);
  send(res, answer.status ?? 200, framedDesk(context, answer));
}

const notAllowed = () =>
  new Fault('method_not_allowed', 'This page cannot be asked for like that.');

/** Browsers say where a request comes from; those that do not say are held by the form's token. */
function refuseOtherSites({ headers }: IncomingMessage): void {
  const from = headers['sec-fetch-site'];
  if (from === undefined || from === 'same-origin' || from === 'none') return;
  throw new Fault('forbidden', 'This form was sent from another site.');
}

async function signIn(
  desk: Desk,
  req: IncomingMessage,
  res: ServerResponse,
  asked: { session: OperatorSession | null; searchParams: URLSearchParams },
): Promise<void> {
  const to = deskPath(asked.searchParams.get('to'));
  if (req.method !== 'POST') {
    if (asked.session !== null) return move(res, to);
    return showSignIn(desk, req, res, 200, { to });
  }
  const cookies = deskCookies(desk.site.url);
  const form = await readFormBody(req, FORM);
  const typed = { to: deskPath(form.get('to')), name: (form.get('name') ?? '').slice(0, 60) };
  const visitor = cookies.visitor(req);
  if (visitor === null || !desk.sessions.isFormToken(visitor, form.get('token') ?? '')) {
    return showSignIn(desk, req, res, 403, { ...typed, problem: 'stale' });
  }
  const password = (form.get('password') ?? '').slice(0, 1_000);
  const client = desk.clientOf(req);
  const signed = await desk.sessions.signIn({ password, name: typed.name, client });
  if (signed.kind === 'too_many') {
    const wait = Math.max(1, Math.ceil(signed.waitMs / 1000));
    res.setHeader('retry-after', String(wait));
    return showSignIn(desk, req, res, 429, { ...typed, problem: 'too_many', wait });
  }
  if (signed.kind === 'refused') {
    desk.world.log.warn({ client }, 'a wrong password at the operators’ desk');
    return showSignIn(desk, req, res, 401, { ...typed, problem: 'wrong' });
  }
  res.setHeader('set-cookie', cookies.keepSession(signed.token, SESSION_MS / 1000));
  move(res, typed.to);
}

function showSignIn(
  desk: Desk,
  req: IncomingMessage,
  res: ServerResponse,
  status: number,
  page: Partial<SignInPage>,
): void {
  const cookies = deskCookies(desk.site.url);
  const visitor = cookies.visitor(req) ?? desk.sessions.newVisitor();
  res.setHeader('set-cookie', cookies.keepVisitor(visitor));
  // What was posted and never read must not be taken for the next request.
  if (req.method === 'POST' && !req.complete) res.setHeader('connection', 'close');
  const whole = { to: '/admin', name: '', problem: null, ...page, visitor };
  send(res, status, signInPage(desk, whole));
}

const headers = {
  ...pageSecurity,
  'cache-control': 'no-store',
  'x-robots-tag': 'noindex, nofollow',
  'x-content-type-options': 'nosniff',
  // Where an operator was is nobody's business.
  'referrer-policy': 'same-origin',
} as const;

function send(res: ServerResponse, status: number, body: string): void {
  res.writeHead(status, {
    ...headers,
    'content-type': 'text/html; charset=utf-8',
    'content-length': Buffer.byteLength(body),
  });
  res.end(res.req.method === 'HEAD' ? undefined : body);
}

function move(res: ServerResponse, location: string): void {
  res.writeHead(303, { ...headers, location, 'content-length': '0' });
  res.end();
}

function sendFailure(desk: Desk, res: ServerResponse, error: unknown): void {
  const fault =
    error instanceof Fault
      ? error
      : new Fault('temporarily_unavailable', 'The desk cannot do this right now. Try again.');
  const { status } = codes[fault.code];
  const requestId = `req_${desk.world.ids.next()}`;
  if (status >= 500) {
    const internal = error instanceof Error ? (error.stack ?? error.message) : messageOf(error);
    desk.world.log.error({ requestId, code: fault.code, internal }, fault.message);
  }
  const words = adminWords(desk.site.language);
  const title = status === 404 ? words.notFound : words.failed;
  if (res.req.method === 'POST' && !res.req.complete) res.setHeader('connection', 'close');
  send(
    res,
    status,
    bare(desk, {
      title,
      body: html`<main id="main" tabindex="-1" class="door"><p class="label">${status}</p>
<h1>${title}</h1><p class="explains">${status >= 500 ? words.failedOurs : words.failedAsked}</p>
<p class="detail" lang="en">${fault.message}</p>
<p class="more"><a class="button" href="/admin">${words.toDesk}</a></p>
<p class="meta spaced"><span>${requestId}</span></p></main>`,
    }),
  );
}
