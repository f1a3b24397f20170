// Submitted text with a length limit, and the response to a client that exceeded a rate limit.
import type { PasswordProblem } from '../../../kernel/crypto/password-problem.ts';
import type { ConsoleWords } from '../messages/console.ts';
import type { VisitorResponse } from '../shell/console-context.ts';

export const typed = (form: URLSearchParams, name: string, max = 320): string =>
  (form.get(name) ?? '').trim().slice(0, max);

/** What is wrong with a new password, beside its field. */
export const passwordText = (
  words: Pick<ConsoleWords, 'passwordLength' | 'passwordGuessable'>,
  problem: PasswordProblem,
): string => (problem === 'length' ? words.passwordLength : words.passwordGuessable);

/** `page` receives the wait in whole seconds, rounded up. */
export function waitingAnswer(
  waitMs: number,
  page: (seconds: number) => VisitorResponse & { kind: 'page' },
): VisitorResponse {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  return { ...page(seconds), headers: { 'retry-after': String(seconds) } };
}
