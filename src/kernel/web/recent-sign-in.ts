// Step-up authentication: sensitive forms require a sign-in within the last ten minutes, because a
// stolen session must not suffice. The console and the admin areas share this rule and the saved
// form.
import { MINUTE_MS } from '../time/durations.ts';

/** OWASP ASVS 4.0.3, 3.7.1: sensitive transactions require the credentials again. */
const RECENT_SIGN_IN_MS = 10 * MINUTE_MS;

export const isRecentSignIn = (
  { signedInAt }: { readonly signedInAt: number },
  now: number,
): boolean => now - signedInAt < RECENT_SIGN_IN_MS;
