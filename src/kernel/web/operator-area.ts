// An area behind the operator password: session, form token, then the page. The sign-in form has a
// token bound to a cookie of the visitor, which prevents login CSRF.
import type { World } from '../world.ts';
import {
  type DeskDoor,
  type DoorOptions,
  type Entry,
  isVisitorForm,
  keepVisitor,
  notAllowed,
  openDoor,
  readForm,
  readSessionForm,
} from './form-handler.ts';
import { type Dressed, failurePage } from './form-page.ts';
import type { FormTokens } from './form-token.ts';
import { KNOWN_BROWSER_SECONDS } from './known-browser.ts';
import { operatorSignIn, type SignInPage, type SignInWords } from './operator-sign-in.ts';
import { deskPath } from './return-path.ts';
import { keptForm, keptIn, keptPage } from './saved-form.ts';
import { sendFile, sendMoved, sendPage } from './send-page.ts';

type Session = { readonly id: string };

export type SignedIn =
  /** Both tokens: for cookies, and nowhere else. */
  | { readonly kind: 'signed_in'; readonly token: string; readonly browserToken: string }
  | { readonly kind: 'refused' }
  | { readonly kind: 'too_many'; readonly waitMs: number };

export type OperatorSignInInput = {
  readonly password: string;
  readonly name: string;
  readonly client: string;
  /** Absent or null: a browser that never signed in. */
  readonly browserToken?: string | null;
};

/** Both admin areas share it: they share the password. */
const BROWSER_COOKIE = 'operator_browser';

export type DeskSessions<S extends Session> = FormTokens & {
  /** `client`: the key of the client's address; `browserToken`: of a browser that was here. */
  signIn(input: OperatorSignInInput): Promise<SignedIn>;
  /** The session of a token; null when the token is unknown or expired. */
  read(token: string): Promise<S | null>;
  signOut(session: S): Promise<void>;
};

export type DeskAsked = {
  readonly method: 'GET' | 'POST';
  readonly pathname: string;
  readonly query: URLSearchParams;
  /** Empty unless it was posted. */
  readonly form: URLSearchParams;
};

export type OperatorDesk<S extends Session> = Omit<DoorOptions, 'enter' | 'failurePage'> & {
  readonly world: World;
  /** Below which all its pages are: `/admin`. */
  readonly path: string;
  readonly sessions: DeskSessions<S>;
  readonly sessionMs: number;
  readonly dressed: Dressed;
  readonly words: SignInWords & { readonly toDesk: string };
  /** The sign-in page: the name of the area above the heading, and a link elsewhere. */
  readonly door: {
    readonly label: string;
    readonly back: { readonly href: string; readonly label: string };
  };
  /** Handles a request of a signed-in operator. */
  readonly oneTime?: {
    readonly path: string;
    /** True once, for a token that was issued and a peer that may use it. */
    redeem(token: string, address: string): boolean;
    /** The token of a new session. */
    signIn(): Promise<string>;
  };
  /** Paths whose forms hold an uploaded text, and the most bytes of such a form. */
  readonly largeForms?: { readonly paths: readonly string[]; readonly maxBytes: number };
  /** For whoever is signed in. */
  answer(session: S, asked: DeskAsked): Promise<DeskAnswer>;
};

export type DeskAnswer =
  | { readonly kind: 'page'; readonly status: number; readonly document: string }
  | { readonly kind: 'moved'; readonly to: string }
  | TextDownload;

/** A text to download; `name` in plain letters. */
export type TextDownload = {
  readonly kind: 'file';
  readonly name: string;
  readonly type: string;
  readonly text: string;
};

export function openOperatorDesk<S extends Session>(desk: OperatorDesk<S>): DeskDoor['answer'] {
  const back = { href: desk.path, label: desk.words.toDesk };
  return openDoor({
    ...desk,
    enter: (entry) => enter(desk, entry),
    failurePage: (failure) => failurePage(desk.dressed, failure, back),
  });
}

