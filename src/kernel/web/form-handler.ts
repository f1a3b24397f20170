// The HTTP handler of pages with forms: rate limit, allowed methods, origin checks, cookies, and
// failures as pages.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { blockedClient, type ClientResolver } from '../client-address/client-address.ts';
import { type Code, codes } from '../errors/codes.ts';
import { Fault, messageOf } from '../errors/fault.ts';
import type { Asset } from '../html/assets.ts';
import { findFramingFault } from '../http/check-framing.ts';
import { readFormBody } from '../http/read-form-body.ts';
import { transportSecurity } from '../http/transport-security.ts';
import type { RateLimit } from '../rate-limit/gcra.ts';
import { openLocalLimiter } from '../rate-limit/limiter.ts';
import type { World } from '../world.ts';
import type { FormTokens } from './form-token.ts';
import { sendPage } from './send-page.ts';
import { openSessionCookies, type SessionCookies } from './session-cookies.ts';

/** The interface for a server. */
export type FormHandler = {
  readonly assets: readonly Asset[];
  /** Handles every request below its path, including failures. */
  handle(req: IncomingMessage, res: ServerResponse): Promise<void>;
};

/** One parsed request to a page with forms. */
export type FormRequest = {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  /** HEAD is GET without its body. */
  readonly method: 'GET' | 'POST';
  readonly pathname: string;
  readonly query: URLSearchParams;
  /** The client's address, as a plain literal. */
  readonly address: string;
  /** The client's key for rate limits: an IPv4 address, or an IPv6 /64. */
  readonly client: string;
  readonly cookies: SessionCookies;
};

export type PageFailure = {
  readonly status: number;
  /** The message for the client in English; null: the page shows its generic message. */
  readonly message: string | null;
  /** The message in Chinese; null: the page shows its generic message. */
  readonly inChinese: string | null;
  /** Header fields that the failure adds to the response. */
  readonly headers: Fault['headers'];
  readonly requestId: string;
};

export type FormHandlerOptions = {
  readonly world: World;
  readonly clients: ClientResolver;
  /** Per client address; null or absent: no limit. A page takes about a millisecond to make. */
  readonly rate?: RateLimit | null;
  /** The site's absolute URL, read with every request; https makes cookies secure. */
  readonly siteUrl: () => string;
  /** Names of the two cookies. */
  readonly cookies: { readonly session: string; readonly visitor: string };
  /** Handles a request that passed the checks. A thrown error becomes the failure page. */
  handleRequest(request: FormRequest): Promise<void>;
  failurePage(failure: PageFailure, request: Pick<FormRequest, 'req' | 'cookies'>): string;
};

export function openFormHandler(options: FormHandlerOptions): FormHandler['handle'] {
  const { world, rate = null } = options;
  const limiter = openLocalLimiter(world.clock);
  return async (req, res) => {
    const url = options.siteUrl();
    const cookies = openSessionCookies(url, options.cookies);
    for (const [name, value] of Object.entries(transportSecurity(url))) res.setHeader(name, value);
    try {
      const { address, key: client, isBlocked } = options.clients.resolve(req);
      if (isBlocked) throw blockedClient();
      const waitMs = rate === null ? 0 : limiter.takeToken(client, rate).waitMs;
      if (waitMs > 0) throw tooManyPages(Math.ceil(waitMs / 1_000));
      const framingFault = findFramingFault(req);
      if (framingFault !== null) throw framingFault;
      // U+0000 cannot occur in a database text.
      const requestTarget = (req.url ?? '/').replaceAll('%00', '');
      const { pathname, searchParams: query } = new URL(requestTarget, 'http://form.invalid');
      const method = req.method === 'HEAD' ? 'GET' : (req.method ?? 'GET');
      if (method !== 'GET' && method !== 'POST') throw methodNotAllowed();
      if (method === 'POST') refuseOtherSites(req);
      await options.handleRequest({ req, res, method, pathname, query, address, client, cookies });
    } catch (error) {
      const failure = toPageFailure(world, error);
      if (res.headersSent) return void res.destroy();
      for (const [name, value] of Object.entries(failure.headers)) res.setHeader(name, value);
      sendPage(res, failure.status, options.failurePage(failure, { req, cookies }));
    }
  };
}

