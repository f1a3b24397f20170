// Reads submitted text with a length limit, and builds the response to a client that exceeded a
// rate limit.
import type { VisitorResponse } from '../shell/console-context.ts';

/**
 * Returns the trimmed text of a form field or a query parameter, with at most `max` characters;
 * empty when absent.
 */
export const readField = (fields: URLSearchParams, name: string, max = 320): string =>
  (fields.get(name) ?? '').trim().slice(0, max);

/** Returns the text without trimming, because spaces may be part of a password. */
export const readPassword = (form: URLSearchParams, name: string): string =>
  (form.get(name) ?? '').slice(0, 1_000);

/** `renderPage` receives the wait in whole seconds, rounded up. */
export function toRateLimitedResponse(
  waitMs: number,
  renderPage: (seconds: number) => VisitorResponse & { kind: 'page' },
): VisitorResponse {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  return { ...renderPage(seconds), headers: { 'retry-after': String(seconds) } };
}
