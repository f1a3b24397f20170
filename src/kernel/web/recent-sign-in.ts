// Step-up: sensitive forms need a sign-in of the last ten minutes, since a stolen session must not
// be enough for them. The console and the admin areas share this rule and the saved form.
import { MINUTE_MS } from '../time/durations.ts';

/** OWASP ASVS 4.0.3, 3.7.1: sensitive transactions need the credentials again. */
const RECENT_SIGN_IN_MS = 10 * MINUTE_MS;

export const isRecentSignIn = (
  { signedInAt }: { readonly signedInAt: number },
  now: number,
): boolean => now - signedInAt < RECENT_SIGN_IN_MS;