const tooManyPages = (seconds: number) =>
  new Fault('rate_limited', `Too many requests. Try again in ${seconds} s.`, {
    retryAfterSeconds: seconds,
    inChinese: `请求过多，请在 ${seconds} 秒后再试。`,
  });

export const methodNotAllowed = () =>
  new Fault('method_not_allowed', 'This page does not accept this request.', {
    inChinese: '不能这样访问这一页。',
  });

export const pageNotFound = () =>
  new Fault('not_found', 'There is no such page.', { inChinese: '没有这样的页面。' });

/**
 * Browsers state with Sec-Fetch-Site whether a request comes from the same site. The form token
 * protects requests without this header.
 */
function refuseOtherSites({ headers }: IncomingMessage): void {
  const fetchSite = headers['sec-fetch-site'];
  if (fetchSite === undefined || fetchSite === 'same-origin' || fetchSite === 'none') return;
  throw new Fault('forbidden', 'This form was sent from another site.', {
    inChinese: '这个表单是从别的网站发来的。',
  });
}

const FORM_LIMIT = { maxBytes: 256 * 1024, tooLarge: 'This form is too large.' };

/** Throws a Fault: unsupported_media_type, payload_too_large, invalid_request. */
export const readForm = (
  { req }: FormRequest,
  maxBytes = FORM_LIMIT.maxBytes,
): Promise<URLSearchParams> => readFormBody(req, { ...FORM_LIMIT, maxBytes });

/** The form of one session. Throws a Fault unless the form comes from a page of that session. */
export async function readSessionForm(
  request: FormRequest,
  tokens: FormTokens,
  sessionId: string,
  maxBytes?: number,
): Promise<URLSearchParams> {
  const form = await readForm(request, maxBytes);
  if (tokens.isFormToken({ kind: 'session', id: sessionId }, form.get('token') ?? '')) return form;
  throw new Fault('forbidden', 'This form is not from a page of this session. Load it again.', {
    inChinese: '这个表单不属于当前会话，请重新打开页面。',
  });
}

/** Whether a form comes from a page that was rendered for this visitor without a session. */
export function isVisitorForm(
  { req, cookies }: FormRequest,
  tokens: FormTokens,
  form: URLSearchParams,
): boolean {
  const visitor = cookies.visitor(req);
  if (visitor === null) return false;
  return tokens.isFormToken({ kind: 'visitor', id: visitor }, form.get('token') ?? '');
}

/** The visitor's token for a form outside of any session; sets the visitor's cookie. */
export function issueVisitorToken({ req, res, cookies }: FormRequest, tokens: FormTokens): string {
  const visitor = cookies.visitor(req) ?? tokens.generateVisitor();
  res.appendHeader('set-cookie', cookies.setVisitor(visitor));
  return visitor;
}

function toPageFailure({ ids, log }: World, error: unknown): PageFailure {
  const fault =
    error instanceof Fault
      ? error
      : new Fault('temporarily_unavailable', 'This cannot be done right now. Try again.');
  const code: Code = fault.code;
  const { status } = codes[code];
  const requestId = `req_${ids.next()}`;
  if (status >= 500) {
    const internal = error instanceof Error ? (error.stack ?? error.message) : messageOf(error);
    log.error({ requestId, code, internal }, fault.message);
  }
  // An unexpected failure shows only the general text of its status.
  const message = fault === error ? fault.message : null;
  const { inChinese, headers, retryAfterSeconds } = fault;
  const wait = retryAfterSeconds ? { 'retry-after': String(retryAfterSeconds) } : {};
  return { status, message, inChinese, headers: { ...headers, ...wait }, requestId };
}
