// Reads and sets session cookies: HttpOnly and SameSite=Lax. Over https the cookies are also Secure
// and have the prefix that binds them to the host (RFC 6265bis, 4.1.3.2).
import type { IncomingMessage } from 'node:http';
import { readCookie } from '../http/read-form-body.ts';

export type SessionCookies = {
  session(req: IncomingMessage): string | null;
  visitor(req: IncomingMessage): string | null;
  /** All methods that set or clear a cookie return a value of the Set-Cookie header. */
  setSession(token: string, maxAgeSeconds: number): string;
  clearSession(): string;
  setVisitor(token: string): string;
  /** Reads another cookie, such as the chosen language. */
  read(req: IncomingMessage, name: string): string | null;
  setCookie(name: string, value: string, maxAgeSeconds: number): string;
};

const VISIT_SECONDS = 3_600;

/** `url` is the site's absolute URL; `names` have no prefix. */
export function openSessionCookies(
  url: string,
  names: { readonly session: string; readonly visitor: string },
): SessionCookies {
  const isSecure = url.startsWith('https:');
  const nameOf = (name: string) => (isSecure ? `__Host-${name}` : name);
  const [session, visitor] = [nameOf(names.session), nameOf(names.visitor)];
  const formatCookie = (name: string, value: string, maxAge: number) =>
    `${name}=${value}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax` +
    (isSecure ? '; Secure' : '');
  return {
    session: (req) => readCookie(req, session),
    visitor: (req) => readCookie(req, visitor),
    setSession: (token, maxAgeSeconds) => formatCookie(session, token, maxAgeSeconds),
    clearSession: () => formatCookie(session, '', 0),
    setVisitor: (token) => formatCookie(visitor, token, VISIT_SECONDS),
    read: (req, name) => readCookie(req, nameOf(name)),
    setCookie: (name, value, maxAgeSeconds) => formatCookie(nameOf(name), value, maxAgeSeconds),
  };
}