async function enter<S extends Session>(desk: OperatorDesk<S>, entry: Entry): Promise<void> {
  const { req, res, method, pathname, query, cookies } = entry;
  const { path, sessions } = desk;
  const token = cookies.session(req);
  const session = token === null ? null : await sessions.read(token);
  if (pathname === `${path}/sign-in`) return signIn(desk, entry, session);
  if (session === null && (await signInOnce(desk, entry))) return;
  if (session === null) {
    if (method === 'POST') return askAgain(desk, entry);
    const to = deskPath(path, req.url ?? null);
    return sendMoved(res, `${path}/sign-in${to === path ? '' : `?${new URLSearchParams({ to })}`}`);
  }
  const isPosted = method === 'POST';
  const form = isPosted
    ? await readSessionForm(
        entry,
        sessions,
        session.id,
        desk.largeForms?.paths.includes(pathname) ? desk.largeForms.maxBytes : undefined,
      )
    : new URLSearchParams();
  if (pathname === `${path}/sign-out`) {
    if (!isPosted) throw notAllowed();
    await sessions.signOut(session);
    res.appendHeader('set-cookie', cookies.forgetSession());
    return sendMoved(res, `${path}/sign-in`);
  }
  const answer = await desk.answer(session, { method, pathname, query, form });
  if (answer.kind === 'moved') sendMoved(res, answer.to);
  else if (answer.kind === 'file') sendFile(res, answer);
  else sendPage(res, answer.status, answer.document);
}

/** Signs in by a one-time address; false when the request is not a valid one. */
async function signInOnce<S extends Session>(
  { oneTime, sessionMs }: OperatorDesk<S>,
  { req, res, pathname, query, cookies }: Entry,
): Promise<boolean> {
  const token = query.get('once');
  if (oneTime === undefined || token === null || pathname !== oneTime.path) return false;
  if (!oneTime.redeem(token, req.socket.remoteAddress ?? '')) return false;
  res.appendHeader('set-cookie', cookies.keepSession(await oneTime.signIn(), sessionMs / 1000));
  sendMoved(res, oneTime.path);
  return true;
}

/** A form without a session: what was typed comes along. */
async function askAgain<S extends Session>(desk: OperatorDesk<S>, entry: Entry): Promise<void> {
  const { path } = desk;
  const isOut = entry.pathname === `${path}/sign-out`;
  const at = deskPath(path, entry.pathname);
  const kept = isOut ? null : keptForm(at, await readForm(entry));
  return showSignIn(desk, entry, 401, { problem: 'ended', kept });
}

async function signIn<S extends Session>(
  desk: OperatorDesk<S>,
  entry: Entry,
  session: S | null,
): Promise<void> {
  const { res, cookies, client } = entry;
  const to = deskPath(desk.path, entry.query.get('to'));
  if (entry.method !== 'POST') {
    if (session !== null) return sendMoved(res, to);
    return showSignIn(desk, entry, 200, { to });
  }
  const form = await readForm(entry);
  const typed = {
    to: deskPath(desk.path, form.get('to')),
    name: (form.get('name') ?? '').slice(0, 60),
    kept: keptIn(form, (at) => deskPath(desk.path, at)),
  };
  if (!isVisitorForm(entry, desk.sessions, form)) {
    return showSignIn(desk, entry, 403, { ...typed, problem: 'stale' });
  }
  const password = (form.get('password') ?? '').slice(0, 1_000);
  const signed = await desk.sessions.signIn({
    password,
    name: typed.name,
    client,
    browserToken: cookies.read(entry.req, BROWSER_COOKIE),
  });
  if (signed.kind === 'too_many') {
    const wait = Math.max(1, Math.ceil(signed.waitMs / 1000));
    res.setHeader('retry-after', String(wait));
    return showSignIn(desk, entry, 429, { ...typed, problem: 'too_many', wait });
  }
  if (signed.kind === 'refused') {
    desk.world.log.warn({ client }, 'a wrong password at the operators’ desk');
    return showSignIn(desk, entry, 401, { ...typed, problem: 'wrong' });
  }
  res.appendHeader('set-cookie', cookies.keepSession(signed.token, desk.sessionMs / 1000));
  const known = cookies.keep(BROWSER_COOKIE, signed.browserToken, KNOWN_BROWSER_SECONDS);
  res.appendHeader('set-cookie', known);
  const signedIn = typed.kept === null ? null : await desk.sessions.read(signed.token);
  if (typed.kept === null || signedIn === null) return sendMoved(res, typed.to);
  const formToken = desk.sessions.formToken(signedIn.id);
  sendPage(res, 200, keptPage(desk.dressed, typed.kept, { formToken, path: desk.path }));
}

function showSignIn<S extends Session>(
  desk: OperatorDesk<S>,
  entry: Entry,
  status: number,
  page: Partial<SignInPage>,
): void {
  const visitor = keepVisitor(entry, desk.sessions);
  const whole = { to: desk.path, name: '', problem: null, kept: null, ...page, visitor };
  const formToken = desk.sessions.formToken(visitor);
  const document = operatorSignIn(desk.dressed, { ...whole, ...desk.door, formToken }, desk.words);
  sendPage(entry.res, status, document);
}
